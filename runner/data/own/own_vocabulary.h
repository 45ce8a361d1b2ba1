// Turns texts into the bytes, characters or words that a model reads. Characters and words are
// numbered by frequency in the training texts; 0 stands for all others.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runner/data/datasets/data_file_header.h"

namespace runner {

class OwnVocabulary {
 public:
  // `tokens`: bytes, characters or words, which blanks separate. Leaves out tokens that occur less
  // often than `rarest`, and all but the most frequent 65 535. `pairs`: the last token separates
  // two texts.
  OwnVocabulary(std::string_view tokens, const std::vector<std::string_view>& train,
                std::int64_t rarest, bool pairs = false);

  std::uint32_t size() const;
  Element element() const;
  std::string encoded(std::string_view text) const;                 // in the file's format
  std::string separator() const;                                    // of pairs
  const std::vector<std::string>& names() const { return names_; }  // by number; empty for bytes

 private:
  bool bytes_ = false, words_ = false;
  std::vector<std::string> names_;
  std::unordered_map<std::string_view, std::uint32_t> numbers_;  // of names_, which stay in place
};

}  // namespace runner
