// Makes the batches of the next steps while a step is computed, on a thread of its own.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "runner/training/task_data.h"

namespace runner {

class Prefetch {
 public:
  using Make = std::function<std::vector<Batch>(std::int64_t step)>;

  // `last`: no later step is read ahead. `depth` 0: everything is made when it is asked for.
  Prefetch(Make make, std::int64_t depth, std::int64_t last);
  ~Prefetch();
  Prefetch(const Prefetch&) = delete;

  // The parts of a step, what make() gives. Steps are expected to follow each other; another one
  // drops what was read ahead. Throws what make() threw.
  std::vector<Batch> take(std::int64_t step);

 private:
  struct Made {
    std::vector<Batch> parts;
    std::exception_ptr error;
  };
  void start(std::int64_t step);
  void stop();
  void work();

  Make make_;
  std::int64_t depth_, last_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Made> made_;   // of the steps front_, front_ + 1 ...
  std::int64_t front_ = 0;  // 0: nothing is read ahead
  bool ends_ = false;
  std::thread thread_;
};

}  // namespace runner
