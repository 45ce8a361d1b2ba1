// Chooses the launches of the sum of modes: kernels, grids, arguments and memory. The host side,
// without a driver.
#pragma once

#include <array>
#include <vector>

#include "lcsm/cuda/driver/choices.h"
#include "lcsm/cuda/driver/kernel_call.h"
#include "lcsm/cuda/driver/nvrtc.h"
#include "lcsm/cuda/modes/modes_cuda.h"

namespace lcsm {

struct ModesWork {
  bool bfloat16 = false;    // x, y and their gradients; stored states are float32
  bool is_complex = false;  // the modes
  int processors = 132;     // of the device: time is split where channels alone leave some idle
  Choices choices = {};
  // The caller sets sizes, inputs, results, and the directions except `after` and `sums`; the rest
  // is filled in here. `before` may be null forward; backward it is what forward kept.
  ModesCuda modes = {};
  std::array<double*, 2> d_q{}, d_c{};  // of each direction, [N, D]
  float* d_shortcut = nullptr;          // [D], null = not wanted
};

// True if products over chunks compute it (products_calls.h): many modes, of enough steps.
bool modes_by_products(const ModesWork& work);

// [B, tiles, N, parts, D]: the float32 numbers of ModesDirectionCuda::before.
std::size_t modes_kept_count(const ModesWork& work, int direction);

// Calls to queue one after the other on one stream. Throw std::invalid_argument for more modes than
// kModesMost by recurrence, and for two directions of one order.
std::vector<KernelCall> modes_forward_calls(const ModesWork& work, const Allocate& allocate);
std::vector<KernelCall> modes_backward_calls(const ModesWork& work, const Allocate& allocate);

// Source for NVRTC: the kernels of one kind of modes, one type and one method.
CudaSource modes_source(const ModesWork& work);

// Parts of the names of kernels: "_complex", "_bfloat16".
std::string modes_kind(const ModesWork& work);
std::string modes_type(const ModesWork& work);
std::string modes_shape(const ModesWork& work);  // in choices.csv

}  // namespace lcsm
