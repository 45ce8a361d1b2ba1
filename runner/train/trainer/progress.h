// Shows a training's progress on stderr: one changing line on a terminal, otherwise an occasional
// line.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace runner {

struct ProgressFacts {
  std::int64_t step = 0, steps = 0;  // steps = 0: time ends the run
  double loss = 0;
  std::string metric;  // "valid.accuracy 0.93", or empty
  double tokens = 0;   // of this process so far
};

class Progress {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Progress(bool on_terminal, Clock::duration every = std::chrono::seconds(30))
      : on_terminal_(on_terminal), every_(on_terminal ? std::chrono::milliseconds(100) : every) {}
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(const ProgressFacts& facts);  // if one is due
  void clear();                           // before other output

 private:
  bool on_terminal_, shown_ = false;
  std::int64_t first_step_ = -1;  // steps done before this process
  Clock::duration every_;
  Clock::time_point start_ = Clock::now(), last_ = start_;
};

// "step 120/1000, loss 2.31, valid.accuracy 0.93, 51.2 k tokens/s, 1 min 20 s left".
std::string progress_text(const ProgressFacts& facts, std::int64_t first_step, double seconds);

}  // namespace runner
