#include "ets/families/diagonal.h"

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "ets/families/hippo.h"

namespace ets {
namespace {

using Group = lcsm::BlockTensors::Group;
constexpr double kPi = std::numbers::pi;

}  // namespace

std::vector<Complex> first_rates(const std::string& start, std::int64_t count) {
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

std::int64_t systems_of(const lcsm::Block& v, std::int64_t d) {
  const std::int64_t S = v.options.integer("systems");
  if (S > 0 && d % S != 0)
    throw std::invalid_argument(std::string(v.row->name) +
                                ": option 'systems': expected a divisor of the " +
                                std::to_string(d) + " channels, got " + std::to_string(S));
  return S == 0 ? d : S;
}

void put_diagonal(const lcsm::Block& v, std::int64_t G, std::int64_t d, bool real, bool tied,
                  bool expand, lcsm::BlockTensors* tensors) {
  const std::int64_t S = systems_of(v, d), M = v.options.integer("modes");
  const std::string& start = v.options.text("start");
  lcsm::Values decays, frequencies;
  for (const Complex& rate : first_rates(start, M)) {
    decays.push_back(std::log(-rate.real()));
    frequencies.push_back(rate.imag());
  }
  tensors->put_rows("log_decay", {S, M}, Group::kGate, "log(-real part of " + start + ")", decays);
  if (!real)
    tensors->put_rows("frequency", {S, M}, Group::kGate, "imaginary part of " + start, frequencies);
  tensors->put_step(v.options, "raw_step", tied ? lcsm::Shape{d} : lcsm::Shape{d, M},
                    v.options.text("step") == "softplus");
  // Complex numbers of variance 1, or real ones.
  const lcsm::Shape each = real ? lcsm::Shape{} : lcsm::Shape{2};
  lcsm::Shape of_systems = {S, M}, of_channels = {G, d, M};
  of_systems.insert(of_systems.end(), each.begin(), each.end());
  of_channels.insert(of_channels.end(), each.begin(), each.end());
  if (expand)
    tensors->put_rows("expand", of_systems, Group::kGate, "1",
                      real ? lcsm::Values{1} : lcsm::Values{1, 0});
  tensors->put_normal("shrink", of_channels, Group::kMatrices, 0, real ? 1 : std::sqrt(0.5));
}

}  // namespace ets
