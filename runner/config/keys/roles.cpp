#include "runner/config/keys/roles.h"

#include <array>

#include "runner/config/keys/model_keys.h"
#include "runner/config/keys/optim_keys.h"
#include "runner/config/keys/run_keys.h"
#include "runner/config/keys/task_keys.h"

namespace runner {
namespace {

constexpr std::array kBudgets = {kNameOf<"optim.steps"_key>, kNameOf<"optim.epochs"_key>,
                                 kNameOf<"optim.tokens"_key>, kNameOf<"optim.minutes"_key>};
constexpr std::array kModels = {kNameOf<"model.code"_key>, kNameOf<"model.system"_key>,
                                kNameOf<"model.family"_key>};

}  // namespace

constinit const results::Roles kRoles = {.seed = kNameOf<"seed"_key>,
                                         .rate = kNameOf<"optim.lr"_key>,
                                         .steps = kNameOf<"optim.steps"_key>,
                                         .budgets = kBudgets,
                                         .task = kNameOf<"task.name"_key>,
                                         .models = kModels,
                                         .meant = nearest_key};

}  // namespace runner
