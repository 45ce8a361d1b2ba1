#include "runner/sweeps/schedule/run_claims.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>

#include "lcsm/files/open_file.h"
#include "lcsm/files/whole_file.h"
#include "results/events/event_file.h"
#include "results/events/event_writer.h"
#include "results/events/run_folder.h"
#include "runner/base/text/counts.h"
#include "runner/config/run/run_config.h"
#include "runner/config/run/run_line.h"
#include "runner/workspace/control.h"
#include "runner/workspace/folder.h"

namespace runner {
namespace {

namespace fs = std::filesystem;
using results::RunState;

constexpr double kMoment = 0.2;  // seconds between asks for a run that another process trains

constexpr const char* kDoneFolder = "done";
constexpr double kListPause = 30;           // seconds between listings of the folder
constexpr std::size_t kNamesOfALook = 100;  // names listed in the time to inspect one folder
constexpr std::size_t kLeastFound = 16;     // done runs found until a listing is worthwhile

fs::path done_folder(const fs::path& workspace, const std::string& token) {
  return submission_folder(workspace, token) / kDoneFolder;
}

}  // namespace

RunClaims::Answer RunClaims::ask(const RunToDo& run, double now) {
  const std::string& id = run.job.id;
  elsewhere_.erase(id);
  if (known_as_done(id, now)) return {.over = Ended{RunState::kDone, kByAnother}};
  const fs::path folder = results::run_folder(workspace_, id);
  lcsm::refuse_links(folder / results::kClaimsFolder);  // claims in another place would not be seen
  const double wait = shared_ ? shared_->beat / 2 : kMoment;
  std::int64_t judged = 0;
  const ClaimLife life = watch_.look(folder, now, &judged);
  if (life == ClaimLife::kAlive) elsewhere_.insert(id);
  if (life != ClaimLife::kFree) return {.wait = wait};
  if (auto over = end_elsewhere(folder, id)) {
    found_done_ += over->state == RunState::kDone;
    return {.over = std::move(over)};
  }
  if (results::events_are_being_written(folder)) return {.wait = kMoment};
  Claim wish{.owner = this_owner()};
  if (shared_) {
    wish.submission = shared_->submission;
    wish.beat = shared_->beat;
    wish.silence = shared_->silence;
  }
  const bool fruitless = shared_ && shared_->fruitless > 0 &&
                         fruitless_claims(folder, shared_->submission) >= shared_->fruitless &&
                         !wants_retry(read_control(workspace_), workspace_, id);
  const auto claim = make_claim(folder, wish, /*own_segment=*/shared_.has_value(), judged);
  if (!claim) return {.wait = kMoment};
  if (fruitless) return {.over = fail(run, *claim)};
  made_[id] = claim->number;
  return {.claim = claim->number};
}

bool RunClaims::known_as_done(const std::string& id, double now) {
  if (!shared_) return false;
  const auto packed = [](std::string_view text) {
    Id name{};
    text.copy(name.data(), name.size());
    return name;
  };
  const bool first = read_done_ < 0;
  const std::size_t worth = std::max(kLeastFound, done_.size() / kNamesOfALook);
  if (first || (found_done_ >= worth && now - read_done_ >= kListPause)) {
    done_.clear();
    for (const auto& entry : results::entries_of(done_folder(workspace_, shared_->submission)))
      if (const std::string name = entry.path().filename(); results::is_run_id(name))
        done_.push_back(packed(name));
    std::ranges::sort(done_);
    read_done_ = std::max(now, 0.0);
    found_done_ = 0;
  }
  return std::ranges::binary_search(done_, packed(id));
}

// The final end that another process of the submission recorded; nullopt if the run may be
// restarted.
std::optional<Ended> RunClaims::end_elsewhere(const fs::path& folder, const std::string& id) {
  if (!shared_) return std::nullopt;
  const std::int64_t newest = newest_claim(folder);
  const auto end = newest > 0 ? claim_end(folder, newest) : std::nullopt;
  if (!end || made_.contains(id)) return std::nullopt;
  const auto claim = read_claim(folder, newest);
  const results::RunStateRow& row = results::row_of(*end);
  const bool final = claim && claim->submission == shared_->submission && !row.retried &&
                     !row.starts && !wants_retry(read_control(workspace_), workspace_, id);
  if (*end != RunState::kDone && !final) return std::nullopt;
  return Ended{*end, kByAnother};
}

// Records the failure in the run's events, so that the run is not restarted automatically.
Ended RunClaims::fail(const RunToDo& run, const Claim& claim) {
  const fs::path folder = results::run_folder(workspace_, run.job.id);
  const Ended ended{RunState::kFailed,
                    fmt::format("gained no step in {}: see its {}",
                                counted(shared_->fruitless, "attempt"), results::kLogFile)};
  const RunConfig config = parse_config(run.config, run.job.id, {}, [](const std::string&) {});
  try {
    results::EventWriter events(folder, run_line(config), results::seconds_since_1970,
                                claim.segment);
    events.append(results::AttemptLine{claim.step, events.position().lines, {}});
    events.append(results::EndLine{ended.state, claim.step, ended.why});
    events.sync();
  } catch (const results::EventError&) {  // damaged: `lcsm why` shows where
  }
  end_claim(folder, claim.number, ended.state);
  return ended;
}

bool RunClaims::all_elsewhere(const Scheduler& scheduler) const {
  if (!shared_ || scheduler.running() > 0) return false;
  const auto& entries = scheduler.entries();
  return std::all_of(entries.begin(), entries.end(), [this](const Scheduler::Entry& entry) {
    return !entry.queued || elsewhere(entry.job.id);
  });
}

void RunClaims::ended(const RunToDo& run, RunState end) {
  const auto made = made_.extract(run.job.id);
  if (made.empty()) return;
  end_claim(results::run_folder(workspace_, run.job.id), made.mapped(), end);
  if (!shared_ || end != RunState::kDone) return;
  const fs::path done = done_folder(workspace_, shared_->submission);
  lcsm::create_folder(done);
  const lcsm::OpenFile file(done / run.job.id, O_WRONLY | O_CREAT);
}

}  // namespace runner
