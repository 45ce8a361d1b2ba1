// Turns text into tokens: bytes, words or GPT-2's tokens.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace runner {

class Tokenizer {
 public:
  virtual ~Tokenizer() = default;

  virtual std::uint32_t size() const = 0;  // tokens are 0 .. size()-1

  // Ends a line; also precedes the first token of a text.
  virtual std::uint32_t boundary() const = 0;

  // Appends the tokens of `text`; a longer text may be split at the ends of lines only.
  virtual void encode(std::string_view text, std::vector<std::uint32_t>& into) = 0;

  // The text that a token stands for: " word", or "\n" for one that ends a line. Throws
  // std::out_of_range.
  virtual std::string text(std::uint32_t token) const = 0;
};

// Tokens are bytes.
inline constexpr std::uint32_t kByteTokens = 256;
std::unique_ptr<Tokenizer> byte_tokenizer();

enum class WordOrder : std::uint8_t {
  kAppearance,  // by first appearance
  kFrequency,   // the most frequent first; ties by first appearance
};
// The words of the training text, then <unk> unless the text has it. Words are separated by blanks;
// every line ends in <eos>.
std::unique_ptr<Tokenizer> word_tokenizer(std::string_view training_text,
                                          WordOrder order = WordOrder::kAppearance);

// GPT-2's tokens in fairseq's order, encoded as fairseq does: every line, even an empty one, is
// stripped of white space at both ends and followed by </s>. `merges`, `dictionary`: the contents
// of vocab.bpe and dict.txt.
std::unique_ptr<Tokenizer> gpt2_tokenizer(std::string_view merges, std::string_view dictionary);

}  // namespace runner
