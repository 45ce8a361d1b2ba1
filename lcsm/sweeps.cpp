#include "lcsm/sweeps.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <numeric>
#include <tuple>
#include <vector>

namespace lcsm {
namespace {

constexpr std::int64_t kSegmentChunks = 4;  // below, the second pass over a segment costs too much
constexpr double kFlopsPerThread = 1e6;     // some ten microseconds, what starting a thread costs

void each_task(std::int64_t tasks, double flops, const std::function<void(std::int64_t)>& work) {
  const auto serial = [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t task = begin; task < end; ++task) work(task);
  };
  if (threads_for(flops) == 1) return serial(0, tasks);
  at::parallel_for(0, tasks, 1, serial);
}

// What the memory is multiplied with over the chunks of a segment, on one axis.
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

// One sequence and one group of columns, cut in time: what each segment adds to the memory when it
// starts from nothing, then the memories it really starts from, then the sweep itself.
template <class T>
class Segmented {
 public:
  Segmented(Sweep<T> sweep, std::int64_t segments) : whole_(sweep), segments_(segments) {
    const auto size = static_cast<std::size_t>(sweep.deep * sweep.wide);
    memories_.assign(static_cast<std::size_t>(segments), std::vector<T>(size, T(0)));
  }

  // In the order of the sweep; all but the last segment.
  void run_alone(std::int64_t segment) {
    Sweep<T> sweep = part(segment);
    sweep.y = nullptr;
    sweep.c = nullptr;
    sweep.anchors = {};
    sweep.memory = memory(segment + 1);
    sweep_kernels<T>().run(sweep);
  }

  void carry() {
    copy_columns(whole_.memory, memory(0));
    for (std::int64_t segment = 1; segment < segments_; ++segment) {
      const Sweep<T> before = part(segment - 1);
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
    Sweep<T> sweep = part(segment);
    sweep.memory = memory(segment);
    sweep_kernels<T>().run(sweep);
    if (segment == segments_ - 1) copy_columns(memory(segment), whole_.memory);
  }

 private:
  T* memory(std::int64_t segment) { return memories_[static_cast<std::size_t>(segment)].data(); }

  Sweep<T> part(std::int64_t segment) const {
    Sweep<T> sweep = whole_;
    const std::int64_t chunks = whole_.chunks->count();
    const std::int64_t at = reversed(whole_.order) ? segments_ - 1 - segment : segment;
    sweep.first_chunk = chunks * at / segments_;
    sweep.last_chunk = chunks * (at + 1) / segments_;
    return sweep;
  }

  void copy_columns(const T* from, T* to) const {
    for (std::int64_t n = 0; n < whole_.deep; ++n)
      std::copy(from + n * whole_.wide + whole_.first, from + n * whole_.wide + whole_.last,
                to + n * whole_.wide + whole_.first);
  }

  const Sweep<T> whole_;
  const std::int64_t segments_;
  std::vector<std::vector<T>> memories_;  // before each segment
};

}  // namespace

int threads_for(double flops) {
  return std::clamp(static_cast<int>(flops / kFlopsPerThread), 1, at::get_num_threads());
}

template <class T>
std::int64_t column_groups(std::int64_t batch, std::int64_t wide) {
  const std::int64_t threads = at::get_num_threads();
  if (batch >= 4 * threads) return 1;
  const std::int64_t most = (wide + sweep_kernels<T>().lanes - 1) / sweep_kernels<T>().lanes;
  return std::min(threads / std::gcd(threads, batch), most);
}

Chunks plain_chunks(std::int64_t steps) {
  Chunks chunks;
  for (std::int64_t t = 0; t < steps; t += kChunkSteps) {
    chunks.starts.push_back(t);
    chunks.anchor.push_back(-1);
  }
  chunks.starts.push_back(steps);
  return chunks;
}

namespace {

// Group `group` of `groups`, cut at whole vectors.
template <class T>
std::pair<std::int64_t, std::int64_t> columns_of(std::int64_t wide, std::int64_t group,
                                                 std::int64_t groups) {
  const std::int64_t lanes = sweep_kernels<T>().lanes, units = (wide + lanes - 1) / lanes;
  return {units * group / groups * lanes,
          std::min(wide, units * (group + 1) / groups * lanes)};
}

}  // namespace

template <class T>
void each_columns(
    std::int64_t batch, std::int64_t wide, double flops,
    const std::function<void(std::int64_t b, std::int64_t first, std::int64_t last)>& work) {
  const std::int64_t groups = column_groups<T>(batch, wide);
  each_task(batch * groups, flops, [&](std::int64_t task) {
    const auto [first, last] = columns_of<T>(wide, task % groups, groups);
    work(task / groups, first, last);
  });
}

template <class T>
void run_sweeps(std::int64_t batch, std::int64_t groups,
                const std::function<Sweep<T>(std::int64_t b, std::int64_t group)>& of) {
  const auto sweep_of = [&](std::int64_t task) {
    Sweep<T> sweep = of(task / groups, task % groups);
    std::tie(sweep.first, sweep.last) = columns_of<T>(sweep.wide, task % groups, groups);
    sweep.last_chunk = sweep.chunks->count();
    return sweep;
  };
  const Sweep<T> one = sweep_of(0);
  const std::int64_t tasks = batch * groups, chunks = one.chunks->count();
  const double flops = 4.0 * static_cast<double>(batch * one.deep * one.wide) *
                       static_cast<double>(one.chunks->starts.back());
  const std::int64_t segments =
      tasks >= threads_for(flops)
          ? 1
          : std::clamp((at::get_num_threads() + tasks - 1) / tasks, std::int64_t{1},
                       std::max(std::int64_t{1}, chunks / kSegmentChunks));
  if (segments == 1)
    return each_task(tasks, flops,
                     [&](std::int64_t task) { sweep_kernels<T>().run(sweep_of(task)); });
  std::vector<Segmented<T>> cut;
  for (std::int64_t task = 0; task < tasks; ++task) cut.emplace_back(sweep_of(task), segments);
  const auto part = [&](std::int64_t n) -> Segmented<T>& {
    return cut[static_cast<std::size_t>(n)];
  };
  each_task(tasks * (segments - 1), flops,
            [&](std::int64_t n) { part(n % tasks).run_alone(n / tasks); });
  each_task(tasks, flops, [&](std::int64_t n) { part(n).carry(); });
  each_task(tasks * segments, flops, [&](std::int64_t n) { part(n % tasks).run(n / tasks); });
}

template std::int64_t column_groups<float>(std::int64_t, std::int64_t);
template std::int64_t column_groups<double>(std::int64_t, std::int64_t);
template void each_columns<float>(
    std::int64_t, std::int64_t, double,
    const std::function<void(std::int64_t, std::int64_t, std::int64_t)>&);
template void each_columns<double>(
    std::int64_t, std::int64_t, double,
    const std::function<void(std::int64_t, std::int64_t, std::int64_t)>&);
template void run_sweeps<float>(
    std::int64_t, std::int64_t,
    const std::function<Sweep<float>(std::int64_t, std::int64_t)>&);
template void run_sweeps<double>(
    std::int64_t, std::int64_t,
    const std::function<Sweep<double>(std::int64_t, std::int64_t)>&);

}  // namespace lcsm
