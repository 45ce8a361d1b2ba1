#include "runner/front/views/gnuplot.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "runner/base/process/command.h"
#include "runner/base/process/exit_code.h"
#include "runner/base/process/process_facts.h"

namespace runner {
namespace {

namespace fs = std::filesystem;
using std::chrono::seconds;

constexpr double kOldest = 5.4;

// Removed at the end, also after an exception.
class ScriptFile {
 public:
  explicit ScriptFile(const std::string& script) {
    const std::string named = environment_variable("TMPDIR");
    const fs::path folder = named.empty() ? "/tmp" : named;
    path_ = (folder / "lcsm-figure-XXXXXX").string();
    const int file = mkstemp(path_.data());
    if (file < 0) fail(errno);
    close(file);
    if (!(std::ofstream(path_, std::ios::binary) << script).flush()) {
      const int error = errno;
      unlink(path_.c_str());
      fail(error);
    }
  }
  ~ScriptFile() { unlink(path_.c_str()); }
  ScriptFile(const ScriptFile&) = delete;
  ScriptFile& operator=(const ScriptFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  [[noreturn]] void fail(int error) const {
    throw Failure(ExitCode::kOutput,
                  fmt::format("cannot write {}: {}; set TMPDIR to a writable folder", path_,
                              std::generic_category().message(error)));
  }

  std::string path_;
};

}  // namespace

bool has_gnuplot(std::string* why) {
  const CommandResult asked = run_command({"gnuplot", "--version"}, seconds(10));
  const std::string said =
      asked.ok() ? first_line(asked.out) : "none";  // "gnuplot 5.4 patchlevel 4"
  const bool good =
      said.starts_with("gnuplot ") && std::strtod(said.c_str() + 8, nullptr) >= kOldest;
  if (!good && why != nullptr)
    *why = fmt::format("expected gnuplot {} or newer on PATH, got {}", kOldest, said);
  return good;
}

std::string draw(const std::string& script) {
  std::string why;
  if (!has_gnuplot(&why))
    throw Failure(ExitCode::kMissing,
                  why + ": install the package gnuplot-nox, or use --format csv or gp");
  const ScriptFile file(script);
  // Runs without the user's gnuplot settings, in the C locale.
  CommandResult drawn =
      run_command({"gnuplot", "-d", file.path()}, seconds(120), {"LC_ALL=C.UTF-8", "GNUTERM=dumb"});
  if (!drawn.ok())
    throw Failure(ExitCode::kFailed,
                  "gnuplot " + (drawn.timed_out ? std::string("took more than two minutes")
                                                : "failed: " + drawn.err));
  return std::move(drawn.out);
}

}  // namespace runner
