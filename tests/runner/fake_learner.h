// A training without LibTorch: each step changes a number, which checkpoints save. Events and the
// order of writes are as in lcsm-train.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>

#include "results/events/event_writer.h"
#include "runner/workspace/claim_hold.h"

namespace runner {

class FakeLearner {
 public:
  static constexpr int kSteps = 6, kStepsOfACheckpoint = 2;

  // `way` selects the numbers. Without `hold` no other process shares the run.
  FakeLearner(const std::filesystem::path& folder, std::int64_t way, results::EventWriter& events,
              const ClaimHold* hold)
      : folder_(folder), way_(way), events_(events), hold_(hold) {}

  // Resumes from the newest checkpoint that counts. Returns false if `asked` became true before the
  // last step. Calls `before_step` with the number of each step.
  bool learn(const results::Values& environment, const std::function<bool()>& asked,
             const std::function<void(int step)>& before_step);

  int saved() const;  // the step of that checkpoint
  void check() const;

 private:
  struct Learnt {
    int step = 0;
    double value = 0;
    std::int64_t lines = 0;  // of events so far
  };
  Learnt newest() const;
  void keep(const Learnt& learnt);
  void remove_old(int step) const;
  std::int64_t segment() const { return hold_ == nullptr ? 0 : hold_->segment(); }

  std::filesystem::path folder_;
  std::int64_t way_;
  results::EventWriter& events_;
  const ClaimHold* hold_;
};

}  // namespace runner
