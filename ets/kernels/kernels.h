// Turns the tensors of a family into its filter, under autograd: the papers' equations, each family
// in a file of its name. Tensors are those of ets/families, in float32 or float64.
#pragma once

#include <map>
#include <string>

#include "ets/families/options.h"
#include "ets/kernels/filter.h"
#include "lcsm/kernel/gpu_or_cpu.h"

namespace ets {

using Weights = std::map<std::string, at::Tensor>;

// `T`: the length of the sequence, which kernels of_length depend on. On a GPU nothing waits for
// values.
Filter ces_filter(const Weights& weights, const Options& options, std::int64_t T,
                  const lcsm::GpuOrCpu& gpu = nullptr);
Filter ema_filter(const Weights& weights, const Options& options, std::int64_t T,
                  const lcsm::GpuOrCpu& gpu = nullptr);
Filter s4d_filter(const Weights& weights, const Options& options, std::int64_t T,
                  const lcsm::GpuOrCpu& gpu = nullptr);
Filter s4_filter(const Weights& weights, const Options& options, std::int64_t T,
                 const lcsm::GpuOrCpu& gpu = nullptr);
Filter dss_filter(const Weights& weights, const Options& options, std::int64_t T,
                  const lcsm::GpuOrCpu& gpu = nullptr);
Filter s5_filter(const Weights& weights, const Options& options, std::int64_t T,
                 const lcsm::GpuOrCpu& gpu = nullptr);
Filter tnn_filter(const Weights& weights, const Options& options, std::int64_t T,
                  const lcsm::GpuOrCpu& gpu = nullptr);

// The filter of H3's keys; that of its keys times values is s4d_filter.
Filter shift_filter(const Weights& weights);

// The filter of s4_filter as a dense state space by the bilinear rule: slow, but simple.
Filter s4_state_space(const Weights& weights, const Options& options);

// C (I - A^to) from C (I - A^from), as S4's shrink is when the length it is meant for doubles;
// from = 0: from C itself. [G, D, M, 2].
at::Tensor s4_shrink_for(const Weights& weights, const Options& options, std::int64_t from,
                         std::int64_t to);

// ----- What several of them share -----

at::Tensor step_of(const Options& options, const at::Tensor& raw);  // positive

// -exp(log_decay) + i frequency, [D, M], complex; real without a frequency.
at::Tensor rates_of(const Weights& weights, std::int64_t d);

// The rows of `systems` repeated for d channels: channel h has row h mod systems.
at::Tensor for_channels(const at::Tensor& systems, std::int64_t d);

// Complex (or real) decay and weight as modes.
Modes modes_of_decay(const at::Tensor& decay, const at::Tensor& weight);
Modes modes_of_log_decay(const at::Tensor& log_decay, const at::Tensor& weight);

}  // namespace ets
