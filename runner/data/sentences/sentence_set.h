// The run's pairs of sentences in tokens: byte pairs are learned from both languages of its
// training sentences, once, into data/tokens of the workspace.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "runner/base/random/split.h"
#include "runner/config/run/run_config.h"
#include "runner/data/datasets/data_file.h"
#include "runner/data/sentences/joint_bpe.h"

namespace runner {

class SentenceSet {
 public:
  // Learns and encodes unless the cache has the results. Throws DataMissing, and
  // std::invalid_argument for another data set.
  SentenceSet(const RunConfig& config, const std::filesystem::path& workspace);

  std::size_t sentences(Split split) const { return texts(split).examples(); }
  std::uint32_t vocabulary() const { return bpe_->size(); }

  // Tokens without </s>.
  std::vector<std::uint32_t> source(Split split, std::uint64_t sentence) const;
  std::vector<std::uint32_t> target(Split split, std::uint64_t sentence) const;
  std::uint64_t source_length(Split split, std::uint64_t sentence) const;
  std::uint64_t target_length(Split split, std::uint64_t sentence) const;

  // The target as tokenized text, and as published or, if that is not stored, detokenized.
  std::string reference(Split split, std::uint64_t sentence) const;
  std::string published(Split split, std::uint64_t sentence) const;

  // The text of a translation in tokens.
  std::string text_of(const std::vector<std::uint32_t>& tokens) const;
  // Undoes the tokenization of Moses, if the texts have it.
  std::string plain(const std::string& text) const;
  // A text of the first language in tokens. Not thread-safe.
  std::vector<std::uint32_t> encoded(const std::string& text) const;

 private:
  const DataFile& texts(Split split) const { return texts_[index_of(split)]; }
  std::vector<std::uint32_t> tokens(Split split, std::uint64_t sentence, std::uint32_t which) const;

  std::uint32_t source_ = 0, target_ = 1;
  std::string moses_;  // the language of targets that Moses tokenized; "": none
  std::vector<DataFile> texts_, tokens_;
  std::unique_ptr<JointBpe> bpe_;
};

}  // namespace runner
