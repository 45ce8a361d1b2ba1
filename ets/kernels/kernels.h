// Computes the filter of a family from its tensors, under autograd, by its paper's equations. Each
// family has a file of its name; this header has what several of them share. Tensors are float32 or
// float64.
#pragma once

#include "ets/families/diagonal.h"
#include "ets/kernels/filter.h"
#include "lcsm/cuda/driver/gpu_or_cpu.h"
#include "lcsm/layer/layer.h"

namespace ets {

// The diagonal state space, by the rule "zoh", "bilinear" or "dss". On a GPU it does not
// synchronize.
Filter diagonal_filter(const lcsm::Weights& weights, std::string_view rule, const StepWord& step,
                       std::int64_t T, const lcsm::GpuOrCpu& gpu);

// The filter of H3's keys. A diagonal_filter filters its keys times values.
Filter shift_filter(const lcsm::Weights& weights);

at::Tensor step_of(const StepWord& step, const at::Tensor& raw);  // positive

// -exp(log_decay) + i frequency, [D, M], complex; real without a frequency.
at::Tensor rates_of(const lcsm::Weights& weights, std::int64_t d);

// The rows of `systems` repeated for d channels: channel h has row h mod systems.
at::Tensor for_channels(const at::Tensor& systems, std::int64_t d);

// Complex (or real) decay and weight as modes.
Modes modes_of_decay(const at::Tensor& decay, const at::Tensor& weight);
Modes modes_of_log_decay(const at::Tensor& log_decay, const at::Tensor& weight);

}  // namespace ets
