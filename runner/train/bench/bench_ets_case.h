// One filter (exponential smoothing and related) at one shape with random inputs. Compares our
// machine with the authors' formulation in tensor operations, then times both in turns.
#pragma once

#include <ATen/core/Tensor.h>

#include <any>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ets/kernels/kernels.h"
#include "ets/machines/machines.h"
#include "lcsm/block/block.h"
#include "runner/train/bench/contest.h"

namespace runner {

struct EtsShape {
  std::int64_t B = 1, T = 1, D = 1;
};

// Inputs of both sides: the kernel's tensors and the sequence. All get a gradient.
struct EtsInputs {
  lcsm::Weights weights;
  at::Tensor x;  // [B, T, D]
};

struct EtsCaseRow {
  std::string_view name, help;
  const lcsm::BlockRow* family;  // null: the kernel itself is a tensor, "kernel" [1, D, T]
  std::vector<std::string_view> settings;
  std::string_view formulation;  // the authors' formulation, in a word
  at::Tensor (*theirs)(const EtsInputs&, const std::any& fields);
};
const std::vector<EtsCaseRow>& ets_case_rows();
const EtsCaseRow& ets_case_named(const std::string& name);  // throws std::invalid_argument

// One row of the table with its sizes filled in.
class EtsCase {
 public:
  EtsCase(const EtsCaseRow& row, const EtsShape& shape, const at::TensorOptions& options);

  at::Tensor ours(const ets::On& on) const;
  at::Tensor theirs() const { return row_.theirs(inputs_, block_ ? block_->fields : std::any()); }
  ets::Choice chosen(const ets::On& on) const;  // throws std::invalid_argument

  ContestInputs with_gradients() const;

  // Operations per step and channel, equal for all machines: of the recurrence of modes, or of FFTs
  // if there are no modes.
  double operations(bool backward) const;

 private:
  ets::Filter filter(const lcsm::GpuOrCpu& gpu = nullptr) const;

  const EtsCaseRow& row_;
  std::optional<lcsm::Block> block_;  // of a family
  EtsInputs inputs_;
  at::Tensor d_y_;
};

struct EtsResult {
  const EtsCaseRow* row = nullptr;
  EtsShape shape;
  std::string machine, why;       // of ours
  double operations[2] = {0, 0};  // all steps: forward, forward + backward
  Contestant ours, theirs;
};

// Throws std::runtime_error if an output or gradient of the baseline differs by more than rounding
// can cause. The two take turns until `budget` seconds are used, for at least three rounds. Skips
// the baseline without `against`, or if it does not fit into free memory. On a GPU each runs as a
// graph.
EtsResult bench_ets_case(const EtsCaseRow& row, const EtsShape& shape, at::ScalarType dtype,
                         ets::FilterMachine machine, double budget, bool against = true,
                         const ComputeDevice& device = {});

}  // namespace runner
