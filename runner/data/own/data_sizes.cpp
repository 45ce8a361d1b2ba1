#include "runner/data/own/data_sizes.h"

#include "runner/config/keys/task_keys.h"
#include "runner/data/datasets/data_file.h"
#include "runner/data/tasks/sentence_task.h"
#include "runner/data/tasks/set_task.h"
#include "runner/data/tasks/task.h"

namespace runner {

std::optional<DataSizes> data_sizes(const RunConfig& config,
                                    const std::filesystem::path& workspace) {
  const bool translates = reads_sentences(config);
  if (!reads_set(config) && !translates) return {};
  try {
    DataSizes sizes;
    const std::vector<FilePart> files = task_of(config).files(config, workspace);
    for (const Split split : kSplits) {
      const DataFile file(files[index_of(split)].file.string());
      sizes.examples[index_of(split)] = static_cast<std::int64_t>(file.examples());
      if (split == Split::kTrain && translates)
        sizes.examples[0] = bundles_in(config, sizes.examples[0]);
      // The texts of a pair become one sequence.
      const std::uint64_t sequences =
          file.examples() * (is_tokenized(config) ? 1 : file.shape().sequences);
      if (split == Split::kTrain && sequences > 0)
        sizes.mean_length = static_cast<double>(file.steps()) / static_cast<double>(sequences);
    }
    sizes.mean_length /= bytes_of_step(config);
    return sizes;
  } catch (const std::exception&) {
    return {};  // the run reports the error
  }
}

}  // namespace runner
