// H3: a shift state space on the keys, a diagonal one on keys times values, times the queries.
#include <array>
#include <stdexcept>

#include "ets/families/diagonal.h"
#include "ets/families/family.h"

namespace ets {
namespace {

using Group = lcsm::BlockTensors::Group;

constexpr std::array kH3Options = {
    lcsm::integer("modes", "32", 1, "complex modes per head", "log_decay", 1),
    lcsm::integer("taps", "64", 1, "the length of the shift kernel", "shift.expand", 1),
    lcsm::integer("head_size", "1", 1, "channels per head"),
    kSystems,
    lcsm::word("discretization", "zoh bilinear", "bilinear", "zero-order hold or bilinear"),
    kStepForm,
    kStart,
    kStepMin,
    kStepMax,
};

lcsm::Parameters tensors_of_h3(const lcsm::Block& v) {
  const std::int64_t N = v.options.integer("taps"), H = v.d / v.options.integer("head_size");
  lcsm::BlockTensors tensors;
  for (const char* name : {"query", "key", "value"}) tensors.put_linear(name, v.d, v.d);
  lcsm::Values first_tap(static_cast<std::size_t>(N), 0);
  first_tap[0] = 1;
  tensors.put_rows("shift.expand", {v.d, N}, Group::kGate, "1, 0, 0, ...", first_tap);
  tensors.put_each("shift.shrink", {v.d, N}, Group::kMatrices, "uniform / sqrt(taps)",
                   [N](lcsm::Random& random) {
                     return (2 * random.uniform() - 1) / std::sqrt(static_cast<double>(N));
                   });
  tensors.put_normal("shift.skip", {v.d}, Group::kNorm, 0, 1);
  put_diagonal(v, 1, H, false, true, true, &tensors);
  tensors.put_skip(H);
  tensors.put_output("linear", v.d);
  return tensors.take();
}

void check_heads(const lcsm::Block& v) {
  const std::int64_t size = v.options.integer("head_size");
  if (v.d % size != 0)
    throw std::invalid_argument("h3: option 'head_size': expected a divisor of the " +
                                std::to_string(v.d) + " channels, got " + std::to_string(size));
  systems_of(v, v.d / size);
}

}  // namespace

const lcsm::BlockRow kH3 = {"h3",
                            "a shift and a diagonal state space around products",
                            lcsm::Lag::kCausalOnly,
                            kH3Options,
                            tensors_of_h3,
                            check_heads};

}  // namespace ets
