// GPT-2's byte-pair encoding: any bytes to tokens and back, without loss.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace runner {

// The numbering of tokens. fairseq: <s> <pad> </s> <unk>, then by frequency (dict.txt), <mask>
// last; 50 265 in all. GPT-2: 256 bytes, 50 000 merges, <|endoftext|>.
enum class TokenOrder : std::uint8_t { kFairseq, kGpt2 };

inline constexpr std::uint32_t kFairseqEnd = 2;  // </s>
inline constexpr std::uint32_t kFairseqSize = 50265;

class Gpt2Bpe {
 public:
  // Parses the contents of vocab.bpe and, for fairseq's order, of dict.txt. Throws
  // std::invalid_argument that names the invalid line.
  Gpt2Bpe(std::string_view merges, std::string_view dictionary, TokenOrder order);

  // Appends to `into`. Not thread-safe: it caches the words that it has seen.
  void encode(std::string_view text, std::vector<std::uint32_t>& into);

  std::string decode(std::span<const std::uint32_t> tokens) const;

 private:
  struct Span {
    std::uint32_t at = 0, size = 0;
  };
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };

  void read_merges(std::string_view merges);
  void read_dictionary(std::string_view dictionary);
  void add_merge(std::uint32_t left, std::uint32_t right);
  std::uint32_t merged(std::uint32_t left, std::uint32_t right) const;  // kNone = no such merge
  Span remember(std::string_view word);
  void merge(std::string_view word, std::vector<std::uint32_t>& into) const;

  std::vector<std::string> bytes_of_;      // by GPT-2's number
  std::array<std::uint32_t, 256> byte_{};  // byte -> GPT-2's number
  // Open addressing: a pair of tokens and their merge; lower results are merged first.
  struct Merge {
    std::uint64_t pair = ~std::uint64_t{0};
    std::uint32_t result = 0;
  };
  std::vector<Merge> merges_;
  std::vector<std::uint32_t> ours_, theirs_;  // GPT-2's number -> ours, and back

  std::unordered_map<std::string, Span, Hash, std::equal_to<>> seen_;
  std::vector<std::uint32_t> seen_tokens_;
};

}  // namespace runner
