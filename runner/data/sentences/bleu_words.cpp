// The words that BLEU compares. The patterns of 13a come from mteval-v13a.pl. They name only ASCII
// characters, so they can be matched byte by byte.
#include <array>
#include <utility>

#include "lcsm/base/words.h"
#include "runner/data/sentences/bleu.h"
#include "runner/data/tokens/unicode_classes.h"

namespace runner {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_stop(char c) { return c == '.' || c == ','; }

// { to ~, [ to `, blank to &, ( to +, : to @, and /.
bool is_symbol(char c) {
  return (c >= '{' && c <= '~') || (c >= '[' && c <= '`') || (c >= ' ' && c <= '&') ||
         (c >= '(' && c <= '+') || (c >= ':' && c <= '@') || c == '/';
}

// Replaces pairs of characters that `matches` from left to right, each character in one pair.
template <class Matches, class Put>
std::string with_pairs(const std::string& text, const Matches& matches, const Put& put) {
  std::string all;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (at + 1 < text.size() && matches(text[at], text[at + 1])) {
      put(&all, text[at], text[at + 1]);
      ++at;
    } else {
      all += text[at];
    }
  }
  return all;
}

std::string with_symbols_apart(const std::string& text) {
  std::string all;
  for (const char c : text) {
    if (is_symbol(c)) all += ' ';
    all += c;
    if (is_symbol(c)) all += ' ';
  }
  return all;
}

std::string split_13a(const std::string& line) {
  std::string text = with_symbols_apart(line);
  const auto after = [](std::string* all, char a, char b) { *all += {a, ' ', b, ' '}; };
  text = with_pairs(
      text, [](char a, char b) { return !is_digit(a) && is_stop(b); }, after);
  text = with_pairs(
      text, [](char a, char b) { return is_stop(a) && !is_digit(b); },
      [](std::string* all, char a, char b) {
        *all += {' ', a, ' ', b};
      });
  return with_pairs(
      text, [](char a, char b) { return is_digit(a) && b == '-'; }, after);
}

}  // namespace

std::vector<std::string> words_at_blanks(std::string_view line) {
  std::vector<std::string> words;
  bool inside = false;
  for (std::size_t at = 0; at < line.size();) {
    const Character character = character_at(line, at);
    const bool blank = unicode_class(character.code) == UnicodeClass::kSpace;
    if (!blank && !inside) words.emplace_back();
    if (!blank) words.back() += line.substr(at, character.bytes);
    inside = !blank;
    at += character.bytes;
  }
  return words;
}

std::vector<std::string> words_13a(std::string_view line) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kUnescaped = {
      std::pair{"<skipped>", ""},
      {"-\n", ""},
      {"\n", " "},
      {"&quot;", "\""},
      {"&amp;", "&"},
      {"&lt;", "<"},
      {"&gt;", ">"}};
  while (!line.empty() && (line.back() == '\n' || line.back() == ' ' || line.back() == '\r'))
    line.remove_suffix(1);
  std::string text(line);
  for (const auto& [from, to] : kUnescaped) text = lcsm::replaced(std::move(text), from, to);
  return words_at_blanks(split_13a(" " + text + " "));
}

std::vector<std::string> words_of_compounds(std::string_view line) {
  std::vector<std::string> words;
  for (const std::string& word : words_at_blanks(line)) {
    std::size_t first = 0;
    // Each hyphen needs characters on both sides that no earlier one has used.
    for (std::size_t at = 1, used = 0; at + 1 < word.size(); ++at) {
      if (word[at] != '-' || at - 1 < used) continue;
      words.push_back(word.substr(first, at - first));
      words.emplace_back("##AT##-##AT##");
      first = at + 1;
      used = at + 2;
      ++at;
    }
    words.push_back(word.substr(first));
  }
  return words;
}

}  // namespace runner
