// `lcsm explain`: shows which line of a sweep sets a value, and in which points.
#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "lcsm/base/words.h"
#include "runner/base/files/json_file.h"
#include "runner/base/process/exit_code.h"
#include "runner/base/text/text_table.h"
#include "runner/config/keys/config_keys.h"
#include "runner/front/options/results_verb.h"
#include "runner/front/options/sweep_verb.h"
#include "runner/front/verbs/verbs.h"
#include "runner/workspace/folder.h"

namespace runner {
namespace {

using Json = nlohmann::ordered_json;

struct ExplainOptions {
  SweepChoice choice;
  std::string key, workspace;
  bool json = false;
};

constexpr const char* kExplainFooter = R"text(Examples:
  lcsm explain table4-o-types model.layers                which line sets it, in which points
  lcsm explain table4-o-types optim.lr --scale laptop
  lcsm explain table4-o-types                             every key that the sweep sets)text";

// A value that one line sets: the points that have it, by their steps on the axes.
struct Setter {
  std::string key, value, place;
  std::size_t points = 0;
  std::vector<std::set<std::uint32_t>> steps;
};

// Per key, in the order in which the points first have the values, defaults last.
class Found {
 public:
  Setter& of(int key, const std::string& place, const std::string& value) {
    std::vector<Setter>& setters = setters_[{key, place.starts_with("default")}];
    const auto [at, is_new] = places_.try_emplace({key, place, value}, setters.size());
    return is_new ? setters.emplace_back() : setters[at->second];
  }

  template <class Take>
  void for_each(const Take& take) const {
    for (const auto& [key, setters] : setters_)
      for (const Setter& setter : setters) take(setter);
  }

 private:
  std::map<std::tuple<int, std::string, std::string>, std::size_t> places_;  // in setters_
  std::map<std::pair<int, bool>, std::vector<Setter>> setters_;
};

void add(Found& found, int key, const RunConfig& config, const Point& point) {
  const Setting& setting = config.at(key);
  const std::string value = setting.used ? value_text(setting.value) : "no meaning";
  Setter& setter = found.of(key, setting.set_by, value);
  setter.key = key_name(key);
  setter.value = value;
  setter.place = setting.set_by;
  ++setter.points;
  setter.steps.resize(point.steps.size());
  for (std::size_t i = 0; i < point.steps.size(); ++i) setter.steps[i].insert(point.steps[i]);
}

// "model.code = 1-1-1-0, 1-7-1-0": the axes of which the points do not have every value.
std::string where(const Setter& setter, const std::vector<Axis>& axes) {
  std::vector<std::string> limits;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const auto& steps = axes[i].steps;
    if (axes[i].keys.empty() || setter.steps[i].size() == steps.size()) continue;
    const auto value = [&](std::uint32_t step) { return value_text(*steps[step][0].value); };
    limits.push_back(key_name(steps[0][0].key) + " = " + lcsm::joined_of(setter.steps[i], value));
  }
  return limits.empty() ? "all" : lcsm::joined(limits, "; ");
}

std::string json_text(const Found& found, const SweepFile& sweep, const Expansion& expansion) {
  Json rows = Json::array();
  found.for_each([&](const Setter& setter) {
    rows.push_back({{"key", setter.key},
                    {"value", setter.value},
                    {"set_by", setter.place},
                    {"points", setter.points},
                    {"where", where(setter, expansion.axes)}});
  });
  const Json json = {{"schema", "lcsm.explain/1"}, {"sweep", sweep.name}, {"values", rows}};
  return printed_json(json);
}

int key_of(const std::string& name) {
  if (name.empty()) return -1;
  const int key = key_index(name);
  if (key < 0) throw std::invalid_argument("unknown key '" + name + "'" + meant_key(name));
  return key;
}

void show_explain(const ExplainOptions& options) {
  SweepChoice choice = options.choice;
  choice.request.workspace = workspace_folder(options.workspace);
  const int asked = key_of(options.key);
  const SweepFile sweep = chosen_sweep(choice);
  Found found;
  const Expansion expansion =
      expand(sweep, choice.request, [&](const Point& point, const RunConfig& config) {
        for (int key = 0; key < static_cast<int>(kConfigKeys.size()); ++key)
          if (key == asked || (asked < 0 && !config.at(key).set_by.starts_with("default")))
            add(found, key, config, point);
      });
  if (options.json) return fmt::print("{}", json_text(found, sweep, expansion));
  TextTable table(
      {{"key"}, {"value"}, {"points", Align::kRight}, {"set by"}, {"where", Align::kLeft, 20}});
  found.for_each([&](const Setter& setter) {
    table.add_row({setter.key, setter.value, std::to_string(setter.points), setter.place,
                   where(setter, expansion.axes)});
  });
  fmt::print("{}", table.text(out_terminal()));
}

}  // namespace

void add_explain(Verb& program) {
  Verb& verb =
      program.verb("explain", "Show which line of a sweep sets a value, and in which points");
  ExplainOptions& options = verb.runs(show_explain);
  add_sweep_options(verb, &options.choice);
  verb.argument("key", &options.key, "A key of a run's configuration")
      .type("KEY")
      .completes([](const std::string&) { return choices_of(kConfigKeys); });
  verb.flag("--json", &options.json, "Print JSON (schema lcsm.explain/1)");
  add_workspace_option(verb, &options.workspace);
  verb.footer(kExplainFooter);
}

}  // namespace runner
