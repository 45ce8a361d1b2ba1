#include "runner/data/batches/task_data.h"

#include <array>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "runner/config/keys/task_rows.h"
#include "runner/data/tasks/example_order.h"

namespace runner {
namespace {

struct Opener {
  std::string_view name;  // TaskRow::reader
  OpenTask* open;
};

constexpr std::array kOpeners = {
    Opener{"mqar", open_mqar},
    Opener{"text", open_text},
    Opener{"set", open_set},
    Opener{"sentences", open_sentences},
};
static_assert(has_rows(kOpeners, &TaskRow::reader), "each task's reader needs a function here");

}  // namespace

std::vector<std::uint32_t> TaskData::training_order(const OrderRequest& request) const {
  if (request.consecutive)
    return consecutive_order(static_cast<std::uint32_t>(examples(Split::kTrain)),
                             static_cast<std::uint32_t>(request.batch));
  return example_order(request.shuffled, static_cast<std::uint32_t>(examples(Split::kTrain)),
                       request.seed, request.epoch);
}

std::vector<std::uint32_t> TaskData::evaluation_order(Split split) const {
  std::vector<std::uint32_t> order(static_cast<std::size_t>(examples(split)));
  std::iota(order.begin(), order.end(), 0u);
  return order;
}

std::unique_ptr<TaskData> open_task(const RunConfig& config,
                                    const std::filesystem::path& workspace) {
  std::unique_ptr<TaskData> data =
      lcsm::row_named(kOpeners, config.task().reader)->open(config, workspace);
  // The order of an epoch has 32-bit indices.
  for (const Split split : kSplits)
    if (data->examples(split) > std::numeric_limits<std::uint32_t>::max())
      throw std::invalid_argument("expected fewer than 2^32 examples, got " +
                                  std::to_string(data->examples(split)));
  return data;
}

}  // namespace runner
