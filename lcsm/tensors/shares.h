// Work over a batch, shared out among threads: by sequence where there are enough of them, else
// inside each sequence by columns and, when these are too few, by time.
#pragma once

#include <functional>

#include "lcsm/cpu/outer_sum_cpu.h"

namespace lcsm {

// Who computes a sequence.
struct Share {
  std::int64_t worker = 0;  // one thread at a time works for it: scratch space belongs to it
  int threads = 1;          // that the sequence itself may use
};

// Workers that each_sequence will use for so many floating-point operations.
std::int64_t workers_for(std::int64_t batch, double flops);

// Always the same sequences for the same worker, so sums by worker are the same from run to run.
void each_sequence(std::int64_t batch, double flops,
                   const std::function<void(std::int64_t b, const Share& share)>& work);

// All columns and chunks of one sequence.
template <class T>
void run_outer_sum(OuterSum<T> sum, int threads);

// work(first, last) for groups of columns, cut at whole vectors.
template <class T>
void each_column_group(std::int64_t wide, int threads,
                       const std::function<void(std::int64_t first, std::int64_t last)>& work);

// Threads worth starting for so many floating-point operations.
int threads_for(double flops);

}  // namespace lcsm
