#include "ets/families/diagonal.h"

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "ets/families/hippo.h"
#include "ets/families/modes_cost.h"

namespace ets {
namespace {

using Group = lcsm::BlockTensors::Group;
constexpr double kPi = std::numbers::pi;

}  // namespace

std::vector<Complex> first_rates(std::string_view start, std::int64_t count) {
  if (start == "legs") {
    std::vector<Complex> rates = hippo(2 * count).rates;
    rates.resize(static_cast<std::size_t>(count));
    return rates;
  }
  std::vector<Complex> rates;
  const double N = 2 * static_cast<double>(count);  // modes with their conjugates
  for (std::int64_t i = 0; i < count; ++i) {
    const auto n = static_cast<double>(i);
    if (start == "real")
      rates.emplace_back(-(n + 1), 0);
    else if (start == "lin")
      rates.emplace_back(-0.5, -kPi * n);
    else if (start == "inv")
      rates.emplace_back(-0.5, -N / kPi * (N / (2 * n + 1) - 1));
    else if (start == "inv2")
      rates.emplace_back(-0.5, -N / kPi * (N / (n + 1) - 1));
    else
      rates.emplace_back(-0.5, -(2 * n + 1) * (2 * n + 1) / kPi);
  }
  return rates;
}

std::int64_t SystemsOption::systems_of(std::string_view block, std::int64_t d) const {
  if (systems > 0 && d % systems != 0)
    throw std::invalid_argument(std::string(block) +
                                ": option 'systems': expected a divisor of the " +
                                std::to_string(d) + " channels, got " + std::to_string(systems));
  return systems == 0 ? d : systems;
}

void AroundOptions::put_around(std::int64_t d, lcsm::BlockTensors* tensors) const {
  if (skip) tensors->put_skip(d);
  tensors->put_output(output.text(), d);
}

void put_diagonal(const DiagonalTensors& form, lcsm::BlockTensors* tensors) {
  const std::int64_t S = form.systems, M = form.modes, d = form.channels;
  const std::string start(form.start);
  lcsm::Values decays, frequencies;
  for (const Complex& rate : first_rates(start, M)) {
    decays.push_back(std::log(-rate.real()));
    frequencies.push_back(rate.imag());
  }
  tensors->put_rows("log_decay", {S, M}, Group::kGate, "log(-real part of " + start + ")", decays);
  if (!form.real)
    tensors->put_rows("frequency", {S, M}, Group::kGate, "imaginary part of " + start, frequencies);
  tensors->put_step({form.step.step_min, form.step.step_max}, "raw_step",
                    form.tied ? lcsm::Shape{d} : lcsm::Shape{d, M}, form.step.step == "softplus");
  // Complex numbers of variance 1, or real ones.
  const lcsm::Shape each = form.real ? lcsm::Shape{} : lcsm::Shape{2};
  lcsm::Shape of_systems = {S, M}, of_channels = {form.directions, d, M};
  of_systems.insert(of_systems.end(), each.begin(), each.end());
  of_channels.insert(of_channels.end(), each.begin(), each.end());
  if (form.expand)
    tensors->put_rows("expand", of_systems, Group::kGate, "1",
                      form.real ? lcsm::Values{1} : lcsm::Values{1, 0});
  tensors->put_normal("shrink", of_channels, Group::kMatrices, 0, form.real ? 1 : std::sqrt(0.5));
}

lcsm::Parameters S4d::tensors(std::int64_t d) const {
  lcsm::BlockTensors tensors;
  put_diagonal({.directions = directions(),
                .channels = d,
                .systems = systems_of(kName, d),
                .modes = modes,
                .start = start.text(),
                .step = *this,
                .real = form == "real",
                .tied = tied,
                .expand = expand},
               &tensors);
  put_around(d, &tensors);
  put_replay(d, &tensors);
  return tensors.take();
}

void S4d::check(std::int64_t d) const { systems_of(kName, d); }

lcsm::Mixing S4d::mixing(std::int64_t d, double steps) const {
  return with_replay(d,
                     mixing_of_modes(steps, directions(), modes, form == "complex", lcsm::real(d)));
}

}  // namespace ets
