#include "runner/systems/gmlp.h"

#include <stdexcept>

#include "runner/systems/attention.h"

namespace runner {

using Group = lcsm::BlockTensors::Group;

lcsm::Parameters Gmlp::tensors(std::int64_t d) const {
  const std::int64_t half = size_or(size, 6 * d) / 2;
  const double bound = 1e-3 / static_cast<double>(length);
  lcsm::Shape shape = {length, length};
  if (spatial == "toeplitz") shape = {bidirectional ? 2 * length - 1 : length};
  lcsm::BlockTensors tensors;
  tensors.put_linear("input", 2 * half, d);
  tensors.put_constant("norm.weight", {half}, Group::kNorm, 1);
  tensors.put_constant("norm.bias", {half}, Group::kNorm, 0);
  tensors.put_each("spatial.weight", shape, Group::kMatrices, "0.001 * uniform / length",
                   [bound](lcsm::Random& random) { return bound * (2 * random.uniform() - 1); });
  tensors.put_constant("spatial.bias", {length}, Group::kNorm, 1);
  tensors.put_linear("output", d, half);
  return tensors.take();
}

void Gmlp::check(std::int64_t d) const {
  if (size_or(size, 6 * d) % 2 != 0)
    throw std::invalid_argument("gmlp: option 'size': expected an even number, got " +
                                std::to_string(size));
}

lcsm::Mixing Gmlp::mixing(std::int64_t d, double steps) const {
  const double half = lcsm::real(size_or(size, 6 * d)) / 2;
  if (spatial == "toeplitz")
    return {"convolution by FFT", 10 * half * lcsm::half_octave(2 * steps), half * steps};
  return {"a matrix over all steps", 2 * half * steps, half * steps};
}

}  // namespace runner
