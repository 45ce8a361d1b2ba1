#include "runner/train/trainer/segments.h"

#include <ATen/core/Tensor.h>

#include <algorithm>
#include <functional>

#include "runner/base/random/random.h"

namespace runner {

std::vector<std::int64_t> drawn_segments(const std::vector<std::int64_t>& lengths, std::int64_t T,
                                         std::uint64_t seed, std::int64_t step) {
  RandomStream random(seed, Draw::kSegments, static_cast<std::uint64_t>(step));
  std::vector<std::int64_t> segments;
  for (std::int64_t left = T; left > 0; left -= segments.back())
    segments.push_back(std::min(lengths[random.below(lengths.size())], left));
  // On a GPU a step is captured once per shape: few of them differ if their order does not.
  std::sort(segments.begin(), segments.end(), std::greater());
  return segments;
}

std::vector<Batch> cut(const Batch& batch, const std::vector<std::int64_t>& segments) {
  const at::Tensor& values = batch.inputs.values;
  const at::Tensor targets = batch.targets.view({values.size(0), values.size(1)});
  std::vector<Batch> parts;
  std::int64_t from = 0;
  for (const std::int64_t size : segments) {
    parts.push_back(
        {{values.narrow(1, from, size).contiguous()}, {}, targets.narrow(1, from, size).flatten()});
    from += size;
  }
  return parts;
}

}  // namespace runner
