#include "runner/front/panel/keys.h"

#include <algorithm>

namespace runner {
namespace {

constexpr char kEscapeByte = '\033';

// The length of the sequence at the start; 0 while its end has not arrived.
std::size_t sequence_length(std::string_view text) {
  if (text.size() < 2) return 0;
  if (text[1] == 'O') return text.size() < 3 ? 0 : 3;
  if (text[1] != '[') return 1;
  for (std::size_t i = 2; i < text.size(); ++i)
    if (text[i] >= 0x40 && text[i] <= 0x7E) return i + 1;
  return 0;
}

void take_sequence(std::string_view sequence, std::vector<KeyPress>* keys) {
  const std::string_view what = sequence.substr(std::min<std::size_t>(2, sequence.size()));
  if (sequence.size() == 1) keys->push_back({Key::kEscape});
  if (what == "A") keys->push_back({Key::kUp});
  if (what == "B") keys->push_back({Key::kDown});
  if (what == "5~") keys->push_back({Key::kPageUp});
  if (what == "6~") keys->push_back({Key::kPageDown});
}

KeyPress of_letter(char letter) {
  if (letter == '\n' || letter == '\r') return {Key::kEnter};
  if (letter == 'k') return {Key::kUp};
  if (letter == 'j') return {Key::kDown};
  return {Key::kLetter, letter};
}

}  // namespace

std::vector<KeyPress> KeyReader::take(std::string_view bytes) {
  std::vector<KeyPress> keys;
  held_ += bytes;
  std::string_view rest = held_;
  while (!rest.empty()) {
    const bool sequence = rest[0] == kEscapeByte;
    const std::size_t length = sequence ? sequence_length(rest) : 1;
    if (length == 0) break;
    if (sequence)
      take_sequence(rest.substr(0, length), &keys);
    else
      keys.push_back(of_letter(rest[0]));
    rest.remove_prefix(length);
  }
  constexpr std::size_t kLongest = 16;  // no key is longer: noise
  held_ = rest.size() > kLongest ? "" : std::string(rest);
  return keys;
}

std::vector<KeyPress> KeyReader::settle() {
  const bool alone = held_.size() == 1;
  held_.clear();
  return alone ? std::vector<KeyPress>{{Key::kEscape}} : std::vector<KeyPress>{};
}

}  // namespace runner
