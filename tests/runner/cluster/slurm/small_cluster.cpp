#include "tests/runner/cluster/slurm/small_cluster.h"

#include <signal.h>
#include <unistd.h>

#include <charconv>
#include <fstream>
#include <sstream>

#include "tests/results/kill_at_write.h"
#include "tests/source_folder.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

std::string script_file() {
  return (source_folder() / "tests/runner/cluster/slurm/small_cluster.sh").string();
}

}  // namespace

SmallCluster::SmallCluster(int nodes, int max_array_size, bool accounted) {
  if (results::kStride > 1) lacking_ = "sanitized programs are too slow for Slurm's patience";
  if (!fs::exists(script_file())) lacking_ = "the source tree is not here";
  if (!lacking_.empty()) return;
  const Ran started = script({"start", std::to_string(nodes), std::to_string(max_array_size),
                              accounted ? "accounted" : ""});
  if (started.status != 0) lacking_ = started.err.empty() ? "Slurm does not start" : started.err;
  if (started.status == 0)
    guard_ = std::make_unique<Background>(
        Words{"/bin/sh", script_file(), "guard", folder_.path().string(), std::to_string(getpid())},
        folder_.path() / "guard.log", Words{"PATH=/usr/bin:/bin"});
}

SmallCluster::~SmallCluster() {
  if (!lacking_.empty()) return;
  call({"scancel", "--user=" + std::to_string(getuid())});
  comes_true([this] { return idle(); });
  script({"stop"});
  comes_true([this] { return processes_of(folder_.path(), "slurm").empty(); });
}

Ran SmallCluster::script(Words words) const {
  words.insert(words.begin() + 1, folder_.path().string());
  words.insert(words.begin(), {"/bin/sh", script_file()});
  return run_program(words, environment());
}

Words SmallCluster::environment(Words more) const {
  more.push_back("SLURM_CONF=" + (folder_.path() / "slurm.conf").string());
  return more;
}

Ran SmallCluster::call(const Words& program) const { return run_program(program, environment()); }

std::vector<std::string> SmallCluster::jobs(const char* states) const {
  Words words = {"squeue", "--noheader", "--array", "--format=%i"};
  if (std::string(states) != "all") words.push_back(std::string("--states=") + states);
  const Ran ran = call(words);
  if (ran.status != 0) return {"?"};
  std::istringstream lines(ran.out);
  std::vector<std::string> jobs;
  for (std::string job; lines >> job;) jobs.push_back(job);
  return jobs;
}

void SmallCluster::kill_daemon(const std::string& name) const {
  pid_t process = 0;
  std::ifstream(folder_.path() / "run" / (name + ".pid")) >> process;
  for (const pid_t ours : processes_of(folder_.path(), "slurm"))
    if (ours == process) kill(process, SIGKILL);
}

void SmallCluster::start_daemon(const std::string& name) const {
  name == "controller" ? script({"controller"}) : script({"node", name});
}

std::vector<pid_t> processes_of(const fs::path& folder, const std::string& program) {
  std::vector<pid_t> processes;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    pid_t process = 0;
    const auto [rest, error] = std::from_chars(name.data(), name.data() + name.size(), process);
    if (error != std::errc{} || process == getpid()) continue;
    const std::string words = read_file(entry.path() / "cmdline");
    const std::string first = fs::path(words.substr(0, words.find('\0'))).filename();
    if (first.starts_with(program) && words.find(folder.string()) != words.npos)
      processes.push_back(process);
  }
  return processes;
}

}  // namespace runner
