#include "runner/tasks/text_task.h"

#include <algorithm>
#include <filesystem>
#include <functional>

#include "runner/files/content_hash.h"
#include "runner/files/sha256.h"
#include "runner/tasks/data_search.h"
#include "runner/workspace/folder.h"

namespace fs = std::filesystem;

namespace runner {
namespace {

std::string_view text_of(const MappedFile& file, const TextPart& part) {
  return file.bytes().substr(part.begin, part.end - part.begin);
}

// What the tokens of a part depend on.
std::string content_of(const TextPart& part, const std::string& cache) {
  return content_hash(part.file.string(), cache) + " " + std::to_string(part.begin) + " " +
         std::to_string(part.end);
}

// A tokenizer that is built when the first text has no tokens yet, and what it depends on.
class LateTokenizer {
 public:
  LateTokenizer(const RunConfig& config, const TextPart& train, const std::string& cache) {
    const std::string& kind = config.text("task.tokens");
    key_ = kind;
    if (kind == "bytes") {
      build_ = byte_tokenizer;
    } else if (kind == "words") {
      key_ += " " + content_of(train, cache);
      build_ = [train] {
        const MappedFile text(train.file.string());
        return word_tokenizer(text_of(text, train));
      };
    } else {
      const Gpt2Files files = find_gpt2_files();
      for (const fs::path& file : {files.merges, files.dictionary})
        key_ += " " + content_hash(file.string(), cache);
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

 private:
  std::string key_;
  std::function<std::unique_ptr<Tokenizer>()> build_;
  std::unique_ptr<Tokenizer> made_;
};

// 1: goes up when the same text and tokenizer would give another file.
std::string cache_file(const TextPart& part, const LateTokenizer& tokenizer,
                       const std::string& cache) {
  const std::string key = "tokens 1\n" + tokenizer.key() + "\n" + content_of(part, cache) + "\n";
  return (fs::path(cache) / (sha256_hex(key).substr(0, 32) + ".tokens")).string();
}

TokenFile tokens_of(const TextPart& part, LateTokenizer& tokenizer, const std::string& cache) {
  const std::string path = cache_file(part, tokenizer, cache);
  try {
    return TokenFile(path);
  } catch (const std::runtime_error&) {
    // none yet, or damaged
  }
  const MappedFile file(part.file.string());
  write_tokens(path, text_of(file, part), tokenizer.get());
  return TokenFile(path);
}

}  // namespace

TextTokens text_tokens(const RunConfig& config, const std::string& cache) {
  const TextParts parts = find_texts(config);
  fs::create_directories(cache);
  LateTokenizer tokenizer(config, parts.train, cache);
  return {tokens_of(parts.train, tokenizer, cache), tokens_of(parts.valid, tokenizer, cache),
          tokens_of(parts.test, tokenizer, cache)};
}

std::string token_cache() { return (workspace_folder() / "data" / "tokens").string(); }

void pin_content(RunConfig& config, const std::string& cache) {
  if (!config.at(key_index("task.content")).used) return;
  const TextParts parts = find_texts(config);
  std::string all;
  for (const TextPart* part : {&parts.train, &parts.valid, &parts.test})
    all += content_of(*part, cache) + "\n";
  const std::string found = sha256_hex(all), told = config.text("task.content");
  if (!told.empty() && told != found)
    throw std::invalid_argument("task.content: expected " + told + ", but the texts of '" +
                                config.text("task.path") + "' have " + found +
                                ": they are others than the run was made for");
  if (told.empty()) config.set_content(found);
}

TextBlocks::TextBlocks(const TokenFile& tokens, std::int64_t length)
    : tokens_(tokens), length_(static_cast<std::uint64_t>(length)) {}

std::uint64_t TextBlocks::whole() const { return tokens_.size() / length_; }

std::uint64_t TextBlocks::count() const { return (tokens_.size() + length_ - 1) / length_; }

std::int64_t TextBlocks::copy(std::uint64_t i, std::span<std::int32_t> inputs,
                              std::span<std::int32_t> targets) const {
  const std::uint64_t from = i * length_;
  const std::size_t size = std::min(length_, tokens_.size() - from);
  tokens_.copy(from, targets.first(size));
  inputs[0] = static_cast<std::int32_t>(tokens_.boundary());
  if (from > 0) tokens_.copy(from - 1, inputs.first(1));
  std::copy(targets.begin(), targets.begin() + static_cast<std::ptrdiff_t>(size) - 1,
            inputs.begin() + 1);
  return static_cast<std::int64_t>(size);
}

}  // namespace runner
