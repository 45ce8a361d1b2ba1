// The cost of smoothing and state space families.
#include <array>

#include "ets/families/family.h"
#include "ets/plan/plan.h"
#include "lcsm/base/row_names.h"
#include "runner/models/families/mixing.h"

namespace runner {
namespace {

Mixing replayed(const lcsm::Block& v, Mixing mixing) {
  if (lcsm::row_named(v.options.rows(), "replay") == nullptr || is(v, "replay", "none"))
    return mixing;
  const double taps = option(v, "replay_taps"), d = number(v.d);
  mixing.flops += 2 * taps * d * (is(v, "replay", "full") ? d : 1);
  mixing.state += (taps - 1) * d;
  return mixing;
}

// Modes of each channel, by the machine that the planner chooses for one sequence of T steps.
Mixing modes(const lcsm::Block& v, double T, double count, bool is_complex, double channels) {
  ets::FilterShape shape;
  shape.T = static_cast<std::int64_t>(T);
  shape.directions = v.directions();
  shape.modes = static_cast<std::int64_t>(count);
  shape.is_complex = is_complex;
  const double each = is_complex ? 12 : 4;
  Mixing mixing = {"modes by recurrence", each * count * channels * number(v.directions()),
                   count * channels * (is_complex ? 2 : 1)};
  if (ets::choose(shape).machine != ets::FilterMachine::kFft) return mixing;
  mixing.machine = "convolution by FFT";
  mixing.flops = 10 * channels * half_octave(2 * T);
  return mixing;
}

Mixing of_ces(const lcsm::Block& v, double T) {
  return replayed(v, modes(v, T, 1, is(v, "form", "complex"), number(v.d)));
}
Mixing of_ema(const lcsm::Block& v, double T) {
  return replayed(v, modes(v, T, option(v, "modes"), false, number(v.d)));
}
Mixing of_s4d(const lcsm::Block& v, double T) {
  return replayed(v, modes(v, T, option(v, "modes"), is(v, "form", "complex"), number(v.d)));
}
Mixing of_dss(const lcsm::Block& v, double T) {
  return replayed(v, modes(v, T, option(v, "modes"), true, number(v.d)));
}
// The low rank joins each mode with its conjugate, so the state has both.
Mixing of_s4(const lcsm::Block& v, double T) {
  const double N = option(v, "modes"), d = number(v.d);
  return replayed(v, {"convolution by FFT", 10 * d * half_octave(2 * T), 4 * N * d});
}
Mixing of_s5(const lcsm::Block& v, double) {
  const double N = option(v, "modes"), d = number(v.d);
  return replayed(
      v, {"one scan for all channels", (8 * N * d + 8 * N) * number(v.directions()), 2 * N});
}
Mixing of_h3(const lcsm::Block& v, double T) {
  const double n = option(v, "head_size"), taps = option(v, "taps"), d = number(v.d);
  Mixing mixing = modes(v, T, option(v, "modes"), true, n * d);
  mixing.machine += "; the shift by FFT";
  mixing.flops += 10 * d * half_octave(2 * T) + 4 * n * d;
  mixing.state += (taps - 1) * d;
  return mixing;
}
Mixing of_tnn(const lcsm::Block& v, double T) {
  const double channels = option(v, "channels") > 0 ? option(v, "channels") : 3 * number(v.d);
  return {"convolution by FFT", 10 * channels * half_octave(2 * T), channels * T};
}
Mixing of_etsmlp(const lcsm::Block& v, double T) {
  const double hidden = option(v, "hidden") > 0 ? option(v, "hidden") : number(v.d);
  const bool outside = is(v, "place", "before_in") || is(v, "place", "after_out");
  return modes(v, T, 1, is(v, "form", "complex"), outside ? number(v.d) : hidden);
}

// The cost of queries as wide as the option `keys` says, by default half the layer.
Mixing chunked_pairs(const lcsm::Block& v, double T, std::string_view keys) {
  const double chunk = option(v, "chunk"), seen = chunk > 0 ? std::min(T, chunk) : T,
               key = option(v, keys) > 0 ? option(v, keys)
                                         : std::max(1.0, std::floor(number(v.d) / 2)),
               value = option(v, "v") > 0 ? option(v, "v") : 2 * number(v.d);
  return pairs(chunk > 0 ? "attention within chunks" : "attention over all pairs", key, value, seen,
               seen);
}

Mixing of_mega(const lcsm::Block& v, double T) {
  Mixing mixing = chunked_pairs(v, T, "z");
  mixing.machine += "; moving averages by modes";
  mixing.flops += 4 * option(v, "modes") * number(v.d) * number(v.directions());
  mixing.state += option(v, "modes") * number(v.d);
  return mixing;
}

Mixing of_s4pp(const lcsm::Block& v, double T) {
  const Mixing filter = is(v, "kernel", "s4d")
                            ? replayed(v, modes(v, T, option(v, "modes"), true, number(v.d)))
                            : of_s4(v, T);
  Mixing mixing = chunked_pairs(v, T, "q");
  mixing.machine += "; " + filter.machine;
  mixing.flops += filter.flops;
  mixing.state += filter.state;
  return mixing;
}

struct FilterRow {
  const lcsm::BlockRow* block;
  Mixing (*mixing)(const lcsm::Block& v, double T);
};

}  // namespace

Mixing filter_mixing(const lcsm::Block& v, double T) {
  static const std::array rows = {
      FilterRow{&ets::kCes, of_ces},       FilterRow{&ets::kEma, of_ema},
      FilterRow{&ets::kS4d, of_s4d},       FilterRow{&ets::kS4, of_s4},
      FilterRow{&ets::kDss, of_dss},       FilterRow{&ets::kS5, of_s5},
      FilterRow{&ets::kH3, of_h3},         FilterRow{&ets::kTnn, of_tnn},
      FilterRow{&ets::kEtsmlp, of_etsmlp}, FilterRow{&ets::kMegaFeed, none},
      FilterRow{&ets::kMega, of_mega},     FilterRow{&ets::kS4pp, of_s4pp},
  };
  for (const FilterRow& row : rows)
    if (row.block == v.row) return row.mixing(v, T);
  return {"unknown"};
}

}  // namespace runner
