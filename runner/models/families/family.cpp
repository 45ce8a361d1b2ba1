#include "runner/models/families/family.h"

#include <array>

#include "lcsm/code/plan.h"
#include "lcsm/cuda/chunk/chunk_cuda.h"
#include "lcsm/cuda/scan/scan_cuda.h"
#include "runner/config/keys/family_rows.h"
#include "runner/config/keys/model_keys.h"

namespace runner {
namespace {

constexpr std::array kFamilies = {
    Family{"eos", put_eos, eos_cost, eos_state},
    Family{"attention", put_attention, attention_cost, attention_state},
    Family{"system", put_system, system_cost, system_state},
};
static_assert(lcsm::same_names(kFamilies, kFamilyRows));

}  // namespace

void TokenCost::add(const lcsm::Mixing& recurrence) {
  using enum lcsm::Machine;
  pairs += recurrence.pairs;
  const std::string& machine = recurrence.machine;
  if (machine.find("scan") != std::string::npos) {
    scanned += recurrence.flops;
    memories += recurrence.state / lcsm::kScanSteps;
  } else if (machine == to_string(kChunk) || machine == to_string(kDelta) ||
             machine.find("matrix products") != std::string::npos) {
    memories += recurrence.state / lcsm::kChunkRows;
  }
}

const Family& family_of(const RunConfig& config) {
  return lcsm::row_for(kFamilies, kFamilyRows, config.family());
}

double state_of(const ModelPlan& plan) {
  const Family& family = family_of(plan.config);
  const auto layers = static_cast<std::size_t>(plan.config.integer("model.layers"_key));
  double state = 0;
  for (std::size_t layer = 0; layer < layers; ++layer) state += family.state(plan, layer);
  return state;
}

}  // namespace runner
