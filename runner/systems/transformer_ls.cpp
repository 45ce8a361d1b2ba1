#include "runner/systems/transformer_ls.h"

#include <cmath>
#include <stdexcept>

namespace runner {

using Group = lcsm::BlockTensors::Group;

lcsm::Parameters TransformerLs::tensors(std::int64_t d) const {
  const double bound = 1 / std::sqrt(static_cast<double>(d));
  lcsm::BlockTensors tensors;
  put_qkv(d, &tensors);
  tensors.put_each("project.weight", {heads * projected, d}, Group::kMatrices,
                   "uniform / sqrt(inputs)",
                   [bound](lcsm::Random& random) { return bound * (2 * random.uniform() - 1); });
  for (const std::string name : {"near_norm", "far_norm"}) {
    tensors.put_constant(name + ".weight", {d}, Group::kNorm, 1);
    tensors.put_constant(name + ".bias", {d}, Group::kNorm, 0);
  }
  put_output(d, &tensors);
  return tensors.take();
}

void TransformerLs::check(std::int64_t d) const {
  check_heads(kName, d, heads);
  if (window % 2 != 0)
    throw std::invalid_argument("transformer-ls: option 'window': expected an even number, got " +
                                std::to_string(window));
}

lcsm::Mixing TransformerLs::mixing(std::int64_t d, double steps) const {
  const double far = lcsm::real(projected) * steps / lcsm::real(segment),
               near = std::min(steps, lcsm::real(2 * window)), width = lcsm::real(d);
  return lcsm::pairs("attention over a window and projections", width, width, near + far,
                     near + far);
}

}  // namespace runner
