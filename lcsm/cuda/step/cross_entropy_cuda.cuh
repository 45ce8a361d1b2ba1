// Cross-entropy and its gradient in place: one pass over a row for its largest logit and the sum of
// exponentials, one for the gradient.
#pragma once

#include "lcsm/cuda/step/cross_entropy_cuda.h"
#include "lcsm/cuda/step/softmax_cuda.cuh"

namespace lcsm {

// Rows of a tile, each by as many lanes as it has classes, at most a warp.
template <class T>
__device__ void cross_entropy_tile(const CrossEntropyCuda& given) {
  using Numbers = Vector<T>;
  extern __shared__ uint4 kept[];
  __shared__ int targets[kCrossEntropyThreads];
  __shared__ float losses[kCrossEntropyThreads], rights[kCrossEntropyThreads];
  const int V = given.V, at_once = cross_entropy_rows(V, sizeof(T)), me = threadIdx.x;
  const long long first = static_cast<long long>(blockIdx.x) * at_once;
  const int rows = static_cast<int>(min(static_cast<long long>(at_once), given.rows - first));
  T* const global = static_cast<T*>(given.logits) + first * V;
  T* const numbers = reinterpret_cast<T*>(kept);
  const int vectors = rows * V / Numbers::kNumbers, rest = vectors * Numbers::kNumbers + me;
  for (int v = me; v < vectors; v += kCrossEntropyThreads)
    kept[v] = reinterpret_cast<const uint4*>(global)[v];
  if (rest < rows * V) numbers[rest] = global[rest];
  if (me < rows) targets[me] = static_cast<int>(max(-1ll, min(given.targets[first + me], 1ll * V)));
  __syncthreads();

  int lanes = 1;
  while (lanes < min(V, 32)) lanes *= 2;
  const int lane = me % lanes;
  for (int begin = me / 32 * (32 / lanes); begin < rows; begin += kCrossEntropyThreads / lanes) {
    const int row = begin + me % 32 / lanes;
    const int target = row < rows ? targets[row] : -1;
    T* const at = numbers + min(row, rows - 1) * V;
    const int classes = target < 0 ? 0 : V;
    const Target wanted(at, target, V);
    Softmax softmax = Softmax::none();
    for (int c = lane; c < classes; c += lanes)
      softmax.largest = fmaxf(softmax.largest, number_of(at[c]));
    for (int c = lane; c < classes; c += lanes) {
      const float x[] = {number_of(at[c])};
      softmax.add(x, c, wanted);
    }
    softmax.join_lanes(lanes);
    if (lane == 0 && row < rows) {
      losses[row] = softmax.loss(wanted);
      rights[row] = softmax.right(wanted);
    }
    __syncwarp();  // all lanes have read the target's logit
    if (!given.learns || row >= rows) continue;
    const Gradient gradient(softmax, wanted, given.scale);
    for (int c = lane; c < V; c += lanes)
      put(&at[c], target < 0 ? 0.0f : gradient(number_of(at[c]), c));
  }
  __syncthreads();

  if (me < rows) {
    given.loss[first + me] = losses[me];
    given.right[first + me] = rights[me];
  }
  if (!given.learns) return;
  for (int v = me; v < vectors; v += kCrossEntropyThreads)
    reinterpret_cast<uint4*>(global)[v] = kept[v];
  if (rest < rows * V) global[rest] = numbers[rest];
}

// A row by a block, in vectors from the first 16 bytes that are aligned; what is before and after
// them is a number for each of the first threads. kKeeps: the row stays in shared memory.
template <class T, bool kKeeps>
__device__ void cross_entropy_row(const CrossEntropyCuda& given) {
  using Numbers = Vector<T>;
  constexpr int N = Numbers::kNumbers;
  extern __shared__ uint4 kept[];
  __shared__ Softmax parts[32];
  const int V = given.V, me = threadIdx.x, threads = blockDim.x;
  const long long row = blockIdx.x, target = given.targets[row];
  T* const at = static_cast<T*>(given.logits) + row * given.stride;
  const int past = static_cast<int>(reinterpret_cast<unsigned long long>(at) % 16 / sizeof(T));
  const int head = (N - past) % N, vectors = (V - head) / N, edges = V - vectors * N;
  const int edge = me < head ? me : me + vectors * N;
  uint4* const body = reinterpret_cast<uint4*>(at + head);
  const Target wanted(at, static_cast<int>(max(-1ll, min(target, 1ll * V))), V);
  if (given.learns && me < given.stride - V) put(&at[V + me], 0.0f);

  Softmax softmax = Softmax::none();
  float x[N], of_edge[1] = {};
  if (target >= 0) {
    if (me < edges) {
      of_edge[0] = number_of(at[edge]);
      softmax.add(of_edge, edge, wanted);
    }
#pragma unroll 4
    for (int v = me; v < vectors; v += threads) {
      const uint4 bits = body[v];
      if (kKeeps) kept[v] = bits;
      Numbers::take(bits, x);
      softmax.add(x, head + v * N, wanted);
    }
  }
  softmax.join_block(parts);
  if (me == 0) {
    given.loss[row] = softmax.loss(wanted);
    given.right[row] = softmax.right(wanted);
  }
  if (!given.learns) return;
  const Gradient gradient(softmax, wanted, given.scale);
  if (me < edges) put(&at[edge], target < 0 ? 0.0f : gradient(of_edge[0], edge));
#pragma unroll 4
  for (int v = me; v < vectors; v += threads) {
    if (target >= 0) Numbers::take(kKeeps ? kept[v] : body[v], x);
#pragma unroll
    for (int n = 0; n < N; ++n) x[n] = target < 0 ? 0.0f : gradient(x[n], head + v * N + n);
    body[v] = Numbers::of(x);
  }
}

__device__ inline void cross_entropy_sum(const CrossEntropySumCuda& given) {
  __shared__ double parts[3][32];
  double sums[3] = {};
  for (long long row = threadIdx.x; row < given.rows; row += blockDim.x) {
    sums[0] += given.targets[row] >= 0 ? 1 : 0;
    sums[1] += given.loss[row];
    sums[2] += given.right[row];
  }
  for (int n = 0; n < 3; ++n) {
    const double all = (n == 1 ? given.scale : 1) * block_sum(sums[n], parts[n]);
    if (threadIdx.x == 0) given.to[n] = given.add ? given.to[n] + all : all;
  }
}

}  // namespace lcsm

