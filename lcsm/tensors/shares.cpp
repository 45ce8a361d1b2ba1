#include "lcsm/tensors/shares.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <tuple>
#include <vector>

namespace lcsm {
namespace {

constexpr std::int64_t kSegmentChunks = 4;  // with fewer, the second pass costs too much
constexpr double kFlopsPerThread = 1e6;     // about ten microseconds, the cost of starting a thread

void each_task(std::int64_t tasks, const std::function<void(std::int64_t)>& work) {
  at::parallel_for(0, tasks, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t task = begin; task < end; ++task) work(task);
  });
}

// The total decay of the memory over the chunks of a segment, on one axis.
template <class T>
std::vector<T> total_decay(const Chunks& chunks, std::int64_t first, std::int64_t last,
                           std::int64_t width, const DecayTable<T>& table) {
  std::vector<T> total(static_cast<std::size_t>(width), T(1));
  if (!table.scale) return total;
  for (std::int64_t q = first; q < last; ++q) {
    const std::int64_t begin = chunks.starts[static_cast<std::size_t>(q)];
    const std::int64_t end = chunks.starts[static_cast<std::size_t>(q) + 1] - 1;
    for (std::int64_t n = 0; n < width; ++n) {
      T& factor = total[static_cast<std::size_t>(n)];
      factor *= table.scale[begin * width + n];
      if (end > begin) factor *= table.scale[end * width + n];
    }
  }
  return total;
}

// One sequence and one group of columns, cut in time. First computes what each segment adds to the
// memory when it starts from zero, then the memories from which the segments really start, then the
// sums.
template <class T>
class Segmented {
 public:
  Segmented(OuterSum<T> sum, std::int64_t segments) : whole_(sum), segments_(segments) {
    const auto size = static_cast<std::size_t>(sum.deep * sum.wide);
    memories_.assign(static_cast<std::size_t>(segments), std::vector<T>(size, T(0)));
  }

  // Called for all but the last segment, counted in the order of the pass.
  void run_alone(std::int64_t segment) {
    OuterSum<T> sum = part(segment);
    sum.y = nullptr;
    sum.c = nullptr;
    sum.anchors = {};
    sum.memory = memory(segment + 1);
    outer_sum_kernels<T>().run(sum);
  }

  void carry() {
    copy_columns(whole_.memory, memory(0));
    for (std::int64_t segment = 1; segment < segments_; ++segment) {
      const OuterSum<T> before = part(segment - 1);
      const auto decay = [&](std::int64_t width, const DecayTable<T>& table) {
        return total_decay(*whole_.chunks, before.first_chunk, before.last_chunk, width, table);
      };
      const std::vector<T> deep = decay(whole_.deep, whole_.deep_decay),
                           wide = decay(whole_.wide, whole_.wide_decay);
      for (std::int64_t n = 0; n < whole_.deep; ++n)
        for (std::int64_t w = whole_.first; w < whole_.last; ++w)
          memory(segment)[n * whole_.wide + w] += deep[static_cast<std::size_t>(n)] *
                                                  wide[static_cast<std::size_t>(w)] *
                                                  memory(segment - 1)[n * whole_.wide + w];
    }
  }

  void run(std::int64_t segment) {
    OuterSum<T> sum = part(segment);
    sum.memory = memory(segment);
    outer_sum_kernels<T>().run(sum);
    if (segment == segments_ - 1) copy_columns(memory(segment), whole_.memory);
  }

 private:
  T* memory(std::int64_t segment) { return memories_[static_cast<std::size_t>(segment)].data(); }

  OuterSum<T> part(std::int64_t segment) const {
    OuterSum<T> sum = whole_;
    const std::int64_t chunks = whole_.chunks->count();
    const std::int64_t at = reversed(whole_.order) ? segments_ - 1 - segment : segment;
    sum.first_chunk = chunks * at / segments_;
    sum.last_chunk = chunks * (at + 1) / segments_;
    return sum;
  }

  void copy_columns(const T* from, T* to) const {
    for (std::int64_t n = 0; n < whole_.deep; ++n)
      std::copy(from + n * whole_.wide + whole_.first, from + n * whole_.wide + whole_.last,
                to + n * whole_.wide + whole_.first);
  }

  const OuterSum<T> whole_;
  const std::int64_t segments_;
  std::vector<std::vector<T>> memories_;  // before each segment
};

