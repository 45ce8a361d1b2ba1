#include "ets/families/ces.h"

#include <cmath>
#include <numbers>

#include "ets/families/complex.h"
#include "ets/families/modes_cost.h"

namespace ets {
namespace {

using Group = lcsm::BlockTensors::Group;

void put_rate(const CesOptions& o, std::int64_t d, lcsm::BlockTensors& tensors) {
  const std::int64_t G = o.directions();
  if (o.start == "fixed") {
    const Complex rate = std::log(Complex(o.start_real, o.start_imag));
    return tensors.put_rows("log_rate", {G, d, 2}, Group::kGate, "log(log(start))",
                            interleaved({std::log(rate)}));
  }
  const double inner = std::pow(o.r_min, 2), outer = std::pow(o.r_max, 2);
  const double phase = o.max_phase;
  const std::int64_t count = G * d;
  tensors.put("log_rate", {G, d, 2}, Group::kGate,
              "log(log(r) + i angle), uniform in the ring from r_min to r_max, angle < max_phase",
              [=](std::uint64_t seed) {
                lcsm::Random random = lcsm::random_for(seed, "log_rate");
                std::vector<Complex> rates(static_cast<std::size_t>(count));
                for (Complex& rate : rates) {
                  const double r2 = inner + (outer - inner) * random.uniform();
                  rate = std::log(Complex(0.5 * std::log(r2), phase * random.uniform()));
                }
                return interleaved(rates);
              });
}

}  // namespace

lcsm::Parameters Ces::tensors(std::int64_t d) const {
  const std::int64_t G = directions();
  lcsm::BlockTensors tensors;
  if (form == "real") {
    tensors.put_normal("smoothing_logit", {G, d}, Group::kGate, 1, 0.2);
    tensors.put_normal("damping_logit", {G, d}, Group::kGate, 1, 0.2);
    if (expand) tensors.put_normal("expand", {G, d}, Group::kMatrices, 0, 0.2);
  } else {
    put_rate(*this, d, tensors);
    if (step) tensors.put_step({step_min, step_max}, "log_step", {G, d, 2});
    if (expand) tensors.put_normal("log_expand", {G, d, 2}, Group::kMatrices, 0, 0.2);
  }
  if (skip) tensors.put_skip(d);
  put_replay(d, &tensors);
  return tensors.take();
}

lcsm::Mixing Ces::mixing(std::int64_t d, double steps) const {
  return with_replay(d, mixing_of_modes(steps, directions(), 1, form == "complex", lcsm::real(d)));
}

}  // namespace ets
