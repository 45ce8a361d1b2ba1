#include "runner/models/skeletons/dropout.h"

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/ones.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "lcsm/cpu/philox_cpu.h"
#include "lcsm/tensors/operation.h"
#include "runner/base/random/random.h"
#include "runner/models/skeletons/dropout_cuda.h"

namespace runner {
namespace {

using at::Tensor;
using lcsm::Tensors;

constexpr double kLevels = 65536;    // of the 16 random bits per value
constexpr std::int64_t kPlaces = 8;  // values per block of 128 bits
constexpr std::int64_t kBlocksOfTask = 4096, kBlocksAtOnce = 256;

std::uint32_t low(std::uint64_t x) { return static_cast<std::uint32_t>(x); }
std::uint32_t high(std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); }

float scale_of(std::uint32_t below) { return static_cast<float>(kLevels / (kLevels - below)); }

// Uses no aliases or outer variables, so that the compiler vectorizes it.
template <class T>
void keep(const T* __restrict x, const std::uint16_t* __restrict levels, std::uint32_t below,
          float scale, std::int64_t count, T* __restrict out) {
  for (std::int64_t n = 0; n < count; ++n) {
    const T kept = static_cast<T>(x[n] * scale);
    out[n] = levels[n] < below ? T(0) : kept;
  }
}

struct Dropped : lcsm::Operation {
  std::array<std::uint32_t, 4> counter;  // the first word is replaced by the block's number
  std::array<std::uint32_t, 2> key;      // the seed
  std::uint32_t dropped_below;

  Dropped() { keeps_inputs = false; }

  template <class T>
  void write(const T* x, T* out, std::int64_t size) const {
    const float scale = scale_of(dropped_below);
    const std::int64_t blocks = (size + kPlaces - 1) / kPlaces;
    at::parallel_for(0, blocks, kBlocksOfTask, [&](std::int64_t begin, std::int64_t end) {
      std::array<std::uint16_t, kBlocksAtOnce * kPlaces> levels;
      for (std::int64_t b = begin; b < end; b += kBlocksAtOnce) {
        const std::int64_t first = b * kPlaces, some = std::min(kBlocksAtOnce, end - b),
                           count = std::min(some * kPlaces, size - first);
        lcsm::philox_numbers({static_cast<std::uint32_t>(b), counter[1], counter[2], counter[3]},
                             key, some, levels.data());
        keep(x + first, levels.data(), dropped_below, scale, count, out + first);
      }
    });
  }

  Tensor masked(const Tensor& from) const {
    const Tensor x = from.contiguous();
    Tensor out = at::empty_like(x);
    AT_DISPATCH_FLOATING_TYPES_AND(at::kBFloat16, x.scalar_type(), "dropout", [&] {
      write(x.const_data_ptr<scalar_t>(), out.mutable_data_ptr<scalar_t>(), x.numel());
    });
    return out;
  }

  Tensors forward(const Tensors& inputs) const override { return {masked(inputs[0])}; }
  Tensors backward(const Tensors&, const Tensors&, const Tensors& d) const override {
    return {d[0].defined() ? masked(d[0]) : Tensor()};
  }
};

}  // namespace

Tensor Dropout::operator()(const Tensor& x, double share) {
  const std::uint32_t call = call_++;
  const auto below = static_cast<std::uint32_t>(std::lround(share * kLevels));
  if (!drops_ || below == 0) return x;
  const std::uint32_t draw = static_cast<std::uint32_t>(Draw::kDropout) | call << 8;
  if (gpu_) {
    lcsm::DropoutCuda mask{};
    mask.key[0] = low(seed_), mask.key[1] = high(seed_);
    mask.call = draw;
    mask.below = below;
    mask.scale = scale_of(below);
    return dropped_on_gpu(gpu_, mask, step_there_, x);
  }
  auto operation = c10::make_intrusive<Dropped>();
  operation->key = {low(seed_), high(seed_)};
  operation->counter = {0, draw, low(step_), high(step_)};
  operation->dropped_below = below;
  return lcsm::differentiable(std::move(operation), {x})[0];
}

Tensor Dropout::over_steps(const Tensor& x, double share) {
  if (!drops_ || share == 0) return x;
  return x * (*this)(at::ones({x.size(0), 1, x.size(2)}, x.options()), share);
}

Tensor Dropout::of_examples(const Tensor& x, double share) {
  if (!drops_ || share == 0) return x;
  return x * (*this)(at::ones({x.size(0), 1, 1}, x.options()), share);
}

}  // namespace runner
