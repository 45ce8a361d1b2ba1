// Assigns the keys of a configuration their roles in tables and figures.
#pragma once

#include <array>
#include <string_view>

#include "results/tables/roles.h"
#include "runner/config/keys/config_keys.h"

namespace runner {

namespace role_keys {

constexpr std::string_view name_of(AnyKey key) {
  return kConfigKeys[static_cast<std::size_t>(key.index)].name;
}
inline constexpr std::array kBudgets = {name_of("optim.steps"), name_of("optim.epochs"),
                                        name_of("optim.tokens"), name_of("optim.minutes")};
inline constexpr std::array kModels = {name_of("model.code"), name_of("model.system"),
                                       name_of("model.family")};

}  // namespace role_keys

inline constexpr results::Roles kRoles = {.seed = role_keys::name_of("seed"),
                                          .rate = role_keys::name_of("optim.lr"),
                                          .steps = role_keys::name_of("optim.steps"),
                                          .budgets = role_keys::kBudgets,
                                          .task = role_keys::name_of("task.name"),
                                          .models = role_keys::kModels,
                                          .meant = nearest_key};

}  // namespace runner
