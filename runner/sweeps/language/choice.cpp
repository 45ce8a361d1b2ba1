#include "runner/sweeps/language/choice.h"

#include <filesystem>
#include <system_error>

#include "runner/base/process/exit_code.h"
#include "runner/sweeps/language/search.h"
#include "runner/workspace/folder.h"

namespace runner {

namespace fs = std::filesystem;

SweepFile chosen_sweep(const SweepChoice& choice) {
  try {
    return load_sweep(choice.name);
  } catch (const std::runtime_error& error) {
    throw Failure(ExitCode::kUsage, error.what());
  }
}

std::string described(const SweepFile& sweep, const SweepRequest& request) {
  std::string text = sweep.name;
  if (!sweep.scales.empty()) text += ", scale " + request.scale;
  for (const std::string& setting : request.settings) text += ", " + setting;
  return text;
}

std::string run_command(const SweepFile& sweep, const SweepRequest& request) {
  std::string text = "lcsm run " + sweep.name;
  if (fs::is_regular_file(sweep.path) && !is_known_sweep(sweep.name)) {
    const std::string near = fs::proximate(sweep.path).string();
    text = "lcsm run " + (near.starts_with("..") ? sweep.path : near);
  }
  const auto add = [&](const char* option, const std::string& value) {
    const bool plain = value.find_first_of(" '\"*?{[") == std::string::npos;
    text += option + (plain ? value : "'" + value + "'");
  };
  if (request.scale != kPaperScale) add(" --scale ", request.scale);
  for (const std::string& setting : request.settings) add(" --set ", setting);
  std::error_code missing;
  const fs::path usual = default_workspace();
  if (!request.workspace.empty() && request.workspace != usual &&
      !fs::equivalent(request.workspace, usual, missing))
    add(" --workspace ", request.workspace.string());
  return text;
}

}  // namespace runner
