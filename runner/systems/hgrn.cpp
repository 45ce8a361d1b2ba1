// HGRN: a gated recurrence per channel, complex or real.
#include <array>
#include <cmath>

#include "lcsm/block/block_tensors.h"
#include "runner/systems/blocks.h"

namespace runner {
namespace {

using Group = lcsm::BlockTensors::Group;

constexpr std::array kHgrnOptions = {
    lcsm::word("form", "complex real", "complex",
               "memory of a channel; real without a lower bound is LRN"),
    lcsm::word("bound", "fixed learned", "fixed",
               "lower bound of the decay; learned: a running sum over the model's layers"),
    lcsm::number("lower_bound", "0", 0, 1, "the fixed bound", "bound=fixed"),
    lcsm::flag("bidirectional", false, "add a scan from the end"),
    lcsm::flag("shared", false, "both directions rotate by the same angles"),
    lcsm::kLayer,
    lcsm::kLayers,
};

lcsm::Parameters tensors_of_hgrn(const lcsm::Block& v) {
  const std::int64_t d = v.d, parts = v.options.text("form") == "complex" ? 2 : 1,
                     angles = v.options.flag("shared") ? 1 : v.directions();
  lcsm::BlockTensors tensors;
  tensors.put_linear("input", parts * d, d);
  tensors.put_linear("decay", d, d);
  if (parts == 2) {
    lcsm::Values angle(static_cast<std::size_t>(d));
    for (std::size_t n = 0; n < angle.size(); ++n)
      angle[n] = std::pow(10000, -2 * static_cast<double>(n) / static_cast<double>(d));
    tensors.put_rows("angle", {angles, d}, Group::kGate, "10000^(-2 index / d)", angle);
  }
  if (v.options.text("bound") == "learned")
    tensors.put_shared("lower_bound", {v.options.integer("layers"), d}, Group::kGate, 1);
  tensors.put_linear("gate", parts * d, d);
  tensors.put_constant("norm.weight", {parts * d}, Group::kNorm, 1);
  tensors.put_constant("norm.bias", {parts * d}, Group::kNorm, 0);
  tensors.put_linear("output", d, parts * d);
  return tensors.take();
}

}  // namespace

const lcsm::BlockRow kHgrn = {"hgrn",           "a gated recurrence per channel, complex or real",
                              lcsm::Lag::kZero, kHgrnOptions,
                              tensors_of_hgrn,  [](const lcsm::Block&) {}};

}  // namespace runner
