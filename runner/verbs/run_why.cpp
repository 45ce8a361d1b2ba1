#include "runner/verbs/run_why.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>

#include "results/events/run_folder.h"
#include "results/store/run_facts.h"
#include "runner/front/results_verb.h"
#include "runner/front/run_choice.h"
#include "runner/plan/run_states.h"
#include "runner/process/run_outcome.h"
#include "runner/schedule/conductor_parts.h"
#include "runner/text/duration.h"
#include "runner/workspace/control.h"
#include "runner/workspace/run_lock.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kShownLines = 8;
constexpr std::streamoff kShownBytes = 4096;

// What may let a run that ended so end otherwise; none of these: start it again.
struct Remedy {
  Outcome outcome;
  std::string_view text;
};
constexpr std::array kRemedies = {
    Remedy{Outcome::kConfiguration, "mend what the log says"},
    Remedy{Outcome::kDataMissing, "fetch the data that the log names"},
    Remedy{Outcome::kNoRoom, "make room on the disk"},
    Remedy{Outcome::kDiverged, "it would diverge again: another learning rate is another run"},
    Remedy{Outcome::kOutOfMemory, "fewer runs at a time (`lcsm jobs N`), or a larger machine"},
};

std::string remedy_of(const std::optional<EndNote>& end, const std::string& status) {
  const std::string name = end                         ? end->outcome
                           : status == "out-of-memory" ? "out of memory"
                                                       : status;
  for (const Remedy& remedy : kRemedies)
    if (name_of(remedy.outcome) == name) return std::string(remedy.text) + "; ";
  return "";
}

std::vector<std::string> last_lines(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary | std::ios::ate);
  if (!stream) return {};
  const std::streamoff size = stream.tellg();
  stream.seekg(std::max<std::streamoff>(0, size - kShownBytes));
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  const bool cut = size > kShownBytes && lines.size() > 1;
  lines.erase(lines.begin(), lines.size() > kShownLines ? lines.end() - kShownLines
                                                        : lines.begin() + (cut ? 1 : 0));
  return lines;
}

class Reasons {
 public:
  Reasons(const fs::path& workspace, const RunState* state, const std::string& status, RunWhy& why)
      : workspace_(workspace),
        status_(status),
        message_(state == nullptr ? "" : state->message),
        runner_(who_runs(workspace)),
        why_(why) {}

  void give() {
    const std::string& state = why_.state;
    if (state == "done") say(fmt::format("trained to its end, step {}", why_.steps));
    if (state == "running")
      say(fmt::format("a process writes its events, behind step {}", why_.steps));
    if (status_ == "lost") say("its process is gone and did not say why");
    if (status_ == "interrupted") say(fmt::format("interrupted behind step {}", why_.steps));
    if (state == "failed") say(status_ + fmt::format(" behind step {}", why_.steps));
    if (!message_.empty() && state != "done") say(message_);
    if (why_.end) say(fmt::format("{}: {}", why_.end->outcome, why_.end->why));
    if (state == "new" && !why_.end) say("it has not been started");
    if (why_.end && why_.set_by.empty()) why_.set_by = why_.end->by + " at " + why_.end->time;
    if (state == "new" || state == "interrupted") say_what_it_waits_for();
    why_.next = next();
  }

 private:
  void say(const std::string& text) { why_.because.push_back(text); }

  void say_what_it_waits_for() {
    if (!runner_) return say("nobody runs this workspace");
    if (why_.end && why_.end->starts_again > 0)
      say(fmt::format("tried {} times, starts again {:.0f} s after {}", why_.end->tries,
                      why_.end->starts_again, why_.end->time));
    const std::optional<int> jobs = read_control(workspace_).jobs;
    if (jobs == 0) say("paused: `lcsm jobs 0` was asked for");
    const double free = free_bytes(workspace_), least = SweepRunSettings().least_disk_bytes;
    if (free < least)
      say(size_text(free) + " of disk are free: nothing new starts below " + size_text(least));
    say("waits for its turn with " + runner_->text() + ", if that sweep has it");
  }

  std::string next() const {
    const std::string id = why_.id.substr(0, 8);
    const std::string& state = why_.state;
    if (state == "done") return "`lcsm show " + id + "`";
    if (state == "running") return "`lcsm log " + id + " -f` follows it";
    if (state == "cancelled") return "`lcsm retry " + id + "` takes it back";
    if (status_ == "refused")
      return "its event file cannot be believed: mend or move " +
             (why_.folder / results::kEventFile).string();
    if (state == "failed") return remedy_of(why_.end, status_) + "`lcsm retry " + id + "`";
    const std::string remedy = remedy_of(why_.end, status_);
    return remedy +
           (runner_ ? "it starts by itself" : "the next `lcsm run` of its sweep starts it");
  }

  const fs::path& workspace_;
  std::string status_, message_;
  std::optional<WorkspaceRunner> runner_;
  RunWhy& why_;
};

}  // namespace

RunWhy why_of(const fs::path& workspace, const std::string& start) {
  const auto database = current_results(workspace);
  const RunStates states = run_states(*database, workspace);
  const FoundRun found = find_run_or_point(start, states, workspace);
  RunWhy why;
  why.id = found.id;
  why.state = kind_of(states, found.id);
  why.folder = results::run_folder(workspace, found.id);
  why.end = read_end_note(why.folder);
  why.last_log = last_lines(why.folder / results::kLogFile);
  why.set_by = who_wants(workspace, found.id);
  if (!found.sweep.empty())
    why.point = fmt::format("{} of {}, scale {}", found.name, found.sweep, found.scale);
  const auto state = states.find(found.id);
  std::string status = state == states.end() ? "" : state->second.status;
  results::Statement row(*database, "SELECT status, steps, attempts FROM runs WHERE id = ?");
  row.bind_all(std::string_view(found.id));
  if (row.step()) {
    if (status == "cancelled") status = row.text(0);
    why.steps = row.integer(1);
    why.attempts = row.integer(2);
  }
  Reasons(workspace, state == states.end() ? nullptr : &state->second, status, why).give();
  return why;
}

}  // namespace runner
