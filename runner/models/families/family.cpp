#include "runner/models/families/family.h"

#include <array>

#include "runner/config/keys/family_rows.h"

namespace runner {
namespace {

constexpr std::array kFamilies = {
    Family{"eos", put_eos, eos_cost},
    Family{"attention", put_attention, attention_cost},
    Family{"system", put_system, system_cost},
};
static_assert(lcsm::same_names(kFamilies, kFamilyRows));

}  // namespace

const Family& family_of(const RunConfig& config) {
  return lcsm::row_for(kFamilies, kFamilyRows, config.family());
}

}  // namespace runner
