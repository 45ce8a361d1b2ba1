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
  // The keys that these bytes complete; the sequence of an arrow may arrive in pieces. Unknown
  // sequences are dropped.
  std::vector<KeyPress> take(std::string_view bytes);

  // Called when no byte has come for a while: a lone escape is then the key itself.
  std::vector<KeyPress> settle();

 private:
  std::string held_;  // an unfinished sequence
};

}  // namespace runner