// Each part is one group of columns.
template <class T>
void run_segments(const std::vector<OuterSum<T>>& parts, std::int64_t segments) {
  const auto groups = static_cast<std::int64_t>(parts.size());
  std::vector<Segmented<T>> all;
  for (const OuterSum<T>& part : parts) all.emplace_back(part, segments);
  const auto part = [&](std::int64_t n) -> Segmented<T>& {
    return all[static_cast<std::size_t>(n % groups)];
  };
  each_task(groups * (segments - 1), [&](std::int64_t n) { part(n).run_alone(n / groups); });
  each_task(groups, [&](std::int64_t n) { part(n).carry(); });
  each_task(groups * segments, [&](std::int64_t n) { part(n).run(n / groups); });
}

// The columns [first, last) of a group, cut at whole vectors.
template <class T>
std::pair<std::int64_t, std::int64_t> columns_of(std::int64_t wide, std::int64_t group,
                                                 std::int64_t groups) {
  const std::int64_t lanes = outer_sum_kernels<T>().lanes, units = (wide + lanes - 1) / lanes;
  return {units * group / groups * lanes, std::min(wide, units * (group + 1) / groups * lanes)};
}

template <class T>
std::int64_t groups_of(std::int64_t wide, int threads) {
  return std::min<std::int64_t>(
      threads, (wide + outer_sum_kernels<T>().lanes - 1) / outer_sum_kernels<T>().lanes);
}

}  // namespace

int threads_for(double flops) {
  return std::clamp(static_cast<int>(flops / kFlopsPerThread), 1, at::get_num_threads());
}

std::int64_t workers_for(std::int64_t batch, double flops) {
  const std::int64_t threads = threads_for(flops);
  // Slightly more sequences than threads would leave most threads waiting for the last sequence.
  return batch % threads == 0 || batch >= 4 * threads ? std::min(batch, threads) : 1;
}

void each_sequence(std::int64_t batch, double flops,
                   const std::function<void(std::int64_t b, const Share& share)>& work) {
  const std::int64_t workers = workers_for(batch, flops);
  const int threads = workers == 1 ? threads_for(flops / static_cast<double>(batch)) : 1;
  if (workers == 1) {
    for (std::int64_t b = 0; b < batch; ++b) work(b, {0, threads});
    return;
  }
  each_task(workers, [&](std::int64_t worker) {
    for (std::int64_t b = batch * worker / workers; b < batch * (worker + 1) / workers; ++b)
      work(b, {worker, 1});
  });
}

template <class T>
void each_column_group(std::int64_t wide, int threads,
                       const std::function<void(std::int64_t first, std::int64_t last)>& work) {
  if (threads == 1) return work(0, wide);
  const std::int64_t groups = groups_of<T>(wide, threads);
  each_task(groups, [&](std::int64_t group) {
    const auto [first, last] = columns_of<T>(wide, group, groups);
    work(first, last);
  });
}

template <class T>
void run_outer_sum(OuterSum<T> sum, int threads) {
  sum.first = 0;
  sum.last = sum.wide;
  sum.first_chunk = 0;
  sum.last_chunk = sum.chunks->count();
  if (threads == 1) return outer_sum_kernels<T>().run(sum);

  const std::int64_t groups = groups_of<T>(sum.wide, threads);
  const std::int64_t segments =
      std::clamp<std::int64_t>((threads + groups - 1) / groups, 1,
                               std::max<std::int64_t>(1, sum.last_chunk / kSegmentChunks));
  // Sums over columns are separate for each group.
  const auto sums = static_cast<std::size_t>(sum.chunks->anchors * sum.deep);
  std::vector<std::vector<T>> over_wide(sum.anchors.meet ? static_cast<std::size_t>(groups) : 0,
                                        std::vector<T>(sums, T(0)));
  std::vector<OuterSum<T>> parts(static_cast<std::size_t>(groups), sum);
  for (std::int64_t group = 0; group < groups; ++group) {
    OuterSum<T>& part = parts[static_cast<std::size_t>(group)];
    std::tie(part.first, part.last) = columns_of<T>(sum.wide, group, groups);
    if (sum.anchors.meet)
      part.anchors.over_wide = over_wide[static_cast<std::size_t>(group)].data();
  }
  if (segments == 1)
    each_task(groups, [&](std::int64_t n) {
      outer_sum_kernels<T>().run(parts[static_cast<std::size_t>(n)]);
    });
  else
    run_segments(parts, segments);
  for (const std::vector<T>& group : over_wide)
    for (std::size_t n = 0; n < sums; ++n) sum.anchors.over_wide[n] += group[n];
}

template void each_column_group<float>(std::int64_t, int,
                                       const std::function<void(std::int64_t, std::int64_t)>&);
template void each_column_group<double>(std::int64_t, int,
                                        const std::function<void(std::int64_t, std::int64_t)>&);
template void run_outer_sum<float>(OuterSum<float>, int);
template void run_outer_sum<double>(OuterSum<double>, int);

}  // namespace lcsm
