#include "runner/systems/token_mixers.h"

#include <cmath>
#include <stdexcept>

#include "runner/systems/attention.h"

namespace runner {

using Group = lcsm::BlockTensors::Group;

lcsm::Parameters BaseConv::tensors(std::int64_t d) const {
  const auto uniform = [taps = taps](lcsm::Random& random) {
    return (2 * random.uniform() - 1) / std::sqrt(static_cast<double>(taps));
  };
  lcsm::BlockTensors tensors;
  tensors.put_around("conv.weight", {d, taps}, Group::kMatrices, uniform);
  tensors.put_around("conv.bias", {d}, Group::kNorm, uniform);
  tensors.put_linear("gate", d, d);
  return tensors.take();
}

lcsm::Mixing BaseConv::mixing(std::int64_t d, double) const {
  return {"short convolution", lcsm::convolution(lcsm::real(taps), lcsm::real(d)),
          lcsm::real((taps - 1) * d)};
}

lcsm::Parameters Gfnet::tensors(std::int64_t d) const {
  lcsm::BlockTensors tensors;
  tensors.put_normal("filter", {length / 2 + 1, d, 2}, lcsm::BlockTensors::Group::kGate, 0, 0.02);
  return tensors.take();
}

lcsm::Mixing Gfnet::mixing(std::int64_t d, double) const {
  return {"convolution by FFT", lcsm::fft_convolution_flops(lcsm::real(d), lcsm::real(length)), 0};
}

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
    return {"convolution by FFT", lcsm::fft_convolution_flops(half, 2 * steps), half * steps};
  return {"a matrix over all steps", 2 * half * steps, half * steps};
}

}  // namespace runner
