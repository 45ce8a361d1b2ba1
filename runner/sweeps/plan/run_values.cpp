#include "runner/sweeps/plan/run_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

#include "lcsm/base/words.h"
#include "results/store/run_facts.h"
#include "results/tables/table_values.h"
#include "results/text/number_text.h"
#include "runner/config/keys/config_keys.h"
#include "runner/config/keys/roles.h"

namespace runner {
namespace {

using Ids = std::set<std::string>;

// Properties of a run that are not parameters.
constexpr std::array<std::string_view, 3> kOtherKeys = {"tag", "sweep", "state"};
constexpr std::size_t kMostListed = 6, kMostKeys = 4;

bool is_key(std::string_view name) {
  return key_index(name) >= 0 ||
         std::find(kOtherKeys.begin(), kOtherKeys.end(), name) != kOtherKeys.end();
}

bool is_in_state(results::RunState state, const std::string& name) {
  return name_of(state) == name || name_of(counted_as(state)) == name;
}

Ids runs_with_one(results::Database& database, const RunStates& states,
                  const results::ModelNames& names, const std::string& key,
                  const std::string& value) {
  if (key == "tag") return results::runs_tagged(database, value);
  if (key == "sweep") return results::runs_of_sweep(database, value);
  Ids ids;
  if (key == "state") {
    for (const auto& [id, status] : states)
      if (is_in_state(status.state, value)) ids.insert(id);
    return ids;
  }
  results::Statement select(
      database, "SELECT id, value FROM runs JOIN parameters USING (run) WHERE key = ?", key);
  while (select.step())
    if (results::same_value(select.text(1), value)) ids.insert(select.text(0));
  if (key == kRoles.models[0])
    for (const auto& [id, name] : names)
      if (results::same_value(name, value)) ids.insert(id);
  return ids;
}

// The different values of a parameter among these runs.
std::vector<std::string> values_of(results::Database& database, const std::string& key,
                                   const Ids& ids) {
  std::vector<std::string> values;
  results::Statement select(
      database, "SELECT id, value FROM runs JOIN parameters USING (run) WHERE key = ? ORDER BY id",
      key);
  while (select.step())
    if (ids.contains(select.text(0)) &&
        std::find(values.begin(), values.end(), select.text(1)) == values.end())
      values.push_back(select.text(1));
  std::sort(values.begin(), values.end(), results::natural_less);
  return values;
}

std::string first_of(std::vector<std::string> values, std::size_t most) {
  if (values.size() > most) values.resize(most), values.emplace_back("...");
  return lcsm::joined(values);
}

}  // namespace

bool has_run_values(const std::string& word) { return word.find('=') != std::string::npos; }

RunValues run_values(const std::string& word) {
  RunValues values;
  for (std::size_t start = 0; start <= word.size();) {
    const std::size_t comma = std::min(word.find(',', start), word.size());
    std::string_view value = std::string_view(word).substr(start, comma - start);
    const std::string_view piece = lcsm::trimmed(value);
    const std::string key(lcsm::trimmed(lcsm::take_until(&value, '=')));
    start = comma + 1;
    // Options of a code contain both signs: 1-4-1-4@tau=8,k=64.
    const bool of_code = !values.empty() && values.back().second.find('@') != std::string::npos;
    if (of_code && !is_key(key)) {
      values.back().second.append(",").append(piece);
      continue;
    }
    value = lcsm::trimmed(value);
    if (value.empty())
      throw std::invalid_argument("expected KEY=VALUE, separated by commas, got '" + word + "'");
    if (!is_key(key))
      throw std::invalid_argument("expected a parameter, tag, sweep or state, got '" + key + "'" +
                                  meant_key(key));
    values.emplace_back(key, value);
  }
  return values;
}

RunValues with_sizes_apart(const RunValues& values) {
  RunValues apart, sizes;
  for (const auto& [key, value] : values) {
    std::string_view rest = value;
    std::string code(lcsm::take_until(&rest, key == kRoles.models[0] ? '@' : '\0'));
    for (char sign = '@'; !rest.empty();) {
      const std::string option(lcsm::take_until(&rest, ','));
      if (option.starts_with("k=") || option.starts_with("d="))
        sizes.emplace_back("model." + option.substr(0, 1), option.substr(2));
      else
        code += std::exchange(sign, ',') + option;
    }
    apart.emplace_back(key, code);
  }
  apart.insert(apart.end(), sizes.begin(), sizes.end());
  return apart;
}

std::vector<std::string> runs_with(results::Database& database, const RunStates& states,
                                   const RunValues& values, const results::ModelNames& names) {
  Ids found = runs_with_one(database, states, names, values[0].first, values[0].second);
  for (std::size_t i = 1; i < values.size(); ++i) {
    const Ids one = runs_with_one(database, states, names, values[i].first, values[i].second);
    std::erase_if(found, [&](const std::string& id) { return !one.contains(id); });
  }
  return {found.begin(), found.end()};
}

bool point_has(const results::Database& database, const results::Values& parameters,
               const std::string& sweep, results::RunState state, const RunValues& values) {
  return std::all_of(values.begin(), values.end(), [&](const auto& one) {
    const auto& [key, value] = one;
    if (key == "tag") return false;
    if (key == "sweep") return value == sweep;
    if (key == "state") return is_in_state(state, value);
    const auto found = parameters.find(key);
    return found != parameters.end() &&
           results::same_value(results::text_of(database, found->second), value);
  });
}

std::string none_with(results::Database& database, const RunStates& states,
                      const RunValues& values) {
  std::string text = "no run has ";
  for (const auto& [key, value] : values)
    text += (&key == &values[0].first ? "" : ", ") + key + " = " + value;
  for (std::size_t i = 0; i < values.size(); ++i) {
    RunValues rest = values;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
    std::vector<std::string> ids;
    if (rest.empty())
      for (const auto& [id, state] : states) ids.push_back(id);
    else
      ids = runs_with(database, states, rest);
    const auto there = values_of(database, values[i].first, {ids.begin(), ids.end()});
    if (!there.empty())
      return text + (rest.empty() ? "; " : "; with the rest, ") + values[i].first + " is " +
             first_of(there, kMostListed);
  }
  return text;
}

std::string differences_of(results::Database& database, const std::vector<std::string>& ids) {
  const Ids chosen(ids.begin(), ids.end());
  std::map<std::string, std::size_t> keys;  // keys that some runs have
  results::Statement select(database, "SELECT DISTINCT key FROM parameters");
  while (select.step()) keys[select.text(0)] = 0;
  std::vector<std::string> texts;
  for (const auto& [key, unused] : keys)
    if (const auto values = values_of(database, key, chosen); values.size() > 1)
      texts.push_back(fmt::format("{} ({})", key, first_of(values, kMostListed)));
  return first_of(std::move(texts), kMostKeys);
}

}  // namespace runner
