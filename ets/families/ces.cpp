// Complex exponential smoothing (ETSMLP).
#include <array>
#include <cmath>
#include <numbers>

#include "ets/families/replay.h"

namespace ets {
namespace {

using Group = TensorList::Group;

constexpr std::array kOptions = {
    flag("bidirectional", false, "a second kernel over what follows"),
    word("form", "complex real", "complex", "a complex decay, or the damped smoothing of MEGA"),
    flag("step", true, "a learned complex step; false: the decay is exp(rate)", "form=complex"),
    flag("expand", true, "a learned weight; false: 1"),
    flag("skip", true, "a learned shortcut"),
    flag("normalize", false, "one direction only: divides by the running sum of the kernel"),
    number("max_lambda", "0.9999", 1e-6, 1, "the largest |decay|", "form=complex"),
    flag("slow", false, "multiplies the logarithm of the decay by 0.06", "form=complex"),
    flag("balance", false, "multiplies the kernel by sqrt(1 - |decay|^2)", "form=complex"),
    word("start", "ring fixed", "ring", "first decays: uniform in a ring, or all the same",
         "form=complex"),
    number("r_min", "0.1", 0, 1, "the ring's inner radius", "start=ring"),
    number("r_max", "0.9", 0, 1, "the ring's outer radius", "start=ring"),
    number("max_phase", "3.14", 0, 6.2832, "the ring's largest angle", "start=ring"),
    number("start_real", "0.9", -1, 1, "the fixed decay's real part", "start=fixed"),
    number("start_imag", "0.1", -1, 1, "the fixed decay's imaginary part", "start=fixed"),
    number("step_min", "0.001", 1e-9, 1e3, "the smallest first step", "form=complex"),
    number("step_max", "0.1", 1e-9, 1e3, "the largest first step", "form=complex"),
    kReplay,
    kReplayTaps,
    kReplayBias,
    kReplayPad,
};

void put_rate(const Variant& v, std::int64_t G, TensorList& tensors) {
  const Options& o = v.options;
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

Parameters tensors_of_ces(const Variant& v) {
  const std::int64_t G = v.directions();
  TensorList tensors;
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

const FamilyRow kCes = {"ces",          "complex exponential smoothing, as in ETSMLP",
                        Lag::kOne,      kOptions,
                        tensors_of_ces, nullptr};

}  // namespace ets
