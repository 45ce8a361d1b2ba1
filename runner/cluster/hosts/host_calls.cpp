#include "runner/cluster/hosts/host_calls.h"

#include <array>
#include <chrono>
#include <sstream>
#include <string_view>

#include "lcsm/files/whole_file.h"
#include "runner/base/process/command.h"
#include "runner/base/process/exit_code.h"
#include "runner/base/process/stop_signals.h"
#include "runner/cluster/hosts/host_script.h"
#include "runner/cluster/submission/hand_over.h"
#include "runner/workspace/control.h"
#include "runner/workspace/folder.h"

namespace runner {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr auto kCallPatience = 60s;  // for a call that copies nothing
constexpr auto kCopyPatience = 12h;  // rsync itself ends a minute after the last byte
constexpr int kUnreached = 255;      // ssh's own failures
constexpr int kSomeVanished = 24;    // of rsync, while a run trains
constexpr const char* kShell = "ssh -o BatchMode=yes -o ConnectTimeout=10";

struct HostAdvice {
  std::string_view message, advice;
};

constexpr std::array kHostAdvice = {
    HostAdvice{"Permission denied", "make ssh log in without a prompt: ssh-copy-id or ssh-agent"},
    HostAdvice{"Host key verification failed", "log in once by hand to accept its host key"},
    HostAdvice{"Could not resolve", "set 'ssh' of the host to its address"},
    HostAdvice{"No space left", "free some space there, or set another 'workspace'"},
    HostAdvice{"Disk quota exceeded", "free some space there, or set another 'workspace'"},
    HostAdvice{"could not make way",
               "the host has a file where this workspace has a folder: remove "
               "one of them"},
    HostAdvice{"is your shell clean",
               "its login shell prints text before each command: let it print only where it is "
               "interactive, for rsync"},
    HostAdvice{"rsync: not found", "install rsync there"},
    HostAdvice{"rsync: command not found", "install rsync there"},
};

// Called before any value of a host becomes an argument of a command.
void check(const TrainingHost& host) {
  if (const std::string wrong = wrong_with(host); !wrong.empty())
    throw HostError(host.name + ": " + wrong, false);
}

std::vector<std::string> ssh_words(const TrainingHost& host, const std::string& command) {
  check(host);
  std::vector<std::string> words;
  std::istringstream shell(kShell);
  for (std::string word; shell >> word;) words.push_back(word);
  words.insert(words.end(), {"--", host.ssh, command});
  return words;
}

// A line that says nothing about the cause.
bool is_of_rsync_alone(const std::string& line) {
  return line.find("rsync error:") != line.npos || line.starts_with("(see the rsync manpage");
}

// The last line with a message: banners and lines that ssh adds come before it. ssh ends its lines
// with "\r\n".
std::string said(const CommandResult& result) {
  std::istringstream lines(result.err.empty() ? result.out : result.err);
  std::string all;
  for (std::string line; std::getline(lines, line);) {
    if (line.ends_with('\r')) line.pop_back();
    if (!line.empty() && !is_of_rsync_alone(line)) all = line;
  }
  return all.empty() ? "exit status " + std::to_string(result.exit_code) : all;
}

// Ends early once `lcsm run` is told to stop: a copy may take hours.
CommandResult call(const std::vector<std::string>& words, std::chrono::milliseconds patience) {
  return run_command(words, patience, {"LC_ALL=C"}, [] { return StopCounter::count() > 0; });
}

[[noreturn]] void fail(const TrainingHost& host, const std::string& program,
                       const CommandResult& result) {
  if (result.timed_out && StopCounter::count() > 0)
    throw Failure(ExitCode::kInterrupted, "interrupted: the same command continues");
  if (!result.started) throw HostError("no " + program + " on this host: install it", false);
  if (result.timed_out)
    throw HostError(host.name + ": " + program + " timed out: see `ssh " + host.ssh + "`", true);
  const std::string message = said(result);
  std::string advice =
      result.exit_code == kUnreached
          ? "see `ssh " + host.ssh + "`; remove it from hosts.toml to give its runs to others"
          : "";
  for (const HostAdvice& row : kHostAdvice)
    if (result.err.find(row.message) != result.err.npos) advice = row.advice;
  throw HostError(host.name + ": " + message + (advice.empty() ? "" : ": " + advice),
                  result.exit_code == kUnreached);
}

std::string ask(const TrainingHost& host, const std::vector<std::string>& words) {
  CommandResult result = call(ssh_words(host, shell_line(words)), kCallPatience);
  if (!result.ok()) fail(host, "ssh", result);
  return std::move(result.out);
}

std::string script_of(const TrainingHost& host, const std::string& token) {
  return (submission_folder(host.workspace, token) / kHostScriptFile).string();
}

// Returns what rsync printed.
std::string copy(const TrainingHost& host, const fs::path& workspace,
                 const std::vector<std::string>& paths, const std::vector<std::string>& options,
                 bool back) {
  check(host);
  const fs::path list = workspace / kSubmissionsFolder / (".files-" + host.name);
  std::string lines;
  for (const std::string& path : paths) lines += path + "\n";
  lcsm::write_whole(list, lines);
  const std::string here = workspace.string() + "/", there = host.ssh + ":" + host.workspace + "/";
  std::vector<std::string> words = {"rsync",
                                    "--recursive",
                                    "--protect-args",
                                    "--ignore-missing-args",
                                    "--timeout=60",
                                    std::string("--rsh=") + kShell,
                                    "--files-from=" + list.string(),
                                    "--exclude=/runs/*/claims"};
  words.insert(words.end(), options.begin(), options.end());
  words.insert(words.end(), {"--", back ? there : here, back ? here : there});
  CommandResult result = call(words, kCopyPatience);
  std::error_code kept;
  fs::remove(list, kept);
  if (!result.ok() && result.exit_code != kSomeVanished) fail(host, "rsync", result);
  return std::move(result.out);
}

}  // namespace

