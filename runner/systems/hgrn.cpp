#include "runner/systems/hgrn.h"

#include <cmath>

#include "lcsm/block/block_tensors.h"

namespace runner {

using Group = lcsm::BlockTensors::Group;

lcsm::Parameters Hgrn::tensors(std::int64_t d) const {
  const std::int64_t parts = form == "complex" ? 2 : 1, angles = shared || !bidirectional ? 1 : 2;
  lcsm::BlockTensors tensors;
  tensors.put_linear("input", parts * d, d);
  tensors.put_linear("decay", d, d);
  if (parts == 2) {
    lcsm::Values angle(static_cast<std::size_t>(d));
    for (std::size_t n = 0; n < angle.size(); ++n)
      angle[n] = std::pow(10000, -2 * static_cast<double>(n) / static_cast<double>(d));
    tensors.put_rows("angle", {angles, d}, Group::kGate, "10000^(-2 index / d)", angle);
  }
  if (bound == "learned") tensors.put_shared("lower_bound", {layers, d}, Group::kGate, 1);
  tensors.put_linear("gate", parts * d, d);
  tensors.put_constant("norm.weight", {parts * d}, Group::kNorm, 1);
  tensors.put_constant("norm.bias", {parts * d}, Group::kNorm, 0);
  tensors.put_linear("output", d, parts * d);
  return tensors.take();
}

// The gate once for each channel; a complex memory is turned there and back.
lcsm::Mixing Hgrn::mixing(std::int64_t d, double) const {
  const double parts = form == "complex" ? 2 : 1, width = lcsm::real(d);
  return {"fused scan",
          (bidirectional ? 2 : 1) * (4 * parts + (form == "complex" ? 12 : 0)) * width,
          parts * width};
}

}  // namespace runner
