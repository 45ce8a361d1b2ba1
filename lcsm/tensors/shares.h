// Shares work over a batch among threads: by sequence if there are enough of them, otherwise inside
// each sequence by columns and, if these are too few, by time.
#pragma once

#include <functional>

#include "lcsm/cpu/outer_sum_cpu.h"

namespace lcsm {

// The worker that computes a sequence.
struct Share {
  std::int64_t worker = 0;  // a worker is one thread at a time; scratch space is per worker
  int threads = 1;          // threads that the sequence itself may use
};

// The number of workers that each_sequence uses for this many floating-point operations.
std::int64_t workers_for(std::int64_t batch, double flops);

// Each worker always gets the same sequences, so that sums by worker are reproducible.
void each_sequence(std::int64_t batch, double flops,
                   const std::function<void(std::int64_t b, const Share& share)>& work);

// Computes all columns and chunks of one sequence.
template <class T>
void run_outer_sum(OuterSum<T> sum, int threads);

// Calls work(first, last) for groups of columns, cut at whole vectors.
template <class T>
void each_column_group(std::int64_t wide, int threads,
                       const std::function<void(std::int64_t first, std::int64_t last)>& work);

// Threads worth starting for this many floating-point operations.
int threads_for(double flops);

}  // namespace lcsm
