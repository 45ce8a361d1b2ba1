#include "runner/front/verbs/doctor.h"

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "lcsm/base/revision.h"
#include "runner/base/files/json_file.h"
#include "runner/base/process/exit_code.h"
#include "runner/base/text/wrap.h"
#include "runner/front/verbs/verbs.h"
#include "runner/workspace/folder.h"

namespace runner {
namespace {

constexpr int kWidth = 80;
constexpr int kIndent = 18;  // "warn  " and the longest name

constexpr const char* kDoctorFooter =
    "Each row is ok, warn or fail. A row that fails would lose data or stop work.\n"
    "Exit codes: 0 no row fails, 1 a row fails, 2 wrong usage.\n\n"
    "Examples:\n"
    "  lcsm doctor\n"
    "  lcsm doctor --json --workspace /scratch/me/lcsm";

constexpr Style style_of(State state) {
  return state == State::kOk ? Style::kGood : state == State::kWarn ? Style::kWarn : Style::kBad;
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

struct DoctorOptions {
  bool json = false;
  std::string workspace;
};

void doctor(const DoctorOptions& options) {
  const std::vector<Check> checks = check_all(workspace_folder(options.workspace));
  fmt::print(
      "{}", options.json ? printed_json(doctor_json(checks)) : doctor_text(checks, out_terminal()));
  std::fflush(stdout);
  if (worst_of(checks) == State::kFail) throw Failure(ExitCode::kFailed, "");
}

}  // namespace

std::string doctor_text(const std::vector<Check>& checks, const Terminal& terminal) {
  std::string out;
  for (const Check& check : checks) {
    out += styled(terminal, style_of(check.state), fmt::format("{:<6}", state_name(check.state)));
    out += fmt::format("{:<12}", check.name);
    wrap_onto(out, check.value, kIndent, kWidth, LongWords::kCut);
    if (check.advice.empty()) continue;
    out += std::string(kIndent, ' ');
    wrap_onto(out, check.advice, kIndent, kWidth, LongWords::kCut);
  }
  return out;
}

void add_doctor(Verb& program) {
  Verb& verb = program.verb("doctor", "Check that this host is ready for sweeps");
  DoctorOptions& options = verb.runs(doctor);
  verb.flag("--json", &options.json, "Print JSON (schema lcsm.doctor/1)");
  verb.option("--workspace", &options.workspace,
              "Folder to check (default: LCSM_WORKSPACE, else ./workspace)")
      .type("DIR");
  verb.footer(kDoctorFooter);
}

}  // namespace runner