HostFacts facts_of_host(const TrainingHost& host, const std::string& probe) {
  HostFacts facts;
  std::istringstream lines(
      ask(host, {"sh", "-c", probe_script(), "sh", host.workspace, host.name, probe}));
  for (std::string line; std::getline(lines, line);) {
    const std::string key = line.substr(0, line.find(' '));
    const std::string value = key.size() < line.size() ? line.substr(key.size() + 1) : "";
    if (key == "system") facts.system = value;
    if (key == "cores") facts.cores = std::max<std::int64_t>(1, std::atoll(value.c_str()));
    if (key == "rsync") facts.rsync = true;
    if (key == "writable") facts.writable = true;
    if (key == "shared") facts.shared = true;
    if (key == "busy") facts.busy = value;
  }
  return facts;
}

std::vector<std::string> start_words(const TrainingHost& host, const std::string& token) {
  return ssh_words(host, shell_line({"sh", script_of(host, token), "start", host.name,
                                     std::to_string(host.jobs), host.gpus}));
}

void start_element(const TrainingHost& host, const std::string& token) {
  const CommandResult result = call(start_words(host, token), kCallPatience);
  if (!result.ok()) fail(host, "ssh", result);
}

ElementLook look_at_element(const TrainingHost& host, const std::string& token) {
  const std::string script = script_of(host, token);
  std::istringstream lines(ask(
      host, {"sh", "-c", "[ ! -e \"$1\" ] || exec sh \"$@\"", "sh", script, "look", host.name}));
  ElementLook look;
  for (std::string line; std::getline(lines, line);) {
    if (look.phase != ElementPhase::kNone)
      look.last = line;
    else if (line == "running")
      look.phase = ElementPhase::kRunning;
    else if (line == "ended")
      look.phase = ElementPhase::kEnded;
  }
  return look;
}

void send_files(const TrainingHost& host, const fs::path& workspace,
                const std::vector<std::string>& paths) {
  copy(host, workspace, paths, {"--archive"}, /*back=*/false);
}

// Requests that were withdrawn here are removed on the host.
void send_requests(const TrainingHost& host, const fs::path& workspace) {
  copy(host, workspace, {kControlFolder}, {"--archive", "--delete"}, /*back=*/false);
}

std::vector<std::string> fetch_files(const TrainingHost& host, const fs::path& workspace,
                                     const std::vector<std::string>& paths, bool with_checkpoints) {
  constexpr std::string_view kSkipped = "skipping non-regular file \"";
  // Unlike --archive this keeps neither links, devices, owners, groups nor setuid bits.
  std::vector<std::string> options = {"--times", "--chmod=u+rwX"};
  if (!with_checkpoints) options.push_back("--exclude=/runs/*/checkpoints/");
  std::istringstream lines(copy(host, workspace, paths, options, /*back=*/true));
  std::vector<std::string> skipped;
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(kSkipped) && line.ends_with('"'))
      skipped.push_back(line.substr(kSkipped.size(), line.size() - kSkipped.size() - 1));
  return skipped;
}

}  // namespace runner
