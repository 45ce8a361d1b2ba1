#include "runner/front/pages/run_why.h"

#include <fmt/format.h>

#include <array>

#include "results/events/event_file.h"
#include "results/events/run_folder.h"
#include "results/store/run_facts.h"
#include "runner/base/files/text_tail.h"
#include "runner/base/text/counts.h"
#include "runner/base/text/duration.h"
#include "runner/cluster/launch/engines.h"
#include "runner/sweeps/plan/open_results.h"
#include "runner/sweeps/plan/run_choice.h"
#include "runner/sweeps/plan/run_states.h"
#include "runner/sweeps/schedule/conductor_parts.h"
#include "runner/workspace/claim_watch.h"
#include "runner/workspace/control.h"
#include "runner/workspace/run_lock.h"

namespace runner {
namespace {

namespace fs = std::filesystem;
using results::RunState;

constexpr std::size_t kShownLines = 8;
constexpr std::uintmax_t kShownBytes = 4096;

// Advice for a run that ended in this state, before it is restarted.
struct Remedy {
  RunState state;
  std::string_view text;
};
constexpr std::array kRemedies = {
    Remedy{RunState::kConfiguration, "fix what the log reports"},
    Remedy{RunState::kDataMissing, "fetch the data that the log names"},
    Remedy{RunState::kNoRoom, "free some disk space"},
    Remedy{RunState::kDiverged,
           "it would diverge again: try another learning rate, which is another run"},
    Remedy{RunState::kOutOfMemory, "run fewer at a time (`lcsm jobs N`), or use a larger host"},
};

std::string remedy_of(RunState state) {
  for (const Remedy& remedy : kRemedies)
    if (remedy.state == state) return std::string(remedy.text);
  return "";
}

class Reasons {
 public:
  Reasons(const fs::path& workspace, const RunStatus& status, RunWhy& why)
      : workspace_(workspace), status_(status), runner_(who_runs(workspace)), why_(why) {}

  void give() {
    if (status_.state == RunState::kRunning)
      say(fmt::format("{} is training it, at step {}", trainer(), why_.steps));
    else
      say_how_it_ended();
    if (why_.end && why_.set_by.empty()) why_.set_by = why_.end->by + " at " + why_.end->time;
    if (!is_over(status_.state) && status_.state != RunState::kRunning &&
        status_.state != RunState::kCancelled) {
      if (const std::string claim = claim_in_the_way(why_.folder); !claim.empty())
        say("it is " + claim);
      ask_engines();
      say_what_it_waits_for();
    }
    why_.next = next();
  }

 private:
  void say(const std::string& text) { why_.because.push_back(text); }

  std::string trainer() const {
    const std::string who = who_may_train(why_.folder);
    return who.empty() ? "a process" : who;
  }

  void say_how_it_ended() {
    const RunState last = status_.last;
    if (last == RunState::kNew) return say("it has not been started");
    if (last == RunState::kDone)
      return say(fmt::format("training finished at step {}", why_.steps));
    const std::string noted = why_.end ? why_.end->why : "";
    const bool same_end = why_.end && why_.end->state == last;
    const std::string& message = status_.message;
    const std::string reason = same_end && !noted.empty() ? noted : message;
    if (last == RunState::kLost)
      say("its process exited without an end event");
    else
      say(fmt::format("{} after step {}{}", name_of(last), why_.steps,
                      reason.empty() ? "" : ": " + reason));
    if (why_.end && !same_end) say(fmt::format("{}: {}", name_of(why_.end->state), noted));
    if (!message.empty() && message != noted && message != reason) say(message);
  }

  void say_what_it_waits_for() {
    for (const std::string& line : on_engines_) say(line);
    if (!runner_ && !on_engines_.empty()) return;
    if (!runner_) return say("no `lcsm run` in this workspace");
    if (why_.end && why_.end->starts_again > 0)
      say(fmt::format("attempted {}, to be retried {:.0f} s after {}",
                      counted(why_.end->tries, "time"), why_.end->starts_again, why_.end->time));
    const std::optional<int> jobs = read_control(workspace_).jobs;
    if (jobs == 0) say("paused by `lcsm jobs 0`");
    if (const std::string little = little_disk(free_bytes(workspace_)); !little.empty())
      say(little);
    say("waiting for " + runner_->text() + " to start it, if it is in that sweep");
  }

  void ask_engines() {
    on_engines_ =
        Engines(workspace_).why(why_.id, [this](const std::string& error) { say(error); });
  }

  std::string next() const {
    const std::string id = why_.id.substr(0, 8);
    switch (status_.state) {
      case RunState::kDone:
        return "`lcsm show " + id + "`";
      case RunState::kRunning:
        return "`lcsm log " + id + " -f` follows it";
      case RunState::kCancelled:
        return "`lcsm retry " + id + "` allows it to start";
      case RunState::kRefused:
        return "its event file is damaged: repair or move " +
               results::event_file(why_.folder).string();
      default:
        break;
    }
    const std::string remedy = remedy_of(status_.last);
    if (status_.last == RunState::kDiverged) return remedy;
    const std::string start = !row_of(status_.state).starts ? "`lcsm retry " + id + "`"
                              : runner_ || !on_engines_.empty()
                                  ? "it will be started"
                                  : "the next `lcsm run` of its sweep starts it";
    return remedy.empty() ? start : remedy + "; " + start;
  }

  const fs::path& workspace_;
  const RunStatus& status_;
  std::optional<WorkspaceRunner> runner_;
  std::vector<std::string> on_engines_;
  RunWhy& why_;
};

}  // namespace

RunWhy why_of(const fs::path& workspace, const std::string& start) {
  const auto database = open_results(workspace);
  const RunStates states = run_states(*database, workspace);
  const FoundRun found = find_run_or_point(start, *database, states, workspace);
  RunWhy why;
  why.id = found.id;
  const auto known = states.find(found.id);
  const RunStatus status = known == states.end() ? RunStatus{} : known->second;
  why.state = status.state;
  why.steps = status.steps;
  why.folder = results::run_folder(workspace, found.id);
  why.end = read_end_note(why.folder);
  why.last_log = last_lines(why.folder / results::kLogFile, kShownLines, kShownBytes);
  why.set_by = who_wants(workspace, found.id);
  if (!found.sweep.empty())
    why.point = fmt::format("{} of {}, scale {}", found.name, found.sweep, found.scale);
  results::Statement attempts(*database, "SELECT attempts FROM runs WHERE id = ?", found.id);
  if (attempts.step()) why.attempts = attempts.integer(0);
  Reasons(workspace, status, why).give();
  return why;
}

}  // namespace runner
