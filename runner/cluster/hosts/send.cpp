#include "runner/cluster/hosts/send.h"

#include <algorithm>
#include <optional>

#include "lcsm/base/words.h"
#include "lcsm/files/whole_file.h"
#include "results/events/run_folder.h"
#include "runner/base/process/process_facts.h"
#include "runner/cluster/hosts/host_script.h"
#include "runner/cluster/hosts/shares.h"
#include "runner/workspace/control.h"
#include "runner/workspace/folder.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> run_paths(const std::vector<std::string>& ids) {
  std::vector<std::string> paths;
  for (const std::string& id : ids) paths.push_back(std::string(results::kRunsFolder) + "/" + id);
  return paths;
}

std::string folder_name(const std::string& token) {
  return std::string(kSubmissionsFolder) + "/" + token;
}

// Sends a part to a host that has a workspace of its own.
void send_part(const fs::path& workspace, const HostPart& part) {
  const Submission submission = read_submission(submission_folder(workspace, part.token));
  std::set<std::string> ids;
  for (const SubmittedRun& run : submission.runs) {
    ids.insert(run.id);
    if (const std::string from = started_from(run); !from.empty()) ids.insert(from);
  }
  std::vector<std::string> paths = run_paths({ids.begin(), ids.end()});
  paths.push_back(folder_name(part.token));
  paths.push_back(std::string(kFrozenFolder) + "/" + submission.program);
  send_files(part.hosts.front(), workspace, paths);
  send_requests(part.hosts.front(), workspace);
}

void report_skipped(const TrainingHost& host, std::vector<std::string> paths, const Said& said) {
  constexpr std::size_t kShown = 3;
  if (paths.empty()) return;
  const std::size_t all = paths.size();
  paths.resize(std::min(all, kShown));
  said(host.name + " has links, pipes or devices, which are not fetched: " + lcsm::joined(paths) +
       (all > kShown ? " and " + std::to_string(all - kShown) + " more" : ""));
}

// Sends requests to the host and fetches events.
void exchange(const fs::path& workspace, const HostPart& part, bool ended, const Said& said) {
  const TrainingHost& host = part.hosts.front();
  if (!ended) send_requests(host, workspace);
  std::vector<std::string> paths = run_paths(submitted_runs(workspace, part.token));
  paths.push_back(folder_name(part.token) + "/" + host.name + ".log");
  report_skipped(host, fetch_files(host, workspace, paths, /*with_checkpoints=*/ended), said);
}

// Starts the worker that an earlier `lcsm run` was killed before starting. Returns false if another
// process has meanwhile claimed one of its runs.
bool start_again(const fs::path& workspace, const HostPart& part, const TrainingHost& host) {
  if (!part.shared) {
    const std::vector<std::string> ids = submitted_runs(workspace, part.token);
    if (claim_for_host(workspace, part, ids).size() < ids.size()) return false;
    send_part(workspace, part);
  }
  start_element(host, part.token);
  return true;
}

class PartsLook {
 public:
  PartsLook(const fs::path& workspace, const std::vector<TrainingHost>& hosts, const Said& said)
      : workspace_(workspace), hosts_(hosts), said_(said) {}

  HostsLook look() {
    for (const HostPart& part : open_parts(workspace_)) {
      bool alive = false;
      for (const TrainingHost& host : part.hosts) alive = look_at(part, host) || alive;
      if (!alive) {
        close_part(workspace_, part);
        continue;
      }
      result_.open.push_back(part);
      for (std::string& id : submitted_runs(workspace_, part.token))
        result_.runs.insert(std::move(id));
    }
    return result_;
  }

 private:
  // True if the host trains its part, or may train it.
  bool look_at(const HostPart& part, const TrainingHost& host) {
    if (std::ranges::find(hosts_, host.name, &TrainingHost::name) == hosts_.end()) {
      said_(host.name + " is no longer in hosts.toml: other hosts may train its runs");
      return false;
    }
    try {
      ElementLook look = look_at_element(host, part.token);
      if (look.phase == ElementPhase::kNone) {
        const bool started = start_again(workspace_, part, host);
        look.phase = started ? ElementPhase::kRunning : ElementPhase::kEnded;
      }
      const bool ended = look.phase == ElementPhase::kEnded;
      if (!part.shared) exchange(workspace_, part, ended, said_);
      if (ended)
        said_(host.name + " has ended: " + (look.last.empty() ? "no output" : look.last));
      else
        result_.running.push_back(host.name);
      if (!ended && look.last.find("paused: ") != look.last.npos)
        said_(host.name + ": " + look.last);
      return !ended;
    } catch (const HostError& error) {
      said_(error.what());
      return true;
    }
  }

  fs::path workspace_;
  const std::vector<TrainingHost>& hosts_;
  const Said& said_;
  HostsLook result_;
};

std::string trouble_of(const TrainingHost& host, const HostFacts& facts) {
  if (!facts.busy.empty())
    return "is still training " + facts.busy + ": it gets no more runs for now";
  if (!facts.writable)
    return "expected a writable folder at " + host.workspace +
           ", got none: set 'workspace' in hosts.toml";
  if (facts.system != "Linux x86_64")
    return "expected Linux x86_64, as on this host, got " + facts.system +
           ": remove it from hosts.toml";
  if (!facts.shared && !facts.rsync)
    return "its " + host.workspace + " is not this workspace, and it has no rsync: install it";
  return "";
}

