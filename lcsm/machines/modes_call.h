// Prepares one call of the sum of modes: its tensors, and the plain structs that point to them.
#pragma once

#include <ATen/Parallel.h>

#include <algorithm>
#include <vector>

#include "lcsm/cpu/modes/modes_cpu.h"
#include "lcsm/machines/modes_op.h"

namespace lcsm {

// Converts [..., N, D], real or complex, to [..., parts, N, columns], and back.
at::Tensor planes(const at::Tensor& z, std::int64_t columns);
at::Tensor unplanes(const at::Tensor& parts, std::int64_t D);

// Sequences times groups of channels, in a fixed assignment to workers.
struct ModesShares {
  ModesShares(const at::Tensor& x, const std::vector<Direction>& directions, std::int64_t strip);

  template <class Work>
  void run(const Work& work) const {
    const std::int64_t strips = (D + width - 1) / width;
    at::parallel_for(0, workers, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t worker = begin; worker < end; ++worker)
        for (std::int64_t n = tasks * worker / workers; n < tasks * (worker + 1) / workers; ++n) {
          const std::int64_t group = n % groups;
          work(ModesPart{n / groups, strips * group / groups * width,
                         std::min(D, strips * (group + 1) / groups * width), worker});
        }
    });
  }

  std::int64_t D, width, groups = 1, tasks = 1, workers = 1;
};

// A direction's tensors as the kernels read and write them (modes_cpu.h).
struct PackedDirection {
  at::Tensor q, c, powers, u, states;
  at::Tensor w, w_x, w_u;
};

// The steps of a block.
std::int64_t block_of(const std::vector<Direction>& directions);

template <class T>
class ModesCall {
 public:
  // Forward stores `states`; backward passes them in.
  ModesCall(const at::Tensor& x, const std::vector<Direction>& directions, std::int64_t block,
            bool keeps_states, const Tensors& states = {});

  ModesScan<T> scan() const;
  const ModesShares& shares() const { return shares_; }
  const std::vector<PackedDirection>& packed() const { return packed_; }
  // The sums of direction n over all steps, [N, D].
  at::Tensor w_x(std::size_t n) const;
  at::Tensor w_u(std::size_t n) const;

 private:
  at::Tensor zeros(at::IntArrayRef shape) const;
  void pack(const Direction& direction, bool keeps_states, const at::Tensor& states);
  at::Tensor powers(const at::Tensor& exact, const at::Tensor& packed_q) const;

  const at::Tensor x_;
  const ModesShares shares_;
  ModesScan<T> scan_;
  std::vector<PackedDirection> packed_;
};

}  // namespace lcsm
