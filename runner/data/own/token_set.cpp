#include "runner/data/own/token_set.h"

#include <memory>

#include "lcsm/files/whole_file.h"
#include "runner/base/files/json_file.h"
#include "runner/base/files/mapped_file.h"
#include "runner/base/files/sha256.h"
#include "runner/config/keys/task_keys.h"
#include "runner/data/datasets/data_file_writer.h"
#include "runner/data/own/own_vocabulary.h"
#include "runner/data/tasks/set_task.h"
#include "runner/data/tokens/gpt2_bpe.h"
#include "runner/data/tokens/tokenizer.h"

namespace fs = std::filesystem;

namespace runner {
namespace {

// Encodes the texts of an example as one sequence.
class ExampleEncoder {
 public:
  virtual ~ExampleEncoder() = default;
  virtual std::uint32_t size() const = 0;
  virtual Element element() const = 0;
  virtual std::string encoded(const std::vector<std::string>& texts) = 0;
  virtual std::vector<std::string> names() const { return {}; }
};

// a; or a, the separator, b.
class OwnEncoder : public ExampleEncoder {
 public:
  OwnEncoder(const RunConfig& config, const std::vector<std::string_view>& train, bool pairs)
      : vocabulary_(config.text("task.tokens"_key), train, config.integer("task.rarest"_key),
                    pairs) {}
  std::uint32_t size() const override { return vocabulary_.size(); }
  Element element() const override { return vocabulary_.element(); }
  std::vector<std::string> names() const override { return vocabulary_.names(); }
  std::string encoded(const std::vector<std::string>& texts) override {
    std::string all = vocabulary_.encoded(texts[0]);
    if (texts.size() > 1) all += vocabulary_.separator() + vocabulary_.encoded(texts[1]);
    return all;
  }

 private:
  OwnVocabulary vocabulary_;
};

// a </s>; or a </s> </s> b </s>, as RoBERTa without its <s>.
class Gpt2Encoder : public ExampleEncoder {
 public:
  explicit Gpt2Encoder(const Gpt2Files& files)
      : tokenizer_(gpt2_tokenizer(MappedFile(files.merges.string()).bytes(),
                                  MappedFile(files.dictionary.string()).bytes())) {}
  std::uint32_t size() const override { return tokenizer_->size(); }
  Element element() const override { return Element::kShort; }
  std::string encoded(const std::vector<std::string>& texts) override {
    std::vector<std::uint32_t> tokens;
    for (const std::string& text : texts) {
      if (!tokens.empty()) tokens.push_back(kFairseqEnd);
      tokenizer_->encode(text, tokens);
      if (text.empty()) tokens.push_back(kFairseqEnd);
    }
    std::string all;
    for (const std::uint32_t token : tokens) append(&all, static_cast<std::uint16_t>(token));
    return all;
  }

 private:
  std::unique_ptr<Tokenizer> tokenizer_;
};

// Version 1: increment it when equal texts and settings would give other files.
fs::path folder_of(const RunConfig& config, const std::vector<FilePart>& texts,
                   const fs::path& workspace) {
  std::string key = "token set 1\n" + config.text("task.tokens"_key) + "\n" +
                    std::to_string(config.integer("task.rarest"_key)) + "\n";
  for (const FilePart& text : texts) key += content_of(text, workspace) + "\n";
  if (config.is("task.tokens"_key, "gpt2")) {
    const Gpt2Files files = find_gpt2_files(workspace);
    for (const fs::path& file : {files.merges, files.dictionary})
      key += content_of({file, 0, fs::file_size(file)}, workspace) + "\n";
  }
  return token_cache(workspace) / sha256_hex(key).substr(0, 32);
}

std::vector<NewExample> examples_of(const FilePart& part) {
  const DataFile file(part.file.string());
  std::vector<NewExample> examples;
  for (std::uint64_t i = 0; i < file.examples(); ++i) examples.push_back(read_example(file, i));
  return examples;
}

std::unique_ptr<ExampleEncoder> encoder_of(const RunConfig& config, const FilePart& train,
                                           const fs::path& workspace) {
  if (config.is("task.tokens"_key, "gpt2"))
    return std::make_unique<Gpt2Encoder>(find_gpt2_files(workspace));
  const DataFile file(train.file.string());
  std::vector<std::string_view> texts;
  for (std::uint64_t i = 0; i < file.examples(); ++i)
    for (std::uint32_t which = 0; which < file.shape().sequences; ++which)
      texts.push_back(file.sequence(i, which));
  return std::make_unique<OwnEncoder>(config, texts, file.shape().sequences > 1);
}

void write_token_set(const RunConfig& config, const std::vector<FilePart>& texts,
                     const fs::path& folder, const fs::path& workspace) {
  const std::unique_ptr<ExampleEncoder> encoder = encoder_of(config, texts[0], workspace);
  lcsm::create_folder(folder);
  for (const Split split : kSplits) {
    const FilePart& from = texts[index_of(split)];
    const DataFile file(from.file.string());
    auto recipe = nlohmann::ordered_json::parse(file.recipe());
    recipe["tokens"] = config.text("task.tokens"_key);
    recipe["vocabulary"] = encoder->names();
    std::vector<NewExample> examples = examples_of(from);
    for (NewExample& example : examples) example.sequences = {encoder->encoded(example.sequences)};
    write_examples(split_file(folder, split),
                   {.element = encoder->element(),
                    .vocabulary = encoder->size(),
                    .classes = file.shape().classes},
                   json_line(recipe), examples);
  }
}

}  // namespace

std::vector<FilePart> token_set_files(const RunConfig& config, const fs::path& workspace) {
  const std::vector<FilePart> texts = set_files(config, workspace);
  if (!is_tokenized(config)) return texts;
  const fs::path folder = folder_of(config, texts, workspace);
  std::vector<FilePart> files;
  bool all = true;
  for (const Split split : kSplits) {
    files.push_back({split_file(folder, split), 0, 0});
    all = all && fs::exists(files.back().file);
  }
  if (!all) write_token_set(config, texts, folder, workspace);
  for (FilePart& file : files) file.end = fs::file_size(file.file);
  return files;
}

}  // namespace runner
