#include "runner/training/task_data.h"

#include <array>
#include <limits>
#include <stdexcept>

namespace runner {
namespace {

struct Row {
  std::string_view name;  // as in task_rows.h
  OpenTask* open;
};

constexpr std::array kRows = {
    Row{"mqar", open_mqar},       Row{"wikitext-103", open_text},
    Row{"wikitext-2", open_text}, Row{"tiny-shakespeare", open_text},
    Row{"text", open_text},
};
static_assert(lcsm::same_names(kRows, kTaskRows));

}  // namespace

std::unique_ptr<TaskData> open_task(const RunConfig& config,
                                    const std::filesystem::path& workspace) {
  std::unique_ptr<TaskData> data =
      lcsm::row_for(kRows, kTaskRows, config.task()).open(config, workspace);
  // The order of an epoch has 32-bit indices.
  for (const Split split : kSplits)
    if (data->examples(split) > std::numeric_limits<std::uint32_t>::max())
      throw std::invalid_argument("expected fewer than 2^32 examples, got " +
                                  std::to_string(data->examples(split)));
  return data;
}

}  // namespace runner
