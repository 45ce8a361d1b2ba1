// Decays over one axis as row scales, chunk by chunk.
//
// Inside a chunk of steps t0..t1 the scale of step t is the product of the decays of t0+1..t,
// starting from 1. A chunk ends before its smallest scale would underflow, so every scale has a
// finite inverse, however strong the decay. The decay of t0 itself is applied to the memory as the
// chunk begins.
#pragma once

#include <cstdint>
#include <vector>

namespace lcsm {

inline constexpr std::int64_t kChunkSteps = 64;

// Strided rows: value n of step t is data[t * step + n * (each ? 1 : 0)].
template <class T>
struct LogDecay {
  const T* data = nullptr;  // null: no decay over this axis
  std::int64_t step = 0;
  bool each = true;
};

// [T, N]. The first step of a chunk has scale 1; its row holds the decay at the chunk's beginning
// instead.
template <class T>
struct DecayTable {
  T* scale = nullptr;  // null: no decay over this axis
  T* inverse = nullptr;
};

struct Chunks {
  std::vector<std::int64_t> starts;  // the first step of each chunk, then T
  std::vector<std::int64_t> anchor;  // of each chunk: its index among the anchors, or -1
  std::int64_t anchors = 0;

  std::int64_t count() const { return static_cast<std::int64_t>(starts.size()) - 1; }
};

// Chunks of kChunkSteps without anchors, for a recurrence without decay.
Chunks even_chunks(std::int64_t steps);

template <class T>
struct DecayKernels {
  // Fills both tables of one sequence. An anchor is the first chunk that begins at least `spacing`
  // steps after the previous anchor.
  Chunks (*tables)(std::int64_t steps, std::int64_t k, std::int64_t d, const LogDecay<T>& log_k,
                   const LogDecay<T>& log_d, const DecayTable<T>& table_k,
                   const DecayTable<T>& table_d, std::int64_t spacing);

  // log o_t = L_{t-1} - L_t with L_t = log sum_{u<=t} exp(z_u), for each column n of z [T, N].
  // `log_sum` [N]: in: L before the first step, -infinity = no steps yet; out: L after the last.
  void (*running_softmax)(std::int64_t steps, std::int64_t n, const T* z, T* log_o, T* log_sum);

  // The gradients of z [T, N] and of the first L [N], from the gradients of log_o and the last L.
  void (*running_softmax_backward)(std::int64_t steps, std::int64_t n, const T* log_o,
                                   const T* d_log_o, const T* d_last, T* d_z, T* d_first);
};

// Kernels for this processor's vectors. T is float or double.
template <class T>
const DecayKernels<T>& decay_kernels();

}  // namespace lcsm
