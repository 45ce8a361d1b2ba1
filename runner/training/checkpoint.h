// The checkpoints of a run: `checkpoints/<step>/`, each complete or absent. The format is in
// runner/README.md.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>

#include "runner/config/train_state.h"

namespace runner {

using NamedTensors = std::map<std::string, at::Tensor>;

struct Checkpoint {
  TrainState state;
  NamedTensors model, optimizer;
  std::int64_t lines = 0;  // of the event file when it was written
  double seconds = 0;      // of training so far, in all attempts
};

// A format that this program does not know. Training from scratch would replace it.
class NewerCheckpoint : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// It may be good: another attempt can read it.
class UnreadableCheckpoint : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Checkpoints {
 public:
  // The checkpoints of a run folder. Removes leftovers of interrupted writes and removals.
  explicit Checkpoints(const std::filesystem::path& run_folder);

  // Returns the bytes written. Throws lcsm::SafeTensorsError, std::system_error.
  std::int64_t write(const Checkpoint& checkpoint);

  // The newest valid one. Calls `complain` for each damaged one, and each whose lines of the event
  // file do not count any more, and tries the one before. Throws NewerCheckpoint,
  // UnreadableCheckpoint.
  using Complain = std::function<void(const std::string&)>;
  using Counts = std::function<bool(std::int64_t lines)>;
  std::optional<Checkpoint> newest(const Complain& complain, const Counts& counts) const;

  // Throws std::runtime_error with what is wrong in it, NewerCheckpoint, UnreadableCheckpoint.
  Checkpoint read(std::int64_t step) const;

  std::set<std::int64_t> steps() const;
  void keep_only(const std::set<std::int64_t>& steps);

 private:
  std::filesystem::path folder_;
};

}  // namespace runner
