#include "runner/data/tasks/segments.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include "runner/base/random/random.h"
#include "runner/config/keys/run_keys.h"
#include "runner/config/keys/task_keys.h"
#include "runner/config/toml/config_value.h"
#include "runner/data/tasks/example_order.h"

namespace runner {
namespace {

bool has_segments(const RunConfig& config) {
  return config.at("task.segments"_key).used && !config.text("task.segments"_key).empty();
}

SegmentRange range_of(const RunConfig& config) {
  return segments_of(config.text("task.segments"_key));
}

}  // namespace

Segments::Segments(const RunConfig& config, std::uint64_t tokens) {
  const auto [least, most] = range_of(config);
  chunk_ = config.integer("task.length"_key) / most;
  least_ = static_cast<std::uint32_t>(least);
  span_ = static_cast<std::uint32_t>(most - least + 1);
  const std::uint64_t chunks = tokens / static_cast<std::uint64_t>(chunk_);
  if (chunks < least_)
    throw std::invalid_argument("task.segments: expected a training text of at least " +
                                std::to_string(least * chunk_) + " tokens, got " +
                                std::to_string(tokens) + ": set a smaller task.length");
  if (chunks > std::numeric_limits<std::uint32_t>::max() / span_)
    throw std::invalid_argument("task.segments: expected fewer than 2^32 segments, got " +
                                std::to_string(chunks) + " chunks: set a larger task.length");
  RandomStream random(static_cast<std::uint64_t>(config.integer("seed"_key)), Draw::kSegments, 0);
  for (std::uint64_t left = chunks; left >= least_;) {
    const std::uint64_t size = std::min(least_ + random.below(span_), left);
    sizes_.push_back(static_cast<std::uint32_t>(size));
    left -= size;
  }
}

std::vector<std::uint32_t> Segments::order(bool shuffled, std::size_t batch, std::uint64_t seed,
                                           std::uint64_t epoch) const {
  std::vector<std::uint32_t> sizes = sizes_;
  RandomStream random(seed, Draw::kSegments, epoch + 1);
  for (std::size_t left = sizes.size(); shuffled && left > 1; --left)
    std::swap(sizes[left - 1], sizes[random.below(left)]);
  std::vector<std::uint32_t> examples;
  std::uint32_t first = 0;
  for (const std::uint32_t size : sizes) {
    examples.push_back(first * span_ + size - least_);
    first += size;
  }
  if (!shuffled) return examples;
  const auto count = static_cast<std::uint32_t>(sizes.size());
  std::vector<std::uint32_t> order =
      order_by_length(example_order(true, count, seed, epoch), sizes, batch, seed, epoch);
  for (std::uint32_t& each : order) each = examples[each];
  return order;
}

Segment Segments::of(std::uint32_t example) const {
  const auto chunk = static_cast<std::uint64_t>(chunk_);
  return {example / span_ * chunk, (least_ + example % span_) * chunk_};
}

std::optional<Segments> segments_in(const RunConfig& config, std::uint64_t tokens) {
  return has_segments(config) ? std::optional<Segments>(std::in_place, config, tokens)
                              : std::nullopt;
}

double mean_length(const RunConfig& config) {
  const auto T = static_cast<double>(config.integer("task.length"_key));
  if (!has_segments(config)) return T;
  const auto [least, most] = range_of(config);
  return T * static_cast<double>(least + most) / static_cast<double>(2 * most);
}

}  // namespace runner
