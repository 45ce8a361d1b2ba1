#include "runner/data/tasks/text_task.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <numeric>

#include "lcsm/files/whole_file.h"
#include "runner/base/files/content_hash.h"
#include "runner/base/files/sha256.h"
#include "runner/config/keys/task_keys.h"
#include "runner/config/keys/task_row.h"
#include "runner/data/tasks/segments.h"
#include "runner/data/tasks/task.h"
#include "runner/data/tokens/gpt2_bpe.h"

namespace fs = std::filesystem;

namespace runner {
namespace {

std::string_view text_of(const MappedFile& file, const FilePart& part) {
  return file.bytes().substr(part.begin, part.end - part.begin);
}

// A tokenizer, built when a text is not in the cache, and its dependencies.
class LateTokenizer {
 public:
  LateTokenizer(const RunConfig& config, const FilePart& train, const fs::path& workspace) {
    const std::string& kind = config.text("task.tokens"_key);
    key_ = kind;
    if (kind == "bytes") {
      build_ = byte_tokenizer;
    } else if (kind.ends_with("words")) {
      const WordOrder order = kind == "words" ? WordOrder::kAppearance : WordOrder::kFrequency;
      key_ += " " + content_of(train, workspace);
      build_ = [train, order] {
        const MappedFile text(train.file.string());
        return word_tokenizer(text_of(text, train), order);
      };
    } else {
      const Gpt2Files files = find_gpt2_files(workspace);
      for (const fs::path& file : {files.merges, files.dictionary})
        key_ += " " + content_hash(file.string(), token_cache(workspace).string());
      build_ = [files] {
        return gpt2_tokenizer(MappedFile(files.merges.string()).bytes(),
                              MappedFile(files.dictionary.string()).bytes());
      };
    }
  }

  const std::string& key() const { return key_; }
  Tokenizer& get() {
    if (!made_) made_ = build_();
    return *made_;
  }
  std::unique_ptr<Tokenizer> make() const { return build_(); }

 private:
  std::string key_;
  std::function<std::unique_ptr<Tokenizer>()> build_;
  std::unique_ptr<Tokenizer> made_;
};

// Version 1: increment it when an equal text and tokenizer would give another file.
std::string cache_file(const FilePart& part, const LateTokenizer& tokenizer,
                       const fs::path& workspace) {
  const std::string key =
      "tokens 1\n" + tokenizer.key() + "\n" + content_of(part, workspace) + "\n";
  return (token_cache(workspace) / (sha256_hex(key).substr(0, 32) + ".tokens")).string();
}

// `made` finds the tokenizer's key anew: a text that changed while it was read is refused.
TokenFile tokens_of(const FilePart& part, LateTokenizer& tokenizer, const fs::path& workspace,
                    const std::function<LateTokenizer()>& made) {
  const std::string path = cache_file(part, tokenizer, workspace);
  try {
    return TokenFile(path);
  } catch (const std::runtime_error&) {
    // missing or damaged
  }
  const MappedFile file(part.file.string());
  write_tokens(path, text_of(file, part), tokenizer.get(), [&] {
    if (cache_file(part, made(), workspace) != path)
      throw std::runtime_error("'" + part.file.string() +
                               "': expected a text that stays as it is, but it was changed while "
                               "it was read: run again");
  });
  return TokenFile(path);
}

}  // namespace

TaskCount text_vocabulary(const RunConfig& config) {
  if (config.is("task.tokens"_key, "bytes")) return {kByteTokens, true};
  if (config.is("task.tokens"_key, "gpt2")) return {kFairseqSize, true};
  return {std::llround(text_row(config).about.vocabulary) + (config.predicts_next() ? 0 : 1),
          false};
}

TaskCount text_examples(const RunConfig& config, Split split) {
  const TextSize& about = text_row(config).about;
  const double train = config.is("task.tokens"_key, "bytes")  ? about.bytes
                       : config.is("task.tokens"_key, "gpt2") ? about.gpt2
                                                              : about.words;
  const double tokens = split == Split::kTrain ? train : train * about.held_out;
  const double length = split == Split::kTrain
                            ? mean_length(config)
                            : static_cast<double>(config.integer("task.length"_key));
  return {std::max<std::int64_t>(1, static_cast<std::int64_t>(tokens / length)), false};
}

std::int64_t text_scored(const RunConfig& config) {
  const std::int64_t length = std::llround(mean_length(config));
  return config.predicts_next() ? length : Masking{config.real("task.masked"_key)}.count(length);
}

std::int64_t mask_token(const RunConfig& config, std::int64_t vocabulary) {
  if (config.is("task.tokens"_key, "bytes")) return kByteTokens - 1;
  return config.is("task.tokens"_key, "gpt2") ? kFairseqSize - 1 : vocabulary;
}

std::int64_t Masking::count(std::int64_t length) const {
  return std::max<std::int64_t>(1, std::llround(share * static_cast<double>(length)));
}

std::vector<std::int64_t> Masking::hide(std::span<std::int32_t> tokens, RandomStream random) const {
  std::vector<std::int64_t> positions(tokens.size());
  std::iota(positions.begin(), positions.end(), 0);
  const auto hidden = static_cast<std::size_t>(count(static_cast<std::int64_t>(tokens.size())));
  for (std::size_t i = 0; i < hidden; ++i)
    std::swap(positions[i], positions[i + random.below(positions.size() - i)]);
  positions.resize(hidden);
  std::sort(positions.begin(), positions.end());
  for (const std::int64_t at : positions) {
    std::int32_t& token = tokens[static_cast<std::size_t>(at)];
    const std::uint64_t tenth = random.below(10);
    if (tenth < 8) token = static_cast<std::int32_t>(mask);
    if (tenth == 8)
      token = static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(vocabulary)));
  }
  return positions;
}

