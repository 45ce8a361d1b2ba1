#include "runner/tasks/set_task.h"

#include <stdexcept>

#include "lcsm/base/row_names.h"

namespace fs = std::filesystem;

namespace runner {
namespace {

std::string name_of(const RunConfig& config) {
  const std::string& named = config.text("task.data");
  return named.empty() ? std::string(config.task().data) : named;
}

bool has_all(const fs::path& folder) {
  for (const Split split : kSplits) {
    std::error_code none;
    if (!fs::is_regular_file(folder / (std::string(to_string(split)) + ".set"), none)) return false;
  }
  return true;
}

}  // namespace

const SetRow& set_row(const RunConfig& config) {
  const SetRow* row = lcsm::row_named(kSetRows, config.task().data);
  if (row == nullptr) throw std::logic_error(std::string(config.task().name) + " reads no set");
  return *row;
}

TaskCount set_vocabulary(const RunConfig& config) { return {set_row(config).vocabulary, true}; }

TaskCount set_examples(const RunConfig& config, Split split) {
  return {set_row(config).examples[index_of(split)], config.text("task.data").empty()};
}

std::int64_t set_scored(const RunConfig& config) { return set_row(config).scored; }

std::vector<FilePart> set_files(const RunConfig& config, const fs::path& workspace) {
  const std::string name = name_of(config);
  std::string places;
  for (const fs::path& data : data_folders(workspace)) {
    const fs::path folder = data / name;
    if (has_all(folder)) {
      std::vector<FilePart> files;
      for (const Split split : kSplits) {
        const fs::path file = folder / (std::string(to_string(split)) + ".set");
        files.push_back({file, 0, fs::file_size(file)});
      }
      return files;
    }
    places += (places.empty() ? "'" : ", '") + folder.string() + "'";
  }
  const std::string as = name == set_row(config).name ? "" : " --as " + name;
  throw DataMissing(name + " needs train.set, valid.set and test.set, got none in " + places +
                    ": `" + std::string(set_row(config).had_by) + as + "` brings them");
}

void require_set(const RunConfig& config, const fs::path& workspace) {
  set_files(config, workspace);
}

}  // namespace runner
