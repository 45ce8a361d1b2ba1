#include "tests/runner/run_program.h"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <thread>

namespace runner {
namespace {

constexpr std::chrono::seconds kPatience{60};  // a busy host is no failure

struct Stream {
  int descriptor;
  std::string* text;
};

// Reads all streams to their ends; kills a program that runs longer than kPatience.
void drain(std::vector<Stream> streams, pid_t child) {
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  while (!streams.empty()) {
    std::vector<pollfd> waiting;
    for (const Stream& stream : streams) waiting.push_back({stream.descriptor, POLLIN, 0});
    poll(waiting.data(), waiting.size(), 100);
    if (std::chrono::steady_clock::now() > deadline) kill(child, SIGKILL);
    for (std::size_t i = waiting.size(); i-- > 0;) {
      if (waiting[i].revents == 0) continue;
      std::array<char, 4096> buffer;
      const ssize_t got = read(streams[i].descriptor, buffer.data(), buffer.size());
      if (got > 0) streams[i].text->append(buffer.data(), static_cast<std::size_t>(got));
      if (got > 0) continue;
      close(streams[i].descriptor);
      streams.erase(streams.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
}

int status_of(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

void become_program(const Words& command, const Words& environment) {
  // Sanitized programs search for leaks when they end, a third of the time of a short one. Whole
  // stacks of allocations and much freed memory cost another tenth.
  Words lines = {"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/nonexistent", "TERM=xterm",
                 "ASAN_OPTIONS=detect_leaks=0:malloc_context_size=2:quarantine_size_mb=16:"
                 "intercept_tls_get_addr=0"};
  lines.insert(lines.end(), environment.begin(), environment.end());
  clearenv();
  for (const std::string& line : lines) {
    const std::size_t equals = line.find('=');
    setenv(line.substr(0, equals).c_str(), line.substr(equals + 1).c_str(), 1);
  }
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  _exit(127);
}

std::filesystem::path program_beside(const std::string& name) {
  const auto path = std::filesystem::read_symlink("/proc/self/exe").parent_path() / name;
  return std::filesystem::exists(path) ? path : std::filesystem::path{};
}

Ran run_program(const Words& command, const Words& environment) {
  int out[2], err[2];
  if (pipe2(out, O_CLOEXEC) != 0 || pipe2(err, O_CLOEXEC) != 0) return {};
  const pid_t child = fork();
  if (child == 0) {
    dup2(open("/dev/null", O_RDONLY | O_CLOEXEC), STDIN_FILENO);
    dup2(out[1], STDOUT_FILENO);
    dup2(err[1], STDERR_FILENO);
    become_program(command, environment);
  }
  close(out[1]);
  close(err[1]);
  Ran ran;
  drain({{out[0], &ran.out}, {err[0], &ran.err}}, child);
  ran.status = status_of(child);
  return ran;
}

Ran run_lcsm(Words words, const Words& environment) {
  words.insert(words.begin(), program_beside("lcsm").string());
  return run_program(words, environment);
}

Ran run_on_terminal(const Words& command, const Words& environment, const std::string& typed) {
  winsize size{.ws_row = 24, .ws_col = 80, .ws_xpixel = 0, .ws_ypixel = 0};
  int master = -1;
  const pid_t child = forkpty(&master, nullptr, nullptr, &size);
  if (child == 0) become_program(command, environment);
  Ran ran;
  if (!typed.empty() && write(master, typed.data(), typed.size()) < 0) return ran;
  drain({{master, &ran.out}}, child);
  ran.status = status_of(child);
  std::erase(ran.out, '\r');
  return ran;
}

namespace {

// Returns what `stream` was before.
int redirect(std::FILE* stream, const std::filesystem::path& path) {
  std::fflush(stream);
  const int before = fcntl(fileno(stream), F_DUPFD_CLOEXEC, 0);
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (before < 0 || file < 0) throw std::runtime_error("no output into " + path.string());
  dup2(file, fileno(stream));
  close(file);
  return before;
}

void restore(std::FILE* stream, int before) {
  std::fflush(stream);
  dup2(before, fileno(stream));
  close(before);
}

}  // namespace

OutputInto::OutputInto(const std::filesystem::path& out, const std::filesystem::path& err)
    : out_(redirect(stdout, out)), err_(redirect(stderr, err)) {}

OutputInto::~OutputInto() {
  restore(stdout, out_);
  restore(stderr, err_);
}

ScratchFolder::ScratchFolder()
    : ScratchFolder(access("/dev/shm", W_OK | X_OK) == 0 ? "/dev/shm"
                                                         : std::filesystem::temp_directory_path()) {
}

ScratchFolder::ScratchFolder(const std::filesystem::path& parent) {
  std::string name = (parent / "lcsm-test-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no scratch folder: " + name);
  path_ = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

bool can_cut_files(const std::filesystem::path& folder) {
  const int file = open((folder / "cut").c_str(), O_RDWR | O_CREAT, 0600);
  struct stat facts {};
  fstat(file, &facts);
  const bool can = ftruncate(file, 2 * facts.st_blksize) == 0 &&
                   fallocate(file, FALLOC_FL_COLLAPSE_RANGE, 0, facts.st_blksize) == 0;
  close(file);
  return can;
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();  // does not throw if a file of /proc ends with its process
  return text.str();
}

bool comes_true(const std::function<bool()>& condition) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return true;
}

}  // namespace runner
