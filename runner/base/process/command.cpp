#include "runner/base/process/command.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>

extern char** environ;

namespace runner {
namespace {

using Clock = std::chrono::steady_clock;

// When a program is killed.
struct Limit {
  Clock::time_point deadline;
  const std::function<bool()>& stop;

  // 0: now.
  std::chrono::milliseconds left() const {
    using namespace std::chrono_literals;
    if (stop && stop()) return 0ms;
    const auto rest = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    return std::clamp<std::chrono::milliseconds>(rest, 0ms, stop ? 100ms : 24h);
  }
};

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> out;
  for (std::string& word : words) out.push_back(word.data());
  out.push_back(nullptr);
  return out;
}

// Starts the program in its own process group, so that it can be killed with its children. Returns
// 0 if it could not be started.
pid_t spawn(std::vector<std::string> words, std::vector<std::string> environment, int out,
            int err) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  pid_t pid = 0;
  const int failed = posix_spawnp(&pid, words[0].c_str(), &actions, &attributes,
                                  pointers(words).data(), pointers(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return failed == 0 ? pid : 0;
}

// Appends the available bytes; false at the end of the stream.
bool drain(int fd, std::string* text) {
  char buffer[4096];
  const ssize_t got = read(fd, buffer, sizeof buffer);
  if (got > 0) text->append(buffer, static_cast<std::size_t>(got));
  return got > 0;
}

// Reads both streams until they end; false if time runs out first.
bool read_all(int out, int err, const Limit& limit, CommandResult* result) {
  pollfd streams[] = {{out, POLLIN, 0}, {err, POLLIN, 0}};
  std::string* texts[] = {&result->out, &result->err};
  while (streams[0].fd >= 0 || streams[1].fd >= 0) {
    const auto left = limit.left();
    if (left.count() == 0) return false;
    if (poll(streams, 2, static_cast<int>(left.count())) <= 0) continue;
    for (int i = 0; i < 2; ++i)
      if (streams[i].fd >= 0 && streams[i].revents != 0 && !drain(streams[i].fd, texts[i]))
        streams[i].fd = -1;  // poll ignores it
  }
  return true;
}

// A program may close its streams and keep running.
bool wait_until(pid_t pid, const Limit& limit, int* status) {
  while (waitpid(pid, status, WNOHANG) == 0) {
    if (limit.left().count() == 0) return false;
    usleep(1000);
  }
  return true;
}

}  // namespace

std::vector<std::string> environment_with(const std::vector<std::string>& changes) {
  const auto name_of = [](const std::string& entry) { return entry.substr(0, entry.find('=')); };
  std::vector<std::string> out;
  for (const std::string& entry : changes)
    if (entry.find('=') != entry.npos) out.push_back(entry);
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string name = name_of(*entry);
    const auto same = [&](const std::string& other) { return name_of(other) == name; };
    if (std::none_of(changes.begin(), changes.end(), same)) out.emplace_back(*entry);
  }
  return out;
}

CommandResult run_command(const std::vector<std::string>& words, std::chrono::milliseconds limit,
                          const std::vector<std::string>& environment,
                          const std::function<bool()>& stop) {
  CommandResult result;
  int out[2], err[2];
  if (pipe2(out, O_CLOEXEC) != 0) return result;
  if (pipe2(err, O_CLOEXEC) != 0) {
    close(out[0]);
    close(out[1]);
    return result;
  }
  const pid_t pid = spawn(words, environment_with(environment), out[1], err[1]);
  close(out[1]);
  close(err[1]);
  if (pid != 0) {
    const Limit until{Clock::now() + limit, stop};
    int status = 0;
    result.started = true;
    result.timed_out =
        !read_all(out[0], err[0], until, &result) || !wait_until(pid, until, &status);
    if (result.timed_out) {
      kill(-pid, SIGKILL);
      waitpid(pid, &status, 0);
    }
    result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  close(out[0]);
  close(err[0]);
  return result;
}

std::string trouble_of(const CommandResult& result, const std::string& program) {
  if (result.timed_out) return program + " timed out";
  if (!result.err.empty()) return first_line(result.err);
  if (!result.out.empty()) return first_line(result.out);
  return program + " exited with status " + std::to_string(result.exit_code);
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace runner
