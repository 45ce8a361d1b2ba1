#include "runner/data/tasks/sentence_task.h"

#include <cmath>

#include "runner/config/keys/task_keys.h"
#include "runner/config/keys/task_row.h"
#include "runner/data/tasks/set_task.h"

namespace fs = std::filesystem;

namespace runner {

bool reads_sentences(const RunConfig& config) { return config.task().reader == "sentences"; }

std::string sentence_set_name(const RunConfig& config) {
  const std::string& named = config.text("task.data"_key);
  return named.empty() ? std::string(stored_name(config.task())) : named;
}

std::string_view tokenized_text(std::string_view stored) {
  return stored.substr(0, stored.find('\n'));
}

std::string_view published_text(std::string_view stored) {
  const std::size_t end = stored.find('\n');
  return end == std::string_view::npos ? std::string_view() : stored.substr(end + 1);
}

TaskCount sentence_vocabulary(const RunConfig& config) {
  return {config.task().set.vocabulary, false};
}

std::int64_t bundles_in(const RunConfig& config, std::int64_t sentences) {
  const std::int64_t bundle = config.integer("task.bundle"_key);
  if (bundle == 0) return sentences;
  const double tokens = static_cast<double>(sentences) * config.task().set.words;
  return std::llround(std::ceil(tokens / static_cast<double>(bundle)));
}

TaskCount sentence_examples(const RunConfig& config, Split split) {
  const std::int64_t sentences = config.task().set.examples[index_of(split)];
  const bool bundled = split == Split::kTrain && config.integer("task.bundle"_key) > 0;
  return {bundled ? bundles_in(config, sentences) : sentences,
          !bundled && config.text("task.data"_key).empty()};
}

std::int64_t sentence_scored(const RunConfig& config) {
  const std::int64_t bundle = config.integer("task.bundle"_key);
  return bundle > 0 ? bundle : std::llround(config.task().set.words);
}

std::vector<FilePart> sentence_files(const RunConfig& config, const fs::path& workspace) {
  return named_set_files(config, sentence_set_name(config), workspace);
}

void require_sentences(const RunConfig& config, const fs::path& workspace) {
  sentence_files(config, workspace);
}

}  // namespace runner
