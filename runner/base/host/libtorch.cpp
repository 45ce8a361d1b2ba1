#include "runner/base/host/libtorch.h"

#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "runner/base/process/command.h"
#include "runner/base/process/exit_code.h"

namespace runner {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr int kInterruptedScript = 130;  // its exit status after Ctrl-C

fs::path script_of(const fs::path& trainer) { return trainer.string() + ".libtorch"; }

void use_folders(const std::string& printed) {
  setenv("LD_LIBRARY_PATH", first_line(printed).c_str(), 1);
}

}  // namespace

void find_libtorch(const fs::path& trainer) {
  const fs::path script = script_of(trainer);
  if (!fs::exists(script)) return;
  std::string command = "'";
  for (const char c : script.string()) command += c == '\'' ? "'\\''" : std::string(1, c);
  FILE* const output = popen((command + "'").c_str(), "r");
  std::string printed;
  std::array<char, 4096> part{};
  while (output != nullptr && std::fgets(part.data(), part.size(), output) != nullptr)
    printed += part.data();
  const int status = output == nullptr ? -1 : pclose(output);
  const bool interrupted = WIFEXITED(status) && WEXITSTATUS(status) == kInterruptedScript;
  if (status != 0) throw Failure(interrupted ? ExitCode::kInterrupted : ExitCode::kMissing, "");
  use_folders(printed);
}

std::string look_for_libtorch(const fs::path& trainer) {
  const fs::path script = script_of(trainer);
  if (!fs::exists(script)) return "";
  const CommandResult result = run_command({script, "--offline"}, 20s);
  if (result.ok()) {
    use_folders(result.out);
    return "";
  }
  std::string why = result.err.empty() ? script.string() + " failed" : result.err;
  std::ranges::replace(why, '\n', ' ');
  return why.substr(0, why.find_last_not_of(' ') + 1);
}

}  // namespace runner
