#include "lcsm/base/words.h"

#include <algorithm>

namespace lcsm {

std::string joined(const std::vector<std::string>& words, std::string_view separator) {
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += separator;
    text += word;
  }
  return text;
}

std::string_view take_until(std::string_view* text, char separator) {
  const std::string_view head = text->substr(0, text->find(separator));
  text->remove_prefix(std::min(text->size(), head.size() + 1));
  return head;
}

std::string_view trimmed(std::string_view text, std::string_view around) {
  text.remove_prefix(std::min(text.size(), text.find_first_not_of(around)));
  return text.substr(0, text.find_last_not_of(around) + 1);
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
    text.replace(at, from.size(), to);
    at += to.size();
  }
  return text;
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty())
    if (const std::string_view word = take_until(&text, ' '); !word.empty())
      words.emplace_back(word);
  return words;
}

bool has_word(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool has_word(std::string_view list, std::string_view word) {
  while (!list.empty())
    if (take_until(&list, ' ') == word) return !word.empty();
  return false;
}

}  // namespace lcsm
