// The layer of a family: its filter, and the operations around it.
#pragma once

#include "ets/kernels/kernels.h"
#include "ets/machines/machines.h"
#include "lcsm/layer/block.h"

namespace ets {

// `machine` computes the filters of a layer; everything else follows the backend.
struct FilterContext : lcsm::BlockContext {
  FilterMachine machine = FilterMachine::kFastest;

  On filters_on() const { return {machine, gpu, wants_state}; }
};

// x [B, T, D]. Running one step at a time, each with the state of the step before, equals running
// the whole sequence. A fast machine returns a state if it got one, if one is wanted, or if it
// computes one anyway (s5). `machine` has no effect if the context asks for the definition.
lcsm::BlockResult layer_forward(const lcsm::Block& block, const lcsm::Weights& weights,
                                const at::Tensor& x, const lcsm::BlockContext& context = {},
                                FilterMachine machine = FilterMachine::kFastest);

// The filter of a family that has one; `dense`: for S4, the definition. Throws
// std::invalid_argument for another family.
Filter filter_of(const lcsm::Block& block, const lcsm::Weights& weights, std::int64_t T,
                 bool dense = false, const lcsm::GpuOrCpu& gpu = nullptr);

// The kernel of T steps, [G, D, T]. Throws std::invalid_argument for a family without one.
at::Tensor layer_kernel(const lcsm::Block& block, const lcsm::Weights& weights, std::int64_t T,
                        const On& on = {});

}  // namespace ets
