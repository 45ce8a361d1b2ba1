// `lcsm systems`: the named systems, and what one of them is.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "runner/systems/system.h"
#include "runner/text/text_table.h"
#include "runner/verbs/verbs.h"

namespace runner {
namespace {

struct Options {
  std::vector<std::string> systems;
  std::int64_t d = 512;
  bool json = false;
};

constexpr int kMostSize = 1 << 20;

std::int64_t count_of(const ets::Variant& block) {
  std::int64_t count = 0;
  for (const ets::Parameter& tensor : ets::tensors_of(block)) count += tensor.count();
  return count;
}

std::int64_t count_of(const System& system, std::int64_t d) {
  const auto feed = feed_of(system, d);
  return count_of(mixer_of(system, d)) + (feed ? count_of(*feed) : 0);
}

std::vector<System> chosen(const std::vector<std::string>& names) {
  std::vector<System> systems;
  for (const std::string& name : names) {
    if (!lcsm::is_pattern(name.substr(0, name.find('@')))) {
      systems.push_back(parse_system(name));
      continue;
    }
    const auto rows = systems_matching(name);
    if (rows.empty()) throw std::invalid_argument("no system matches '" + name + "'");
    for (const SystemRow* row : rows) systems.push_back(parse_system(row->name));
  }
  return systems;
}

std::string options_of(const ets::Options& options, const std::string& start) {
  std::string text;
  for (const ets::OptionRow& row : options.rows())
    text +=
        fmt::format("  {:<24}{}{}\n", start + std::string(row.name) + "=" + options.text(row.name),
                    row.help, row.words.empty() ? "" : ": " + std::string(row.words));
  return text;
}

std::string tensors_of(const ets::Variant& block, const std::string& part) {
  std::string text;
  for (const ets::Parameter& tensor : ets::tensors_of(block))
    text += fmt::format("  {:<32}{:<16}{:<10}{}\n", part + tensor.name,
                        fmt::format("[{}]", fmt::join(tensor.shape, ",")),
                        lcsm::to_string(tensor.group), tensor.init);
  return text;
}

std::string page(const System& system, std::int64_t d) {
  const SystemRow& row = *system.row;
  std::string text = fmt::format("{}   {}\n\n  {}\n  {}\n\n", to_string(system), row.help,
                                 row.equation, row.source);
  const SystemReading& r = row.reading;
  for (const auto& [what, value] : {std::pair{"expand", r.expand},
                                    {"oscillation", r.oscillation},
                                    {"shrink", r.shrink},
                                    {"left out", r.left_out},
                                    {"reading", r.code}})
    if (!value.empty()) text += fmt::format("  {:<13}{}\n", what, value);
  text += fmt::format("  {:<13}{}, {}\n", "norm", system.norm,
                      system.post ? "after the residual is added" : "before each part");
  text += "\noptions\n" + options_of(system.mixer, "");
  if (system.feed) text += options_of(*system.feed, "feed_");
  text += fmt::format("\ntensors of a layer, d = {}: {} parameters without norms\n", d,
                      count_of(system, d));
  text += tensors_of(mixer_of(system, d), "mixer.");
  if (const auto feed = feed_of(system, d)) text += tensors_of(*feed, "feed.");
  return text;
}

nlohmann::ordered_json json_of(const System& system, std::int64_t d) {
  const SystemRow& row = *system.row;
  const SystemReading& r = row.reading;
  return {{"name", to_string(system)},
          {"help", row.help},
          {"equation", row.equation},
          {"source", row.source},
          {"reading",
           {{"expand", r.expand},
            {"oscillation", r.oscillation},
            {"shrink", r.shrink},
            {"left_out", r.left_out},
            {"code", r.code}}},
          {"norm", system.norm},
          {"norm_place", system.post ? "post" : "pre"},
          {"two_sided", is_two_sided(system)},
          {"parameters", count_of(system, d)}};
}

void show(const Options& options) {
  std::vector<std::string> names = options.systems;
  if (names.empty()) names.emplace_back("*");
  const std::vector<System> systems = chosen(names);
  if (options.json) {
    nlohmann::ordered_json json = {{"schema", "lcsm.systems/1"}, {"d", options.d}};
    for (const System& system : systems) json["systems"].push_back(json_of(system, options.d));
    fmt::print("{}\n", json.dump(2));
  } else if (systems.size() == 1) {
    fmt::print("{}", page(systems[0], options.d));
  } else {
    TextTable table(
        {{"system"}, {"parameters", Align::kRight}, {"reading"}, {"what it is", Align::kLeft, 20}});
    for (const System& system : systems)
      table.add_row({to_string(system), std::to_string(count_of(system, options.d)),
                     std::string(system.row->reading.code), std::string(system.row->help)});
    fmt::print(
        "{}\nparameters: of a layer with {} channels, without norms; reading: the code that "
        "LCSM reads in it\n",
        table.text(out_terminal()), options.d);
  }
}

std::vector<Candidate> system_candidates(const std::string&) {
  std::vector<Candidate> candidates;
  for (const SystemRow& row : system_rows())
    candidates.push_back({std::string(row.name), std::string(row.help)});
  return candidates;
}

}  // namespace

void add_systems(Verb& program) {
  Verb& verb = program.verb("systems", "List the named systems of the papers, show what one is");
  Options& options = verb.runs(show);
  verb.argument("system", &options.systems, "Systems with options, or patterns such as 'mega*'")
      .type("SYSTEM")
      .completes(system_candidates);
  verb.option("--d", &options.d, "Channels").range(1, kMostSize).default_shown();
  verb.flag("--json", &options.json, "Print JSON (schema lcsm.systems/1)");
  verb.footer(
      "A system stands where a code may: model.system = \"mega-chunk@z=64\", or in a grid of\n"
      "model.code. SYSTEM@reading=lcsm is the code that LCSM reads in it.\n\n"
      "Examples:\n"
      "  lcsm systems                     all systems\n"
      "  lcsm systems mamba               one in full\n"
      "  lcsm systems 'mega*' --d 128     several side by side\n"
      "  lcsm systems --json");
}

}  // namespace runner
