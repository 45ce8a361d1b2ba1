#include "ets/families/modes_cost.h"

#include "ets/plan/plan.h"

namespace ets {

lcsm::Mixing mixing_of_modes(double steps, std::int64_t directions, std::int64_t modes,
                             bool is_complex, double channels) {
  FilterShape shape;
  shape.T = static_cast<std::int64_t>(steps);
  shape.directions = directions;
  shape.modes = modes;
  shape.is_complex = is_complex;
  const double each = is_complex ? 12 : 4, count = lcsm::real(modes);
  lcsm::Mixing mixing = {"modes by recurrence", each * count * channels * lcsm::real(directions),
                         count * channels * (is_complex ? 2 : 1)};
  if (choose(shape).machine != FilterMachine::kFft) return mixing;
  mixing.machine = "convolution by FFT";
  mixing.flops = lcsm::fft_convolution_flops(channels, 2 * steps);
  return mixing;
}

}  // namespace ets
