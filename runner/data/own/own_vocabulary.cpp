#include "runner/data/own/own_vocabulary.h"

#include <algorithm>

#include "runner/base/files/text_lines.h"
#include "runner/data/datasets/data_file_writer.h"
#include "runner/data/tokens/unicode_classes.h"

namespace runner {
namespace {

constexpr std::size_t kMostNames = 65535;  // numbers have two bytes
// No text in UTF-8 has this byte.
constexpr char kByteBetween = '\xfe';

template <class Take>
void for_each_token(std::string_view text, bool words, const Take& take) {
  if (words)
    for_each_word(text, take);
  else
    for_each_character(text, take);
}

}  // namespace

OwnVocabulary::OwnVocabulary(std::string_view tokens, const std::vector<std::string_view>& train,
                             std::int64_t rarest, bool pairs)
    : bytes_(tokens == "bytes"), words_(tokens == "words") {
  if (bytes_) return;
  std::unordered_map<std::string_view, std::int64_t> counts;
  for (const std::string_view text : train)
    for_each_token(text, words_, [&](std::string_view token) { ++counts[token]; });
  std::vector<std::pair<std::int64_t, std::string_view>> order;
  for (const auto& [token, count] : counts)
    if (count >= rarest) order.emplace_back(-count, token);
  std::sort(order.begin(), order.end());
  order.resize(std::min(order.size(), pairs ? kMostNames - 1 : kMostNames));
  names_.emplace_back("<unk>");
  for (const auto& [count, token] : order) names_.emplace_back(token);
  if (pairs) names_.emplace_back("<sep>");
  for (std::size_t i = 1; i < names_.size() - (pairs ? 1 : 0); ++i)
    numbers_[names_[i]] = static_cast<std::uint32_t>(i);
}

std::uint32_t OwnVocabulary::size() const {
  return bytes_ ? 256 : static_cast<std::uint32_t>(names_.size());
}

Element OwnVocabulary::element() const { return element_for(size()); }

std::string OwnVocabulary::separator() const {
  if (bytes_) return {kByteBetween};
  std::string number;
  append_number(&number, element(), size() - 1);
  return number;
}

std::string OwnVocabulary::encoded(std::string_view text) const {
  if (bytes_) return std::string(text);
  std::string numbers;
  for_each_token(text, words_, [&](std::string_view token) {
    const auto found = numbers_.find(token);
    append_number(&numbers, element(), found == numbers_.end() ? 0 : found->second);
  });
  return numbers;
}

}  // namespace runner
