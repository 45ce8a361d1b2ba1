// `lcsm systems`: lists the named systems, or describes one.
#include <fmt/format.h>

#include "runner/front/codes/code_views.h"
#include "runner/front/codes/system_views.h"
#include "runner/front/verbs/verbs.h"

namespace runner {
namespace {

struct SystemsOptions {
  std::vector<std::string> systems;
  SystemSizes sizes;
  bool json = false;
};

constexpr std::size_t kFew = 6;  // systems that are compared side by side with their equations

std::vector<System> chosen_systems(const std::vector<std::string>& names) {
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

void show_systems(const SystemsOptions& options) {
  std::vector<std::string> names = options.systems;
  if (names.empty()) names.emplace_back("*");
  const std::vector<System> systems = chosen_systems(names);
  const Terminal terminal = out_terminal();
  fmt::print("{}", options.json             ? systems_json(systems, options.sizes)
                   : systems.size() == 1    ? page(systems[0], options.sizes)
                   : systems.size() <= kFew ? comparison(systems, options.sizes, terminal)
                                            : overview(systems, options.sizes, terminal));
}

}  // namespace

void add_systems(Verb& program) {
  Verb& verb = program.verb("systems", "List the papers' named systems, or explain one");
  SystemsOptions& options = verb.runs(show_systems);
  verb.argument("system", &options.systems,
                "Systems, with options if any, or patterns such as 'mega*'")
      .type("SYSTEM")
      .completes([](const std::string&) { return choices_of(system_rows()); });
  verb.option("--d", &options.sizes.d, "Channels").range(1, kMostSize).default_shown();
  verb.option("--length", &options.sizes.T, "Sequence length, for costs")
      .range(1, kMostSize)
      .default_shown();
  verb.flag("--json", &options.json, "Print JSON (schema lcsm.systems/1)");
  verb.footer(
      "Use a system wherever a code may stand: model.system = \"mega-chunk@z=64\", or in a\n"
      "grid of model.code. SYSTEM@reading=lcsm is the same system as the LCSM paper reads it.\n\n"
      "Examples:\n"
      "  lcsm systems                     all systems\n"
      "  lcsm systems mamba               one in full\n"
      "  lcsm systems mamba hgrn gla      several side by side\n"
      "  lcsm systems 'mega*' --d 128     the same, with 128 channels\n"
      "  lcsm systems --json");
}

}  // namespace runner
