// The checkpoints of a run: `checkpoints/<step>/`, or `checkpoints/<step>.<segment>/` beside a
// segment of its events, each complete or absent. Format lcsm.checkpoint/1:
//   model.safetensors      every tensor by its name
//   optimizer.safetensors  "mean.NAME" and "square.NAME" of each trained tensor; "carried.N.NAME",
//                          what layer N carries to the next of consecutive examples
//   state.json             schema; state: step, best (step, value), untold (steps and summed loss
//                          since the last line of metrics), stopped (why nothing is left to train,
//                          or empty); sha256 of the two above
//   written.json           lines of events.jsonl so far, seconds of training; sha256 of state.json
//                          and of this text before ,"sha256". Only this file differs between two
//                          runs of a configuration.
// Written as .new-STEP, each file synced, then renamed; the events it refers to are on disk before.
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

#include "results/events/checkpoints.h"
#include "runner/config/run/train_state.h"

namespace runner {

using NamedTensors = std::map<std::string, at::Tensor>;

// The tensor of this name. Throws std::invalid_argument if it is missing, or has another shape or
// dtype than `like`.
const at::Tensor& tensor_in(const NamedTensors& tensors, const std::string& name,
                            const at::Tensor& like);

struct Checkpoint {
  TrainState state;
  NamedTensors model, optimizer;
  std::int64_t lines = 0;    // of the event file, when the checkpoint was written
  double seconds = 0;        // of training so far, over all attempts
  std::int64_t segment = 0;  // the segment that it was written beside; set by reading
};

// The checkpoint has a newer format. Training from scratch would overwrite it.
class NewerCheckpoint : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The checkpoint may be valid: another attempt may be able to read it.
class UnreadableCheckpoint : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The reason against a checkpoint whose lines of the event file no longer count.
inline constexpr const char* kDiscardedHistory = "is of a history that a later attempt discarded";

class Checkpoints {
 public:
  // The checkpoints of a run folder, for a process that writes beside this segment of its events.
  // Checkpoints of later segments are neither seen nor removed. Removes leftovers of interrupted
  // writes and removals.
  explicit Checkpoints(const std::filesystem::path& run_folder, std::int64_t segment = 0);

  // Returns the bytes written. Throws lcsm::SafeTensorsError, std::system_error.
  std::int64_t write(const Checkpoint& checkpoint);

  // The newest valid checkpoint. If a checkpoint is damaged or does not belong to the event file,
  // calls `complain` and tries the one before. Throws NewerCheckpoint, UnreadableCheckpoint.
  using Complain = std::function<void(const std::string&)>;
  using WhyNot = std::function<std::string(const Checkpoint&)>;  // "": it belongs to the file
  std::optional<Checkpoint> newest(const Complain& complain, const WhyNot& why_not) const;

  // Reads a checkpoint of this step, from any segment, since all have equal states. Throws
  // std::runtime_error for a damaged one, NewerCheckpoint, UnreadableCheckpoint.
  Checkpoint read(std::int64_t step) const;

  std::set<std::int64_t> steps() const;
  // Removes all other steps. Removes checkpoints of other segments only at steps that this segment
  // has.
  void keep_only(const std::set<std::int64_t>& steps);

 private:
  std::set<results::CheckpointPlace> places() const;
  Checkpoint read_at(const results::CheckpointPlace& place) const;

  std::filesystem::path folder_;
  std::int64_t segment_ = 0;
};

}  // namespace runner
