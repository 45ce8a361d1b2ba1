#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>

#include "lcsm/measure/ceilings.h"
#include "lcsm/measure/copy_cpu.h"
#include "lcsm/measure/rates.h"
#include "lcsm/measure/timing.h"

namespace lcsm {
namespace {

using Copy = void (*)(void*, const void*, std::size_t);

// Each thread copies its own stretch, which it touched first (memory near its core).
Rate cpu_copy(int threads, const char* what, Copy copy, std::size_t bytes, double seconds) {
  const auto size = static_cast<std::int64_t>(bytes);
  const at::Tensor from = at::empty({size}, at::kByte), to = at::empty({size}, at::kByte);
  char* source = static_cast<char*>(from.mutable_data_ptr());
  char* target = static_cast<char*>(to.mutable_data_ptr());
  const auto in_stretches = [&](const auto& work) {
    const std::size_t stretch = (bytes / 64 + threads - 1) / threads * 64;
    at::parallel_for(0, threads, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        const std::size_t offset = std::min(bytes, static_cast<std::size_t>(i) * stretch);
        work(offset, std::min(bytes, offset + stretch) - offset);
      }
    });
  };
  in_stretches([&](std::size_t offset, std::size_t n) {
    std::fill_n(source + offset, n, static_cast<char>(offset / 64 + 1));
    std::fill_n(target + offset, n, '\0');
  });
  const auto times = time_each(seconds, [&] {
    in_stretches(
        [&](std::size_t offset, std::size_t n) { copy(target + offset, source + offset, n); });
  });
  if (!std::equal(source, source + bytes, target))
    throw std::runtime_error(std::string(what) + " with " + std::to_string(threads) +
                             " threads did not copy");
  return with_times(copy_rate(at::kCPU, threads, what, bytes), 2.0 * bytes / 1e9, times);
}

struct KeepThreads {
  ~KeepThreads() { at::set_num_threads(before); }
  int before = at::get_num_threads();
};

void cpu_ceilings_with(int threads, const CeilingOptions& options, std::vector<Rate>* rates) {
  at::set_num_threads(threads);
  const double seconds = options.quick ? 0.02 : options.seconds;
  const int n = options.quick ? 256 : 1024;
  const std::size_t bytes = std::size_t{options.quick ? 32U : 256U} << 20;
  for (const MatmulKind& kind : kMatmulKinds) {
    Product p = make_product(at::kCPU, kind.type, kind.type, n);
    rates->push_back(library_matmul(p, threads, kind, seconds, [] {}));
  }
  rates->push_back(cpu_copy(threads, "copy", copy_ordinary, bytes, seconds));
  rates->push_back(cpu_copy(threads, "copy-streaming", copy_streaming, bytes, seconds));
}

}  // namespace

std::vector<Rate> cpu_ceilings(const CeilingOptions& options) {
  std::vector<Rate> rates;
  const KeepThreads keep;
  if (options.one_thread || options.threads == 1) cpu_ceilings_with(1, options, &rates);
  if (options.threads > 1) cpu_ceilings_with(options.threads, options, &rates);
  return rates;
}

}  // namespace lcsm
