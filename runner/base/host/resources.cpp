#include "runner/base/host/resources.h"

#include <sstream>

#include "runner/base/host/libtorch.h"
#include "runner/base/process/command.h"
#include "runner/base/process/steady_time.h"

namespace runner {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

constexpr auto kToolLimit = 3s;
constexpr auto kTrainLimit = 20s;  // may read 0.5 GB of libraries from disk

// The libraries that `ldd` prints, "libX.so => /path" or "libX.so => not found", without addresses.
std::vector<std::string> libraries_of(const fs::path& program) {
  const CommandResult result = run_command({program}, kTrainLimit, {"LD_TRACE_LOADED_OBJECTS=1"});
  std::vector<std::string> libraries;
  std::istringstream lines(result.out);
  for (std::string line; std::getline(lines, line);) {
    line = line.substr(0, line.find(" (0x"));
    line.erase(0, line.find_first_not_of(" \t"));
    if (line.find("=>") != std::string::npos) libraries.push_back(line);
  }
  return libraries;
}

}  // namespace

Tool find_tool(const std::string& program) {
  const CommandResult result = run_command({program, "--version"}, kToolLimit);
  Tool tool;
  tool.found = result.started;
  if (result.ok()) tool.version = first_line(result.out.empty() ? result.err : result.out);
  if (result.started && !result.ok()) tool.trouble = trouble_of(result, program);
  return tool;
}

TrainProgram find_train_program(const fs::path& folder) {
  TrainProgram program;
  program.path = folder / "lcsm-train";
  if (!fs::exists(program.path)) {
    program.trouble = "lcsm-train not found next to lcsm";
    return program;
  }
  program.no_libtorch = look_for_libtorch(program.path);
  const double start = steady_seconds();
  const CommandResult result = run_command({program.path, "--version"}, kTrainLimit);
  program.seconds = steady_seconds() - start;
  program.starts = result.ok();
  if (result.ok())
    program.version = first_line(result.out);
  else
    program.trouble = trouble_of(result, "lcsm-train");
  program.libraries = libraries_of(program.path);
  return program;
}

}  // namespace runner
