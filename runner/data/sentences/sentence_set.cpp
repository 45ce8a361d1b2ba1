#include "runner/data/sentences/sentence_set.h"

#include "lcsm/files/whole_file.h"
#include "runner/base/files/json_file.h"
#include "runner/base/files/sha256.h"
#include "runner/config/keys/task_keys.h"
#include "runner/config/keys/task_row.h"
#include "runner/data/datasets/data_file_writer.h"
#include "runner/data/datasets/dataset.h"
#include "runner/data/sentences/detokenized.h"
#include "runner/data/tasks/sentence_task.h"

namespace fs = std::filesystem;

namespace runner {
namespace {

using Json = nlohmann::ordered_json;

// A run's id includes the name of every data set but the task's own.
void check_pairs(const RunConfig& config, const DataFile& file, const std::string& path) {
  if (file.shape().sequences != 2 || file.shape().element != Element::kByte ||
      file.shape().classes > 0)
    throw std::invalid_argument("'" + path + "': expected pairs of sentences, got another kind");
  if (file.examples() == 0)
    throw std::invalid_argument("'" + path + "': expected pairs of sentences, got none");
  if (config.text("task.data"_key).empty())
    require_default_set(sentence_set_name(config), file, path);
}

// Version 1: increment it when equal texts and settings would give other files.
fs::path sentence_folder(const RunConfig& config, const std::vector<FilePart>& texts,
                         const fs::path& workspace) {
  std::string key = "sentences 1\n" + std::to_string(config.integer("task.merges"_key)) + "\n";
  for (const FilePart& text : texts) key += content_of(text, workspace) + "\n";
  return token_cache(workspace) / sha256_hex(key).substr(0, 32);
}

JointBpe learned_from(const DataFile& train, std::int64_t merges) {
  WordCounts counts;
  for (std::uint64_t i = 0; i < train.examples(); ++i)
    for (std::uint32_t which = 0; which < 2; ++which)
      count_words(tokenized_text(train.sequence(i, which)), &counts);
  return {learned_merges(counts, merges), counts};
}

// Reads the file twice and writes while reading, so that no split is held in memory.
void write_tokens_of(const DataFile& texts, const fs::path& path, const std::string& recipe,
                     JointBpe* bpe) {
  const auto encoded = [&](std::uint64_t sentence, std::uint32_t which) {
    return bpe->encoded(tokenized_text(texts.sequence(sentence, which)));
  };
  std::uint64_t steps = 0;
  for (std::uint64_t i = 0; i < texts.examples(); ++i)
    for (std::uint32_t which = 0; which < 2; ++which) steps += encoded(i, which).size();
  const DataShape shape{.element = Element::kShort, .vocabulary = bpe->size(), .sequences = 2};
  DataFileWriter writer(path, shape, recipe, texts.examples(), steps);
  for (std::uint64_t i = 0; i < texts.examples(); ++i) {
    NewExample example;
    example.sequences.clear();
    for (std::uint32_t which = 0; which < 2; ++which) {
      std::string bytes;
      for (const std::uint32_t token : encoded(i, which))
        append(&bytes, static_cast<std::uint16_t>(token));
      example.sequences.push_back(std::move(bytes));
    }
    writer.add(example);
  }
  writer.keep();
}

std::string recipe_of_pairs(const JointBpe& bpe) {
  Json merges = Json::array();
  for (const auto& [left, right] : bpe.merges()) merges.push_back(left + " " + right);
  return json_line({{"name", "sentences"}, {"merges", merges}, {"symbols", bpe.symbols()}});
}

std::unique_ptr<JointBpe> read_bpe(std::string_view recipe) {
  const auto json = nlohmann::json::parse(recipe);
  std::vector<Merge> merges;
  for (const std::string merge : json.at("merges")) {
    const std::size_t blank = merge.find(' ');
    merges.emplace_back(merge.substr(0, blank), merge.substr(blank + 1));
  }
  return std::make_unique<JointBpe>(std::move(merges),
                                    json.at("symbols").get<std::vector<std::string>>());
}

}  // namespace

SentenceSet::SentenceSet(const RunConfig& config, const fs::path& workspace)
    : moses_(config.task().set.moses) {
  if (config.task().set.backward) std::swap(source_, target_);
  const std::vector<FilePart> files = sentence_files(config, workspace);
  for (const FilePart& part : files) {
    texts_.emplace_back(part.file.string());
    check_pairs(config, texts_.back(), part.file.string());
  }
  const fs::path folder = sentence_folder(config, files, workspace);
  bool all = true;
  for (const Split split : kSplits) all = all && fs::exists(split_file(folder, split));
  if (!all) {
    JointBpe bpe = learned_from(texts(Split::kTrain), config.integer("task.merges"_key));
    const std::string recipe = recipe_of_pairs(bpe);
    lcsm::create_folder(folder);
    for (const Split split : kSplits)
      write_tokens_of(texts(split), split_file(folder, split), recipe, &bpe);
  }
  for (const Split split : kSplits) tokens_.emplace_back(split_file(folder, split).string());
  bpe_ = read_bpe(tokens_[0].recipe());
}

std::vector<std::uint32_t> SentenceSet::tokens(Split split, std::uint64_t sentence,
                                               std::uint32_t which) const {
  const std::string_view bytes = tokens_[index_of(split)].sequence(sentence, which);
  std::vector<std::uint32_t> tokens(bytes.size() / bytes_of(Element::kShort));
  for (std::size_t i = 0; i < tokens.size(); ++i)
    tokens[i] = static_cast<std::uint32_t>(value_of(bytes, Element::kShort, i));
  return tokens;
}

std::vector<std::uint32_t> SentenceSet::source(Split split, std::uint64_t sentence) const {
  return tokens(split, sentence, source_);
}
std::vector<std::uint32_t> SentenceSet::target(Split split, std::uint64_t sentence) const {
  return tokens(split, sentence, target_);
}
std::uint64_t SentenceSet::source_length(Split split, std::uint64_t sentence) const {
  return tokens_[index_of(split)].steps_of(sentence, source_);
}
std::uint64_t SentenceSet::target_length(Split split, std::uint64_t sentence) const {
  return tokens_[index_of(split)].steps_of(sentence, target_);
}

std::string SentenceSet::reference(Split split, std::uint64_t sentence) const {
  return std::string(tokenized_text(texts(split).sequence(sentence, target_)));
}

std::string SentenceSet::published(Split split, std::uint64_t sentence) const {
  const std::string_view stored = texts(split).sequence(sentence, target_),
                         published = published_text(stored);
  return published.empty() ? plain(std::string(stored)) : std::string(published);
}

std::string SentenceSet::text_of(const std::vector<std::uint32_t>& tokens) const {
  return bpe_->decoded(tokens);
}

std::string SentenceSet::plain(const std::string& text) const {
  return moses_.empty() ? text : detokenized(text, moses_);
}

std::vector<std::uint32_t> SentenceSet::encoded(const std::string& text) const {
  return bpe_->encoded(text);
}

}  // namespace runner
