#include "runner/data/own/data_sizes.h"

#include "runner/data/datasets/data_file.h"
#include "runner/data/tasks/set_task.h"

namespace runner {

std::optional<DataSizes> data_sizes(const RunConfig& config,
                                    const std::filesystem::path& workspace) {
  if (!reads_set(config)) return {};
  try {
    DataSizes sizes;
    const std::vector<FilePart> files = set_files(config, workspace);
    for (const Split split : kSplits) {
      const DataFile file(files[index_of(split)].file.string());
      sizes.examples[index_of(split)] = static_cast<std::int64_t>(file.examples());
      const std::uint64_t sequences = file.examples() * file.shape().sequences;
      if (split == Split::kTrain && sequences > 0)
        sizes.mean_length = static_cast<double>(file.steps()) / static_cast<double>(sequences);
    }
    return sizes;
  } catch (const std::exception&) {
    return {};  // the run reports the error
  }
}

}  // namespace runner
