#include "runner/data/sentences/detokenized.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <vector>

#include "lcsm/base/words.h"

namespace runner {
namespace {

constexpr std::array<std::string_view, 11> kOpening = {"(", "[", "{", "¿", "¡", "$",
                                                       "£", "€", "¥", "¢", "¤"};
constexpr std::array<std::string_view, 11> kClosing = {",", ".", "?",  "!", ":", ";",
                                                       "%", "}", "\\", "]", ")"};
constexpr std::array<std::string_view, 6> kQuotes = {"'", "\"", "`", "„", "“", "”"};

// True if the word consists of these alone.
template <class Characters>
bool is_all(std::string_view word, const Characters& characters) {
  while (!word.empty()) {
    const auto found = std::find_if(characters.begin(), characters.end(),
                                    [&](std::string_view each) { return word.starts_with(each); });
    if (found == characters.end()) return false;
    word.remove_prefix(found->size());
  }
  return true;
}

// A byte of any character beyond ASCII counts as a letter.
bool is_letter(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 || std::isalpha(byte) != 0;
}
bool is_letter_or_digit(char c) {
  return is_letter(c) || std::isdigit(static_cast<unsigned char>(c)) != 0;
}

class Joiner {
 public:
  void apart(const std::string& word) { add(word, true, true); }
  void to_the_left(const std::string& word) { add(word, false, true); }
  void to_the_right(const std::string& word) { add(word, true, false); }
  std::string take() { return std::move(text_); }

 private:
  void add(const std::string& word, bool blank_before, bool blank_after) {
    if (blank_before && blank_ && !text_.empty()) text_ += ' ';
    text_ += word;
    blank_ = blank_after;
  }

  std::string text_;
  bool blank_ = false;
};

}  // namespace

std::string detokenized(std::string_view text, std::string_view language) {
  const std::vector<std::string> words =
      lcsm::words_of(lcsm::replaced(std::string(text), " @-@ ", "-"));
  std::map<std::string, int> quotes;  // how many of each kind so far
  Joiner line;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const bool english = language == "en" && i > 0;
    if (is_all(word, kOpening)) {
      line.to_the_right(word);
    } else if (is_all(word, kClosing) ||
               (english && word.size() > 1 && word[0] == '\'' && is_letter(word[1]) &&
                is_letter_or_digit(words[i - 1].back()))) {
      line.to_the_left(word);
    } else if (is_all(word, kQuotes)) {
      const bool curly = word.starts_with("\xe2");
      const bool opens = quotes[curly ? "\"" : word] % 2 == 0;
      if (opens && english && word == "'" && words[i - 1].back() == 's') {
        line.to_the_left(word);  // a genitive
        continue;
      }
      opens ? line.to_the_right(word) : line.to_the_left(word);
      ++quotes[curly ? "\"" : word];
    } else {
      line.apart(word);
    }
  }
  return line.take();
}

}  // namespace runner