std::vector<FilePart> text_files(const RunConfig& config, const fs::path& workspace) {
  const TextParts parts = find_texts(config, workspace);
  return {parts.begin(), parts.end()};
}

void require_text(const RunConfig& config, const fs::path& workspace) {
  find_texts(config, workspace);
  if (config.is("task.tokens"_key, "gpt2")) find_gpt2_files(workspace);
}

TextTokens text_tokens(const RunConfig& config, const fs::path& workspace) {
  const TextParts parts = find_texts(config, workspace);
  lcsm::create_folder(token_cache(workspace));
  const auto make = [&] { return LateTokenizer(config, parts[0], workspace); };
  LateTokenizer tokenizer = make();
  const auto tokens = [&](const FilePart& part) {
    return tokens_of(part, tokenizer, workspace, make);
  };
  TextTokens all = {tokens(parts[0]), tokens(parts[1]), tokens(parts[2])};
  RunConfig now = config;  // the text may have been edited since its content was pinned
  if (!config.text("task.content"_key).empty()) pin_content(now, workspace);
  return all;
}

std::unique_ptr<Tokenizer> text_tokenizer(const RunConfig& config, const fs::path& workspace) {
  return LateTokenizer(config, find_texts(config, workspace)[0], workspace).make();
}

TextBlocks::TextBlocks(const TokenFile& tokens, std::int64_t length)
    : tokens_(tokens), length_(static_cast<std::uint64_t>(length)) {}

std::uint64_t TextBlocks::whole() const { return tokens_.size() / length_; }

std::uint64_t TextBlocks::count() const { return (tokens_.size() + length_ - 1) / length_; }

std::int64_t TextBlocks::copy(std::uint64_t from, std::span<std::int32_t> inputs,
                              std::span<std::int32_t> targets) const {
  const std::size_t size = std::min<std::uint64_t>(targets.size(), tokens_.size() - from);
  tokens_.copy(from, targets.first(size));
  inputs[0] = static_cast<std::int32_t>(tokens_.boundary());
  if (from > 0) tokens_.copy(from - 1, inputs.first(1));
  std::copy(targets.begin(), targets.begin() + static_cast<std::ptrdiff_t>(size) - 1,
            inputs.begin() + 1);
  return static_cast<std::int64_t>(size);
}

}  // namespace runner
