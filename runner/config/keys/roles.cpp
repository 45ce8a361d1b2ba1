#include "runner/config/keys/roles.h"

#include <array>

#include "runner/config/keys/eval_keys.h"
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

bool asks(std::string_view key) {
  return key.starts_with("task.") || key.starts_with("eval.") || results::has_role(kBudgets, key);
}

}  // namespace

constinit const results::Roles kRoles = {.seed = kNameOf<"seed"_key>,
                                         .rate = kNameOf<"optim.lr"_key>,
                                         .steps = kNameOf<"optim.steps"_key>,
                                         .budgets = kBudgets,
                                         .task = kNameOf<"task.name"_key>,
                                         .models = kModels,
                                         .valid_size = kNameOf<"task.valid"_key>,
                                         .test_size = kNameOf<"task.test"_key>,
                                         .evaluated = kNameOf<"eval.examples"_key>,
                                         .asks = asks,
                                         .meant = nearest_key};

}  // namespace runner
