#include "runner/verbs/doctor.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <sstream>

#include "lcsm/base/revision.h"
#include "runner/text/terminal.h"
#include "runner/workspace/folder.h"

namespace runner {
namespace {

constexpr std::size_t kWidth = 80;
constexpr std::size_t kIndent = 18;  // "warn  " and the longest name

constexpr const char* kFooter =
    "Each row is ok, warn or fail; a failing one would lose data or stop work.\n"
    "Exit codes: 0 nothing fails, 1 something fails, 2 wrong usage.\n"
    "Examples: lcsm doctor\n"
    "          lcsm doctor --json --workspace /scratch/me/lcsm";

// `text` in lines that end before column 80, each after the first indented. A word longer than a
// line (a path) is cut.
std::string wrapped(const std::string& text) {
  constexpr std::size_t kRoom = kWidth - kIndent;
  std::string out, line;
  const auto end_line = [&] {
    out += line + "\n" + std::string(kIndent, ' ');
    line.clear();
  };
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (!line.empty() && line.size() + 1 + word.size() > kRoom) end_line();
    if (!line.empty()) line += ' ';
    line += word;
    for (; line.size() > kRoom; word = line) {
      const std::string rest = line.substr(kRoom);
      line.resize(kRoom);
      end_line();
      line = rest;
    }
  }
  return out + line + "\n";
}

struct Options {
  bool json = false;
  std::string workspace;
};

void doctor(const Options& options) {
  const std::vector<Check> checks = check_all(workspace_folder(options.workspace));
  fmt::print("{}", options.json ? doctor_json(checks).dump(2) + "\n"
                                : doctor_text(checks, out_terminal().colour));
  std::fflush(stdout);
  if (worst_of(checks) == State::kFail) throw CLI::RuntimeError(1);
}

}  // namespace

std::string doctor_text(const std::vector<Check>& checks, bool colour) {
  const auto paint = [&](State state) {
    const std::string name = fmt::format("{:<6}", state_name(state));
    if (!colour) return name;
    const int number = state == State::kOk ? 32 : state == State::kWarn ? 33 : 31;
    return fmt::format("\033[{}m{}\033[0m", number, name);
  };
  std::string out;
  for (const Check& check : checks) {
    out += paint(check.state) + fmt::format("{:<12}", check.name) + wrapped(check.value);
    if (!check.advice.empty()) out += std::string(kIndent, ' ') + wrapped(check.advice);
  }
  return out;
}

nlohmann::ordered_json doctor_json(const std::vector<Check>& checks) {
  nlohmann::ordered_json out = {{"schema", "lcsm.doctor/1"},
                                {"version", lcsm::kRevision.version},
                                {"commit", lcsm::kRevision.commit},
                                {"dirty", lcsm::kRevision.dirty},
                                {"state", state_name(worst_of(checks))}};
  out["checks"] = nlohmann::ordered_json::array();
  for (const Check& check : checks)
    out["checks"].push_back({{"name", check.name},
                             {"state", state_name(check.state)},
                             {"value", check.value},
                             {"advice", check.advice},
                             {"data", check.data}});
  return out;
}

void add_doctor(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* verb = app.add_subcommand("doctor", "Check that this machine is fit for sweeps");
  verb->footer(kFooter);
  verb->add_flag("--json", options->json, "Print JSON, schema lcsm.doctor/1");
  verb->add_option("--workspace", options->workspace,
                   "Folder to check (default: LCSM_WORKSPACE, else ./workspace)");
  verb->callback([options] { doctor(*options); });
}

}  // namespace runner
