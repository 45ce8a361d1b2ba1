// From text to tokens: bytes, words, GPT-2's.
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

  // Ends a line, and stands before the first token of a text.
  virtual std::uint32_t boundary() const = 0;

  // Appends the tokens of a text that is cut at the ends of lines only.
  virtual void encode(std::string_view text, std::vector<std::uint32_t>& into) = 0;
};

// A byte is a token.
std::unique_ptr<Tokenizer> byte_tokenizer();

// The words of the training text in the order in which they first stand there, then <unk> where it
// is not one of them; a word is what stands between blanks, and a line ends in <eos>.
std::unique_ptr<Tokenizer> word_tokenizer(std::string_view training_text);

// GPT-2's tokens in fairseq's order. As fairseq encodes: every line without the white space at its
// ends, then </s>, empty lines too. The arguments are the texts of vocab.bpe and dict.txt.
std::unique_ptr<Tokenizer> gpt2_tokenizer(std::string_view merges, std::string_view dictionary);

}  // namespace runner
