#include "tests/runner/fake_sweep.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

namespace runner {
namespace {

namespace fs = std::filesystem;

using Json = nlohmann::json;

Json planned(const FakeSweep& sweep, int way) {
  const Json plan = Json::parse(sweep.lcsm({"plan", sweep.file().string(), "--json"}).out);
  for (const Json& run : plan["runs"])
    if (run["at"]["task.seed"] == way) return run;
  throw std::runtime_error("no run of way " + std::to_string(way));
}

}  // namespace

FakeSweep::FakeSweep(const std::string& ways, const std::string& more) {
  std::ofstream(file()) << "title = 'Mine'\nbase.task.name = 'mqar'\nbase.model.code = '1-1-1-0'\n"
                           "grid.task.seed = ["
                        << ways << "]\n"
                        << more
                        << "[[table]]\nrows = 'task.seed'\nvalues = ['test.accuracy']\n"
                           "[[figure]]\nx = 'task.seed'\ny = 'valid.accuracy'\n";
}

bool FakeSweep::can_run() {
  return !program_beside("lcsm").empty() && !program_beside("fake_train").empty();
}

Words FakeSweep::run_words(const Words& more) const {
  Words words = {
      program_beside("lcsm").string(),       "run",         file().string(),     "--trainer",
      program_beside("fake_train").string(), "--workspace", workspace().string()};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

Ran FakeSweep::run(const Words& more, const Words& environment) const {
  return run_program(run_words(more), environment);
}

Ran FakeSweep::lcsm(Words words) const {
  words.insert(words.begin(), program_beside("lcsm").string());
  words.insert(words.end(), {"--workspace", workspace().string()});
  return run_program(words);
}

std::string FakeSweep::id(int way) const { return planned(*this, way)["id"]; }
std::string FakeSweep::state(int way) const { return planned(*this, way)["state"]; }
fs::path FakeSweep::folder_of(int way) const { return workspace() / "runs" / id(way); }

std::string results_of(const FakeSweep& sweep) {
  const std::string file = sweep.file().string();
  std::string text;
  for (const Words& words :
       {Words{"table", file, "--format", "csv"}, Words{"figure", file, "--format", "csv"},
        Words{"query", "SELECT id, metric, step, value FROM history ORDER BY id, metric, step"}}) {
    const Ran ran = sweep.lcsm(words);
    EXPECT_EQ(ran.status, 0) << ran.err;
    text += ran.out;
  }
  return text;
}

Background::Background(const Words& command, const fs::path& output, const Words& environment)
    : output_(output) {
  std::vector<char*> words, variables;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  for (const std::string& each : environment) variables.push_back(const_cast<char*>(each.c_str()));
  words.push_back(nullptr);
  variables.push_back(nullptr);
  fs::remove(output);  // of an earlier one: this may be killed before it has opened its own
  id_ = fork();
  if (id_ != 0) return;
  const int file = open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  dup2(file, STDOUT_FILENO);
  dup2(file, STDERR_FILENO);
  execve(words[0], words.data(), variables.data());
  _exit(127);
}

Background::~Background() {
  if (status_ >= 0) return;
  kill(id_, SIGKILL);
  waitpid(id_, nullptr, 0);
}

bool Background::over() {
  int status = 0;
  if (status_ < 0 && waitpid(id_, &status, WNOHANG) == id_)
    status_ = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  return status_ >= 0;
}

int Background::wait() {
  comes_true([this] { return over(); });
  return status_;
}

std::string Background::output() const { return read_file(output_); }

std::vector<pid_t> children_of(pid_t parent) {
  const std::string id = std::to_string(parent);
  std::istringstream text(read_file("/proc/" + id + "/task/" + id + "/children"));
  std::vector<pid_t> children;
  for (pid_t child = 0; text >> child;) children.push_back(child);
  return children;
}

std::string no_storm() {
  for (const char* asked : {"CI", "LCSM_STORM", "LCSM_KILLS"})
    if (std::getenv(asked) != nullptr) return "";
  return "seconds of random disturbances that CI tries: set CI=true";
}

}  // namespace runner
