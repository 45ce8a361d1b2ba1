// A sweep over every sequence of a batch, cut into tasks for the threads: by sequence, by columns,
// and, when these are too few, by time.
#pragma once

#include <functional>

#include "lcsm/sweep_cpu.h"

namespace lcsm {

// Column groups of each sequence: 1 when the sequences alone keep the threads busy.
template <class T>
std::int64_t column_groups(std::int64_t batch, std::int64_t wide);

// `of(b, group)` is the sweep of sequence b over all its steps; the columns are set here. Sums over
// columns (Anchors::over_wide) belong to one group.
template <class T>
void run_sweeps(std::int64_t batch, std::int64_t groups,
                const std::function<Sweep<T>(std::int64_t b, std::int64_t group)>& of);

// The columns of every sequence in groups, whichever thread is free.
template <class T>
void each_columns(std::int64_t batch, std::int64_t wide, double flops,
                  const std::function<void(std::int64_t b, std::int64_t first, std::int64_t last)>& work);

// Without decays: chunks of kChunkSteps.
Chunks plain_chunks(std::int64_t steps);

// Threads worth starting for so many floating-point operations.
int threads_for(double flops);

}  // namespace lcsm
