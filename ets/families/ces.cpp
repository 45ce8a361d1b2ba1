// Complex exponential smoothing (ETSMLP).
#include "ets/families/ces.h"

#include <cmath>
#include <numbers>

#include "ets/families/complex.h"
#include "ets/families/family.h"
#include "ets/families/replay.h"

namespace ets {
namespace {

using Group = lcsm::BlockTensors::Group;

constexpr std::array kCesLayerOptions = lcsm::joined(kCesOptions, kReplayOptions);

void put_rate(const lcsm::Block& v, std::int64_t G, lcsm::BlockTensors& tensors) {
  const lcsm::Options& o = v.options;
  if (o.text("start") == "fixed") {
    const Complex rate = std::log(Complex(o.number("start_real"), o.number("start_imag")));
    return tensors.put_rows("log_rate", {G, v.d, 2}, Group::kGate, "log(log(start))",
                            interleaved({std::log(rate)}));
  }
  const double inner = std::pow(o.number("r_min"), 2), outer = std::pow(o.number("r_max"), 2);
  const double phase = o.number("max_phase");
  const std::int64_t count = G * v.d;
  tensors.put("log_rate", {G, v.d, 2}, Group::kGate,
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

lcsm::Parameters tensors_of_ces(const lcsm::Block& v) {
  const std::int64_t G = v.directions();
  lcsm::BlockTensors tensors;
  if (v.options.text("form") == "real") {
    tensors.put_normal("smoothing_logit", {G, v.d}, Group::kGate, 1, 0.2);
    tensors.put_normal("damping_logit", {G, v.d}, Group::kGate, 1, 0.2);
    if (v.options.flag("expand")) tensors.put_normal("expand", {G, v.d}, Group::kMatrices, 0, 0.2);
  } else {
    put_rate(v, G, tensors);
    if (v.options.flag("step")) tensors.put_step(v.options, "log_step", {G, v.d, 2});
    if (v.options.flag("expand"))
      tensors.put_normal("log_expand", {G, v.d, 2}, Group::kMatrices, 0, 0.2);
  }
  if (v.options.flag("skip")) tensors.put_skip(v.d);
  put_replay(v, &tensors);
  return tensors.take();
}

}  // namespace

const lcsm::BlockRow kCes = {"ces",           "complex exponential smoothing, as in ETSMLP",
                             lcsm::Lag::kOne, kCesLayerOptions,
                             tensors_of_ces,  nullptr};

}  // namespace ets
