#include "ets/families/h3.h"

#include <cmath>
#include <stdexcept>

#include "ets/families/modes_cost.h"

namespace ets {

using Group = lcsm::BlockTensors::Group;

lcsm::Parameters H3::tensors(std::int64_t d) const {
  const std::int64_t N = taps, H = d / head_size;
  lcsm::BlockTensors tensors;
  for (const char* name : {"query", "key", "value"}) tensors.put_linear(name, d, d);
  lcsm::Values first_tap(static_cast<std::size_t>(N), 0);
  first_tap[0] = 1;
  tensors.put_rows("shift.expand", {d, N}, Group::kGate, "1, 0, 0, ...", first_tap);
  tensors.put_each("shift.shrink", {d, N}, Group::kMatrices, "uniform / sqrt(taps)",
                   [N](lcsm::Random& random) {
                     return (2 * random.uniform() - 1) / std::sqrt(static_cast<double>(N));
                   });
  tensors.put_normal("shift.skip", {d}, Group::kNorm, 0, 1);
  put_diagonal({.channels = H,
                .systems = systems_of(kName, H),
                .modes = modes,
                .start = start.text(),
                .step = *this},
               &tensors);
  tensors.put_skip(H);
  tensors.put_output("linear", d);
  return tensors.take();
}

void H3::check(std::int64_t d) const {
  if (d % head_size != 0)
    throw std::invalid_argument("h3: option 'head_size': expected a divisor of the " +
                                std::to_string(d) + " channels, got " + std::to_string(head_size));
  systems_of(kName, d / head_size);
}

lcsm::Mixing H3::mixing(std::int64_t d, double steps) const {
  const double n = lcsm::real(head_size), width = lcsm::real(d);
  lcsm::Mixing mixing = mixing_of_modes(steps, 1, modes, true, n * width);
  mixing.machine += "; the shift by FFT";
  mixing.flops += lcsm::fft_convolution_flops(width, 2 * steps) + 4 * n * width;
  mixing.state += lcsm::real(taps - 1) * width;
  return mixing;
}

}  // namespace ets
