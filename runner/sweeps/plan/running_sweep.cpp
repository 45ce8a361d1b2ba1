#include "runner/sweeps/plan/running_sweep.h"

#include <fmt/format.h>

#include <system_error>

#include "lcsm/base/allowance.h"
#include "lcsm/base/safe_text.h"
#include "runner/base/files/json_file.h"
#include "runner/base/process/exit_code.h"

namespace runner {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kFile = ".running.json";
constexpr const char* kSchema = "lcsm.running/1";

bool is_usual(const SweepRequest& request) {
  return request.scale == kPaperScale && request.settings.empty();
}

// The path of a sweep's file: absolute, or relative to the workspace if it is not UTF-8, since JSON
// must be.
std::string written_path(const fs::path& file, const fs::path& workspace) {
  const std::string absolute = fs::absolute(file).string();
  const bool is_text = lcsm::safe_text(absolute) == absolute;
  return is_text ? absolute : fs::relative(file, workspace).string();
}

std::string read_path(const std::string& name, const fs::path& workspace) {
  return name.ends_with(".toml") ? (workspace / name).string() : name;
}

}  // namespace

void write_running(const fs::path& workspace, const SweepFile& sweep, const SweepRequest& request,
                   int jobs) {
  const std::string name =
      fs::is_regular_file(sweep.path) ? written_path(sweep.path, workspace) : sweep.name;
  const Json json = {{"schema", kSchema},
                     {"name", name},
                     {"scale", request.scale},
                     {"settings", request.settings},
                     {"jobs", jobs}};
  write_json_file(workspace / kFile, json);
}

std::optional<RunningSweep> read_running(const fs::path& workspace) {
  const Json json = read_json_file(workspace / kFile);
  try {
    if (!json.is_object() || json.at("schema") != kSchema) return std::nullopt;
    return RunningSweep{{read_path(json.at("name").get<std::string>(), workspace),
                         {json.at("scale").get<std::string>(),
                          json.at("settings").get<std::vector<std::string>>(), workspace}},
                        std::max(1, json.at("jobs").get<int>())};
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

std::int64_t running_time(const fs::path& workspace) {
  std::error_code none;
  const auto time = fs::last_write_time(workspace / kFile, none);
  return none ? 0 : time.time_since_epoch().count();
}

RunningSweep running_or(const SweepChoice& asked, const fs::path& workspace) {
  const std::optional<RunningSweep> last = read_running(workspace);
  if (asked.name.empty()) {
    if (last) {
      std::error_code none;
      const std::string& name = last->choice.name;
      if (!name.ends_with(".toml") || fs::exists(name, none)) return *last;
      throw Failure(ExitCode::kMissing,
                    fmt::format("expected the file of the sweep that was last run in {}, got none "
                                "at '{}': name a sweep or its file",
                                workspace.string(), name));
    }
    throw Failure(ExitCode::kMissing,
                  fmt::format("expected a sweep that was run in {}, got none: give its name",
                              workspace.string()));
  }
  RunningSweep meant{asked, lcsm::read_allowance().cores()};
  meant.choice.request.workspace = workspace;
  if (!last) return meant;
  const bool same = chosen_sweep(asked).name == fs::path(last->choice.name).stem();
  if (same && is_usual(asked.request)) meant.choice.request = last->choice.request;
  if (same) meant.jobs = last->jobs;
  return meant;
}

}  // namespace runner