#define LCSM_CROSS_ENTROPY_KERNEL(name, threads, call, Argument)           \
  extern "C" __global__ void __launch_bounds__(threads)                    \
      cross_entropy_##name(const __grid_constant__ lcsm::Argument given) { \
    call(given);                                                           \
  }
#define LCSM_CROSS_ENTROPY_KERNELS_OF(type, T)                                                    \
  LCSM_CROSS_ENTROPY_KERNEL(tile_##type, lcsm::kCrossEntropyThreads, lcsm::cross_entropy_tile<T>, \
                            CrossEntropyCuda)                                                     \
  LCSM_CROSS_ENTROPY_KERNEL(once_##type, 1024, (lcsm::cross_entropy_row<T, true>),                \
                            CrossEntropyCuda)                                                     \
  LCSM_CROSS_ENTROPY_KERNEL(twice_##type, 1024, (lcsm::cross_entropy_row<T, false>),              \
                            CrossEntropyCuda)
#define LCSM_CROSS_ENTROPY_KERNELS()                      \
  LCSM_CROSS_ENTROPY_KERNELS_OF(float32, float)           \
  LCSM_CROSS_ENTROPY_KERNELS_OF(bfloat16, lcsm::Bfloat16) \
  LCSM_CROSS_ENTROPY_KERNEL(sum, 1024, lcsm::cross_entropy_sum, CrossEntropySumCuda)
