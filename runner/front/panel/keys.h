// Parses the bytes that a terminal sends into keys.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace runner {

enum class Key : std::uint8_t { kUp, kDown, kPageUp, kPageDown, kEnter, kEscape, kLetter };

struct KeyPress {
  Key key = Key::kLetter;
  char letter = 0;  // of kLetter
  bool operator==(const KeyPress&) const = default;
};

class KeyReader {
 public:
  // The keys that these bytes complete: an arrow's sequence may arrive in pieces. Drops unknown
  // sequences.
  std::vector<KeyPress> take(std::string_view bytes);

  // Call it when no byte has come for a while: a lone escape is then the Escape key.
  std::vector<KeyPress> settle();

 private:
  std::string held_;  // an unfinished sequence
};

}  // namespace runner
