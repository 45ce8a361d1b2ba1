#include "runner/data/tasks/task.h"

#include <array>

#include "runner/base/files/sha256.h"
#include "runner/config/keys/task_keys.h"
#include "runner/config/keys/task_rows.h"
#include "runner/data/tasks/mqar.h"
#include "runner/data/tasks/sentence_task.h"
#include "runner/data/tasks/set_task.h"
#include "runner/data/tasks/text_task.h"

namespace runner {
namespace {

std::vector<FilePart> no_files(const RunConfig&, const std::filesystem::path&) { return {}; }
void require_nothing(const RunConfig&, const std::filesystem::path&) {}

constexpr std::array kTaskReaders = {
    Task{"mqar", mqar_vocabulary, mqar_examples, mqar_scored, no_files, require_nothing},
    Task{"text", text_vocabulary, text_examples, text_scored, text_files, require_text},
    Task{"set", set_vocabulary, set_examples, set_scored, set_files, require_set},
    Task{"sentences", sentence_vocabulary, sentence_examples, sentence_scored, sentence_files,
         require_sentences},
};
static_assert(has_rows(kTaskReaders, &TaskRow::reader), "each task needs a reader");

}  // namespace

const Task& task_of(const RunConfig& config) {
  return *lcsm::row_named(kTaskReaders, config.task().reader);
}

std::string content_of_files(const RunConfig& config, const std::filesystem::path& workspace) {
  std::string all;
  for (const FilePart& part : task_of(config).files(config, workspace))
    all += content_of(part, workspace) + "\n";
  return sha256_hex(all);
}

void pin_content(RunConfig& config, const std::filesystem::path& workspace) {
  if (config.needs_content()) set_found_content(config, content_of_files(config, workspace));
}

void set_found_content(RunConfig& config, const std::string& found) {
  const bool named = config.at("task.data"_key).used;
  const std::string configured = config.text("task.content"_key);
  if (!configured.empty() && configured != found)
    throw std::invalid_argument("task.content: expected " + configured + ", but the data of '" +
                                config.text(named ? "task.data"_key : "task.path"_key) + "' has " +
                                found + ": the run was configured for other texts");
  if (configured.empty()) config.set_content(found);
}

}  // namespace runner
