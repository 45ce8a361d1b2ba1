// Roles of a run's parameters in tables and figures: which one is the seed, the learning rate, ...
// results/ knows no parameter by name; the caller provides the names.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>

namespace results {

// The parameters of a run, as text.
using Parameters = std::map<std::string, std::string, std::less<>>;

// In an attempt's environment, followed by "valid" or "test": the examples of that split.
inline constexpr std::string_view kExamplesFact = "examples.";

struct Roles {
  // Tables average over its values.
  std::string_view seed;
  // The learning rate: if it varies, its best value is chosen unless the spec says otherwise.
  std::string_view rate;
  // The configured number of steps; 0 where something else ends the run.
  std::string_view steps;
  // Parameters that may end a run, including `steps`.
  std::span<const std::string_view> budgets;
  // Selects which of a paper's numbers apply.
  std::string_view task;
  // Name the model, as the rows of papers' tables do. At least one; the first names the rows of a
  // table in which no parameter varies, or `task` if it names the columns.
  std::span<const std::string_view> models;
  // The weights that runs start from. Where each seed has its own, they distinguish no rows.
  std::string_view start = {};
  // The hash of the texts that a run was trained on. Where it is no parameter of a run, its
  // attempts may have it as a fact.
  std::string_view text = {};
  // The minutes after which a run ends; 0 where something else ends it.
  std::string_view minutes = {};
  // Returns how many examples of a split ("valid") a run was evaluated on; 0: not known. It and
  // `trained` read the run's task and the parameters in `sizes`; an evaluation's settings override
  // them. `run` also has the sizes of its splits, if it told them (kExamplesFact). Null: never
  // known.
  std::int64_t (*examples)(std::string_view split, const Parameters& run) = nullptr;
  std::span<const std::string_view> sizes = {};
  // The data that `steps` steps train on: "1024000 tokens". Null: not known.
  std::string (*trained)(std::int64_t steps, const Parameters& run) = nullptr;
  // True for parameters of the question that a run answers (its task, its budget), not of the model
  // or its training. Null: true for all.
  bool (*asks)(std::string_view parameter) = nullptr;
  // The parameter that an unknown name probably means; "" if none is near.
  std::string_view (*meant)(std::string_view name) = nullptr;
};

inline bool has_role(std::span<const std::string_view> role, std::string_view parameter) {
  return std::find(role.begin(), role.end(), parameter) != role.end();
}

}  // namespace results
