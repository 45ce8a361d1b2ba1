#include "runner/data/tasks/mqar.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "runner/config/keys/task_keys.h"

namespace runner {
namespace {

// Integers, so that sums depend on neither the order nor the host.
std::vector<std::int64_t> slot_weights(std::size_t slots, double power) {
  const auto weight = [power](std::size_t g) {
    return std::pow(static_cast<double>(g + 1), power - 1);
  };
  const double largest = std::max(weight(0), weight(slots - 1));
  std::vector<std::int64_t> weights(slots);
  for (std::size_t g = 0; g < slots; ++g)
    weights[g] = std::max<std::int64_t>(1, std::llround(std::ldexp(weight(g) / largest, 40)));
  return weights;
}

}  // namespace

MqarOptions mqar_options(const RunConfig& config) {
  return {config.integer("task.vocab"_key), config.integer("task.length"_key),
          config.integer("task.pairs"_key), config.real("task.power"_key),
          config.is("task.filler"_key, "random")};
}

TaskCount mqar_vocabulary(const RunConfig& config) { return {config.integer("task.vocab"_key)}; }

TaskCount mqar_examples(const RunConfig& config, Split split) {
  constexpr std::array kKeys = {"task.train"_key, "task.valid"_key, "task.test"_key};
  return {config.integer(kKeys[index_of(split)])};
}

std::int64_t mqar_scored(const RunConfig& config) { return config.integer("task.pairs"_key); }

Mqar::Mqar(const MqarOptions& options, std::uint64_t seed)
    : options_(options),
      seed_(seed),
      drawn_in_(static_cast<std::size_t>(options.vocab)),
      weights_(slot_weights(static_cast<std::size_t>(options.length / 2 - options.pairs),
                            options.power)),
      sums_(weights_.size() + 1) {
  for (std::size_t slot = 0; slot < weights_.size(); ++slot) change_weight(slot, weights_[slot]);
}

void Mqar::change_weight(std::size_t slot, std::int64_t by) {
  left_ += by;
  for (std::size_t i = slot + 1; i < sums_.size(); i += i & (~i + 1)) sums_[i] += by;
}

// Draws one of the remaining slots by its weight, and removes it.
std::size_t Mqar::draw_slot(RandomStream& random) {
  auto rest = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(left_)));
  std::size_t slot = 0;
  for (std::size_t step = std::bit_floor(weights_.size()); step > 0; step /= 2)
    if (slot + step < sums_.size() && sums_[slot + step] <= rest) {
      slot += step;
      rest -= sums_[slot];
    }
  change_weight(slot, -weights_[slot]);
  slots_.push_back(slot);
  return slot;
}

// Draws one of first .. first+count-1 that this example has not drawn. Since 4D <= T < V, at least
// half of them remain.
std::int32_t Mqar::distinct(RandomStream& random, std::int64_t first, std::int64_t count) {
  while (true) {
    const std::int64_t token =
        first + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(count)));
    std::uint32_t& drawn = drawn_in_[static_cast<std::size_t>(token)];
    if (drawn == example_) continue;
    drawn = example_;
    return static_cast<std::int32_t>(token);
  }
}

void Mqar::make(Split split, std::uint64_t index, const MqarExample& into) {
  const auto [V, T, D, power, random_filler] = options_;
  RandomStream random(seed_, split, index);
  if (++example_ == 0) {
    std::fill(drawn_in_.begin(), drawn_in_.end(), 0u);
    example_ = 1;
  }
  const auto pairs = static_cast<std::size_t>(D);
  for (std::size_t j = 0; j < pairs; ++j) into.tokens[2 * j] = distinct(random, 1, V / 2 - 1);
  for (std::size_t j = 0; j < pairs; ++j)
    into.answers[j] = into.tokens[2 * j + 1] = distinct(random, V / 2, V - V / 2);
  std::fill(into.tokens.begin() + 2 * D, into.tokens.end(), 0);
  for (std::size_t j = 0; j < pairs; ++j) {
    const std::size_t at = 2 * pairs + 2 * draw_slot(random);
    into.queries[j] = static_cast<std::int32_t>(at);
    into.tokens[at] = into.tokens[2 * j];
  }
  for (const std::size_t slot : slots_) change_weight(slot, weights_[slot]);
  slots_.clear();
  if (!random_filler) return;
  for (auto at = static_cast<std::size_t>(2 * D); at < into.tokens.size(); ++at)
    if (into.tokens[at] == 0)
      into.tokens[at] = static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(V)));
}

}  // namespace runner
