#include "runner/data/batches/task_data.h"

#include <array>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "runner/config/keys/task_rows.h"
#include "runner/data/tasks/example_order.h"

namespace runner {
namespace {

struct Row {
  std::string_view name;  // as in task_rows.h
  OpenTask* open;
};

constexpr std::array kRows = {
    Row{"mqar", open_mqar},
    Row{"wikitext-103", open_text},
    Row{"wikitext-2", open_text},
    Row{"tiny-shakespeare", open_text},
    Row{"text", open_text},
    Row{"lra-listops", open_set},
    Row{"lra-text", open_set},
    Row{"lra-retrieval", open_set},
    Row{"lra-image", open_set},
    Row{"lra-pathfinder", open_set},
    Row{"lra-pathx", open_set},
    Row{"classify", open_set},
    Row{"classify-pictures", open_set},
    Row{"nss", open_set},
    Row{"etc", open_set},
    Row{"pythagorean", open_set},
};
static_assert(lcsm::same_names(kRows, kTaskRows));

}  // namespace

std::vector<std::uint32_t> TaskData::training_order(const OrderRequest& request) const {
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
      lcsm::row_for(kRows, kTaskRows, config.task()).open(config, workspace);
  // The order of an epoch has 32-bit indices.
  for (const Split split : kSplits)
    if (data->examples(split) > std::numeric_limits<std::uint32_t>::max())
      throw std::invalid_argument("expected fewer than 2^32 examples, got " +
                                  std::to_string(data->examples(split)));
  return data;
}

}  // namespace runner
