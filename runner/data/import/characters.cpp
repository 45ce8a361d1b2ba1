#include "runner/data/import/characters.h"

#include <algorithm>
#include <unordered_map>

#include "runner/data/tokens/unicode_classes.h"

namespace runner {
namespace {

constexpr std::size_t kMostNumbers = 65536;  // two bytes each
constexpr std::uint32_t kUnknown = 1, kEnd = 2;

using Numbers = std::unordered_map<std::string_view, std::uint32_t>;

// At most `characters` characters from the start of a text.
std::string_view shortened(std::string_view text, std::size_t characters) {
  std::size_t end = 0;
  for (; end < text.size() && characters > 0; --characters) end += character_at(text, end).bytes;
  return text.substr(0, end);
}

// UTF-8 is in the order of code points.
std::vector<std::string> frequent(const std::vector<NewExample>& train, std::size_t rarest) {
  std::unordered_map<std::string_view, std::size_t> counts;
  for (const NewExample& example : train)
    for (const std::string& text : example.sequences)
      for_each_character(text, [&](std::string_view character) { ++counts[character]; });
  std::vector<std::pair<std::size_t, std::string_view>> order;
  for (const auto& [character, count] : counts)
    if (count >= rarest) order.emplace_back(~count, character);
  std::sort(order.begin(), order.end());
  std::vector<std::string> names = {"<pad>", "<unk>", "<eos>"};
  for (const auto& [count, character] : order) names.emplace_back(character);
  return names;
}

std::string numbered(std::string_view text, const Numbers& numbers, Element element) {
  std::string all;
  for_each_character(text, [&](std::string_view character) {
    const auto found = numbers.find(character);
    append_number(&all, element, found == numbers.end() ? kUnknown : found->second);
  });
  append_number(&all, element, kEnd);
  return all;
}

}  // namespace

void number_characters(const CharacterRule& rule, Taken* taken) {
  for (std::vector<NewExample>& split : taken->examples)
    for (NewExample& example : split)
      for (std::string& text : example.sequences) text = shortened(text, rule.longest - 1);
  taken->tokens = "characters";
  taken->vocabulary = frequent(taken->examples[0], rule.rarest);
  if (taken->vocabulary.size() > kMostNumbers)
    throw std::invalid_argument("expected at most " + std::to_string(kMostNumbers) +
                                " different characters, got " +
                                std::to_string(taken->vocabulary.size()));
  Numbers numbers;
  for (std::uint32_t i = kEnd + 1; i < taken->vocabulary.size(); ++i)
    numbers[taken->vocabulary[i]] = i;
  taken->shape.vocabulary = static_cast<std::uint32_t>(taken->vocabulary.size());
  taken->shape.element = element_for(taken->vocabulary.size());
  for (std::vector<NewExample>& split : taken->examples)
    for (NewExample& example : split)
      for (std::string& text : example.sequences)
        text = numbered(text, numbers, taken->shape.element);
}

// An invalid byte counts as a one-byte character; no valid character begins with such a byte.
std::size_t first_not_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const Character character = character_at(text, at);
    if (character.bytes == 1 && static_cast<unsigned char>(text[at]) >= 0x80) return at;
    at += character.bytes;
  }
  return text.size();
}

}  // namespace runner
