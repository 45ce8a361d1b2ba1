#include "runner/show/gnuplot.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "runner/process/command.h"
#include "runner/process/exit_code.h"

namespace runner {
namespace {

namespace fs = std::filesystem;
using std::chrono::seconds;

constexpr double kOldest = 5.4;

// Removed at the end, also after an exception.
class ScriptFile {
 public:
  explicit ScriptFile(const std::string& script) {
    path_ = (fs::temp_directory_path() / "lcsm-figure-XXXXXX").string();
    const int file = mkstemp(path_.data());
    if (file < 0) throw std::system_error(errno, std::generic_category(), "cannot write " + path_);
    close(file);
    if (!(std::ofstream(path_, std::ios::binary) << script).flush())
      throw Failure(ExitCode::kOutput, "cannot write " + path_ + ": is the disk full?");
  }
  ~ScriptFile() { unlink(path_.c_str()); }
  ScriptFile(const ScriptFile&) = delete;
  ScriptFile& operator=(const ScriptFile&) = delete;
  const std::string& path() const { return path_; }

 private:
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
  // Without the user's gnuplot settings, in the C locale.
  CommandResult drawn =
      run_command({"gnuplot", "-d", file.path()}, seconds(120), {"LC_ALL=C.UTF-8", "GNUTERM=dumb"});
  if (!drawn.ok())
    throw Failure(ExitCode::kFailed,
                  "gnuplot " + (drawn.timed_out ? std::string("took more than two minutes")
                                                : "failed: " + drawn.err));
  return std::move(drawn.out);
}

}  // namespace runner