// An empty file, removed at the end.
class TemporaryFile {
 public:
  explicit TemporaryFile(const fs::path& path) : path_(path) { lcsm::write_whole(path_, ""); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    std::error_code kept;
    fs::remove(path_, kept);
  }

 private:
  fs::path path_;
};

// Hosts that train one part together. Each host that does not share this workspace has its own bin;
// the hosts that share it have the last one.
struct Bin {
  std::vector<TrainingHost> hosts;
  double at_once = 0;
  bool shared = false;
  std::vector<SubmittedRun> runs = {};
};

std::vector<Bin> bins_of(const std::vector<ReadyHost>& hosts) {
  std::vector<Bin> bins;
  Bin together{{}, 0, true};
  for (const ReadyHost& ready : hosts) {
    if (!ready.shared) bins.push_back({{ready.host}, ready.at_once});
    if (!ready.shared) continue;
    together.hosts.push_back(ready.host);
    together.at_once += ready.at_once;
  }
  if (!together.hosts.empty()) bins.push_back(std::move(together));
  return bins;
}

void share(const std::vector<SubmittedRun>& runs, std::vector<Bin>* bins) {
  std::vector<double> seconds, at_once;
  for (const SubmittedRun& run : runs) seconds.push_back(run.seconds);
  for (const Bin& bin : *bins) at_once.push_back(bin.at_once);
  const std::vector<std::size_t> bin_of = share_out(seconds, at_once);
  for (std::size_t i = 0; i < runs.size(); ++i) (*bins)[bin_of[i]].runs.push_back(runs[i]);
}

// Starts the hosts that share the workspace one after the other. If one does not start, the others
// train its runs.
bool start_all(const fs::path& workspace, HostPart* part, const Said& said) {
  std::vector<TrainingHost> started;
  for (const TrainingHost& host : part->hosts) {
    try {
      if (!part->shared) send_part(workspace, *part);
      start_element(host, part->token);
      started.push_back(host);
    } catch (const HostError& error) {
      said(error.what());
      if (error.unreached()) started.push_back(host);
    }
  }
  part->hosts = started;
  return !started.empty();
}

std::optional<HostPart> send_bin(const fs::path& workspace, const Submission& whole, const Bin& bin,
                                 const Said& said) {
  Submission submission = whole;
  if (!bin.shared) submission.token += "-" + bin.hosts.front().name;
  submission.runs = bin.runs;
  HostPart part{submission.token, whole.mark.sweep, bin.shared, bin.hosts, false,
                user_at_host(),   utc_now()};
  write_submission(workspace, submission);
  const fs::path folder = submission_folder(workspace, part.token);
  lcsm::write_whole(folder / kHostScriptFile, host_script(submission.program));
  write_part(workspace, part);
  std::vector<std::string> ids;
  for (const SubmittedRun& run : bin.runs) ids.push_back(run.id);
  if (!bin.shared && claim_for_host(workspace, part, ids).size() < ids.size())
    said(part.hosts.front().name + " gets no runs: another process is training one of them");
  else if (start_all(workspace, &part, said)) {
    write_part(workspace, part);
    return part;
  }
  close_part(workspace, part);
  fs::remove_all(folder);
  return std::nullopt;
}

}  // namespace

HostsLook look_at_hosts(const fs::path& workspace, const std::vector<TrainingHost>& hosts,
                        const Said& said) {
  return PartsLook(workspace, hosts, said).look();
}

std::vector<ReadyHost> ready_hosts(const fs::path& workspace,
                                   const std::vector<TrainingHost>& hosts, const Said& said) {
  const std::string probe = new_token(".seen-by-hosts");
  const TemporaryFile file(workspace / probe);
  std::vector<ReadyHost> ready;
  for (const TrainingHost& host : hosts) {
    try {
      const HostFacts facts = facts_of_host(host, probe);
      const std::string trouble = trouble_of(host, facts);
      if (!trouble.empty()) said(host.name + ": " + trouble);
      if (!trouble.empty()) continue;
      const std::int64_t gpus = std::ranges::count(host.gpus, ',') + 1;
      const std::int64_t at_once = host.jobs > 0       ? host.jobs
                                   : host.gpus.empty() ? facts.cores
                                                       : gpus;
      ready.push_back({host, static_cast<double>(at_once), facts.shared});
    } catch (const HostError& error) {
      said(error.what());
    }
  }
  return ready;
}

std::vector<HostPart> send_to_hosts(const fs::path& workspace, const Submission& whole,
                                    const std::vector<ReadyHost>& hosts, const Said& said) {
  std::vector<Bin> bins = bins_of(hosts);
  if (bins.empty()) return {};
  share(whole.runs, &bins);
  std::vector<HostPart> parts;
  for (const Bin& bin : bins)
    if (!bin.runs.empty())
      if (auto part = send_bin(workspace, whole, bin, said)) parts.push_back(std::move(*part));
  return parts;
}

}  // namespace runner
