#include "runner/data/tokens/tokenizer.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <stdexcept>
#include <unordered_map>

#include "runner/base/files/text_lines.h"
#include "runner/data/tokens/gpt2_bpe.h"
#include "runner/data/tokens/unicode_classes.h"

namespace runner {
namespace {

void require_token(std::uint32_t token, const Tokenizer& tokenizer) {
  if (token >= tokenizer.size())
    throw std::out_of_range("expected a token below " + std::to_string(tokenizer.size()) +
                            ", got " + std::to_string(token));
}

class ByteTokens : public Tokenizer {
 public:
  std::uint32_t size() const override { return kByteTokens; }
  std::uint32_t boundary() const override { return '\n'; }
  void encode(std::string_view text, std::vector<std::uint32_t>& into) override {
    for (const char c : text) into.push_back(static_cast<unsigned char>(c));
  }
  std::string text(std::uint32_t token) const override {
    require_token(token, *this);
    return {static_cast<char>(token)};
  }
};

class Words : public Tokenizer {
 public:
  Words(std::string_view training_text, WordOrder order) {
    std::vector<std::uint64_t> times;
    for_each_token(training_text, [&](std::string_view word) {
      const std::uint32_t number = add(word);
      if (number == times.size()) times.push_back(0);
      ++times[number];
    });
    times.resize(2 + times.size());  // of <eos> and <unk>, which the text may lack
    add("<eos>");
    add("<unk>");
    if (order == WordOrder::kFrequency) rank_by(times);
    end_ = number_of_.find("<eos>")->second;
    unknown_ = number_of_.find("<unk>")->second;
  }

  std::uint32_t size() const override { return static_cast<std::uint32_t>(number_of_.size()); }
  std::uint32_t boundary() const override { return end_; }
  void encode(std::string_view text, std::vector<std::uint32_t>& into) override {
    for_each_token(text, [&](std::string_view word) {
      const auto found = number_of_.find(word);
      into.push_back(found != number_of_.end() ? found->second : unknown_);
    });
  }
  std::string text(std::uint32_t token) const override {
    require_token(token, *this);
    return token == end_ ? "\n" : " " + *word_of_[token];
  }

 private:
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };

  std::uint32_t add(std::string_view word) {
    const auto [at, is_new] =
        number_of_.try_emplace(std::string(word), static_cast<std::uint32_t>(number_of_.size()));
    if (is_new) word_of_.push_back(&at->first);
    return at->second;
  }

  void rank_by(const std::vector<std::uint64_t>& times) {
    std::vector<std::uint32_t> order(size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return times[a] > times[b]; });
    std::vector<const std::string*> ranked;
    for (const std::uint32_t number : order) ranked.push_back(word_of_[number]);
    word_of_ = std::move(ranked);
    for (std::uint32_t rank = 0; rank < size(); ++rank) number_of_[*word_of_[rank]] = rank;
  }

  template <typename Take>
  static void for_each_token(std::string_view text, Take take) {
    for_each_line(text, [&](std::string_view line) {
      for_each_word(line, take);
      take("<eos>");
    });
  }

  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> number_of_;
  std::vector<const std::string*> word_of_;  // keys of number_of_, which stay in place
  std::uint32_t end_ = 0, unknown_ = 0;
};

class Gpt2 : public Tokenizer {
 public:
  Gpt2(std::string_view merges, std::string_view dictionary)
      : bpe_(merges, dictionary, TokenOrder::kFairseq) {}

  std::uint32_t size() const override { return kFairseqSize; }
  std::uint32_t boundary() const override { return kFairseqEnd; }
  void encode(std::string_view text, std::vector<std::uint32_t>& into) override {
    for_each_line(text, [&](std::string_view line) {
      bpe_.encode(stripped(line), into);
      into.push_back(kFairseqEnd);
    });
  }
  std::string text(std::uint32_t token) const override {
    require_token(token, *this);
    return token == kFairseqEnd ? "\n" : bpe_.decode(std::array{token});
  }

 private:
  // Matches Python's str.strip, which also counts U+001C to U+001F as white space.
  static bool is_space(std::uint32_t code) {
    return unicode_class(code) == UnicodeClass::kSpace || (code >= 0x1c && code <= 0x1f);
  }

  static std::string_view stripped(std::string_view line) {
    std::size_t first = 0, end = 0;
    bool inside = false;
    for (std::size_t at = 0; at < line.size();) {
      const Character character = character_at(line, at);
      const bool space = is_space(character.code);
      at += character.bytes;
      if (!inside && space) first = at;
      inside = inside || !space;
      if (!space) end = at;
    }
    return line.substr(std::min(first, end), end - std::min(first, end));
  }

  Gpt2Bpe bpe_;
};

}  // namespace

std::unique_ptr<Tokenizer> byte_tokenizer() { return std::make_unique<ByteTokens>(); }

std::unique_ptr<Tokenizer> word_tokenizer(std::string_view training_text, WordOrder order) {
  return std::make_unique<Words>(training_text, order);
}

std::unique_ptr<Tokenizer> gpt2_tokenizer(std::string_view merges, std::string_view dictionary) {
  return std::make_unique<Gpt2>(merges, dictionary);
}

}  // namespace runner
