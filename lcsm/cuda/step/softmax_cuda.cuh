// The softmax of a row in one pass, by parts: each has its largest logit, and the sum of
// exponentials divided by the exponential of that logit.
#pragma once

#include "lcsm/cuda/step/vectors_cuda.cuh"

namespace lcsm {

constexpr unsigned kInfinityBits = 0x7f800000, kNanBits = 0x7fffffff;

struct Target {
  int at;       // below 0: no label
  float logit;  // of a class that does not exist: NaN

  template <class T>
  __device__ Target(const T* row, int target, int V)
      : at(target),
        logit(target >= 0 && target < V ? number_of(row[target]) : __uint_as_float(kNanBits)) {}
};

struct Softmax {
  float largest, sum;
  bool beaten;  // by another class than the target; a NaN beats everything

  __device__ static Softmax none() { return {-__uint_as_float(kInfinityBits), 0, false}; }

  // exp(x - base()) is at most 1. It is 0 for a part without numbers, or with -inf only.
  __device__ float base() const {
    return largest == -__uint_as_float(kInfinityBits) ? 0.0f : largest;
  }

  // Adds the classes from `first` on.
  template <int N>
  __device__ void add(const float (&x)[N], int first, const Target& wanted) {
    float most = x[0];
#pragma unroll
    for (int n = 1; n < N; ++n) most = fmaxf(most, x[n]);
    if (most > largest) {
      sum *= expf(largest - most);
      largest = most;
    }
#pragma unroll
    for (int n = 0; n < N; ++n) {
      sum += expf(x[n] - base());
      beaten |= first + n < wanted.at ? !(x[n] < wanted.logit) : !(x[n] <= wanted.logit);
    }
  }

  // Joins a power of two of neighbouring lanes; all get the same bits.
  __device__ void join_lanes(int lanes) {
    const float mine = largest;
    for (int by = lanes / 2; by > 0; by /= 2)
      largest = fmaxf(largest, __shfl_xor_sync(~0u, largest, by));
    sum *= expf(mine - base());
    for (int by = lanes / 2; by > 0; by /= 2) {
      sum += __shfl_xor_sync(~0u, sum, by);
      beaten |= __shfl_xor_sync(~0u, static_cast<int>(beaten), by) != 0;
    }
  }
  // Joins all threads of a block.
  __device__ void join_block(Softmax (&parts)[32]) {
    const int lane = threadIdx.x % 32;
    join_lanes(32);
    if (lane == 0) parts[threadIdx.x / 32] = *this;
    __syncthreads();
    *this = lane < blockDim.x / 32 ? parts[lane] : none();
    join_lanes(32);
  }

  __device__ float loss(const Target& wanted) const {
    return wanted.at < 0 ? 0.0f : logf(sum) + (largest - wanted.logit);
  }
  __device__ float right(const Target& wanted) const {
    return wanted.at < 0 || beaten ? 0.0f : 1.0f;
  }
};

struct Gradient {
  float base, inverse, scale;
  int target;

  __device__ Gradient(const Softmax& softmax, const Target& wanted, float scale)
      : base(softmax.base()),
        inverse(wanted.logit != wanted.logit ? wanted.logit : 1.0f / softmax.sum),
        scale(scale),
        target(wanted.at) {}
  __device__ float operator()(float x, int c) const {
    return (expf(x - base) * inverse - (c == target ? 1.0f : 0.0f)) * scale;
  }
};

}  // namespace lcsm
