#include "tests/runner/fake_learner.h"

#include <fstream>
#include <set>
#include <stdexcept>

#include "lcsm/files/whole_file.h"
#include "results/events/checkpoints.h"
#include "results/events/run_folder.h"

namespace runner {
namespace {

namespace fs = std::filesystem;
using results::CheckpointPlace;

std::set<CheckpointPlace> places_in(const fs::path& folder) {
  std::set<CheckpointPlace> places;
  for (const auto& entry : results::entries_of(folder / results::kCheckpointsFolder))
    if (const auto place = results::checkpoint_place(entry.path())) places.insert(*place);
  return places;
}

}  // namespace

void FakeLearner::check() const {
  if (hold_ != nullptr) hold_->check();
}

// "written" differs if lines of the event file were lost.
void FakeLearner::keep(const Learnt& learnt) {
  check();
  events_.sync();
  const fs::path place = folder_ / results::checkpoint_name({learnt.step, segment()});
  lcsm::refuse_links(place);
  fs::create_directory(folder_ / results::kCheckpointsFolder);
  fs::create_directory(place);
  lcsm::write_whole(place / "written", std::to_string(learnt.lines));
  lcsm::write_whole(place / "state", std::to_string(learnt.value));
  events_.append(results::ArtefactLine{
      "checkpoint", results::checkpoint_name({learnt.step, segment()}), learnt.step, 1, ""});
  check();
  remove_old(learnt.step);
}

// Removes all but the last two checkpoints of its own and earlier segments, where another process
// may still write. Removes the state first, so that a kill at any point leaves no partial
// checkpoint: a folder without a state does not count.
void FakeLearner::remove_old(int step) const {
  std::error_code kept;
  for (const CheckpointPlace& place : places_in(folder_)) {
    if (place.segment > segment() || place.step >= step - kStepsOfACheckpoint) continue;
    const fs::path old = folder_ / results::checkpoint_name(place);
    fs::remove(old / "state", kept);
    fs::remove_all(old, kept);
  }
}

// Like lcsm-train, does not fall back if a checkpoint cannot be read, and ignores checkpoints of a
// discarded history or of lost lines.
FakeLearner::Learnt FakeLearner::newest() const {
  Learnt learnt;
  for (const CheckpointPlace& place : places_in(folder_)) {
    const fs::path at = folder_ / results::checkpoint_name(place);
    if (place.segment > segment() || !fs::exists(at / "state")) continue;
    Learnt found{static_cast<int>(place.step)};
    std::ifstream state(at / "state"), lines(at / "written");
    if (!(state >> found.value) || !(lines >> found.lines))
      throw std::runtime_error("a checkpoint cannot be read");
    const bool lost = found.lines > events_.position().lines;
    if (!lost && events_.counts(found.lines, place.segment)) learnt = found;
  }
  return learnt;
}

int FakeLearner::saved() const { return newest().step; }

bool FakeLearner::learn(const results::Values& environment, const std::function<bool()>& asked,
                        const std::function<void(int step)>& before_step) {
  Learnt learnt = newest();
  check();
  remove_old(learnt.step);  // as far as the last attempt did not
  events_.append(results::AttemptLine{learnt.step, learnt.lines, environment});
  while (learnt.step < kSteps && !asked()) {
    before_step(++learnt.step);
    learnt.value = 0.5 * learnt.value + static_cast<double>(way_ * learnt.step);
    events_.append(results::MetricsLine{learnt.step, {{"train.loss", 1 / learnt.value}}});
    if (learnt.step % kStepsOfACheckpoint != 0) continue;
    events_.append(results::MetricsLine{learnt.step, {{"valid.accuracy", 1 - 1 / learnt.value}}});
    learnt.lines = events_.position().lines;
    keep(learnt);
  }
  if (learnt.step < kSteps) return false;
  events_.append(results::MetricsLine{kSteps, {{"test.accuracy", 1 - 2 / learnt.value}}});
  return true;
}

}  // namespace runner
