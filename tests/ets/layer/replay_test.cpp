// State memory replay against a double loop over inputs and taps. Machines, steps, padding:
// machines_test, with every other family.
#include "ets/layer/replay.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "ets/families/ces.h"
#include "ets/families/s4.h"
#include "tests/ets/layer/family_cases.h"
#include "tests/ets/layer/official_cases.h"
#include "tests/lcsm/layer/layer_cases.h"

namespace ets {
namespace {

using at::Tensor;

constexpr std::int64_t kD = 3;

lcsm::Block variant(const std::string& kind, const std::string& pad, const std::string& bias,
                    const std::string& taps) {
  return FamilyCase{
      "ces", {"replay=" + kind, "replay_pad=" + pad, "replay_bias=" + bias, "replay_taps=" + taps}}
      .variant(kD);
}

double entry(const Tensor& x, std::int64_t t, std::int64_t d) { return x[0][t][d].item<double>(); }

// Channel d of the gate's convolution at step t.
double convolved(const lcsm::Block& v, const lcsm::Weights& w, const Tensor& x, std::int64_t t,
                 std::int64_t d) {
  const std::string kind = v.options.text("replay");
  const Tensor& K = w.at("replay.weight");
  double sum = 0;
  if (w.contains("replay.bias")) sum = w.at("replay.bias")[kind == "scalar" ? 0 : d].item<double>();
  for (std::int64_t j = 0; j < K.size(0); ++j) {
    if (t - j < 0 && v.options.text("replay_pad") == "zero") continue;
    const std::int64_t from = std::max<std::int64_t>(t - j, 0);
    if (kind == "scalar") {
      sum += K[j].item<double>() * entry(x, from, d);
    } else if (kind == "depthwise") {
      sum += K[j][d].item<double>() * entry(x, from, d);
    } else {
      for (std::int64_t c = 0; c < kD; ++c) sum += K[j][d][c].item<double>() * entry(x, from, c);
    }
  }
  return sum;
}

}  // namespace

TEST(Replay, IsTheDoubleLoop) {
  for (const std::string kind : {"depthwise", "full", "scalar"})
    for (const std::string pad : {"replicate", "zero"})
      for (const std::string taps : {"1", "2", "5"})
        for (const std::int64_t T : {1, 2, 7, 65}) {
          SCOPED_TRACE(kind + " " + pad + " " + taps + " T " + std::to_string(T));
          const lcsm::Block v = variant(kind, pad, taps == "2" ? "false" : "true", taps);
          const lcsm::Weights w = weights_of(v);
          const Tensor x = lcsm::random_input(1, T, kD, 2), y = replayed(v.as<Ces>(), w, x, {}).x;
          for (std::int64_t t = 0; t < T; ++t)
            for (std::int64_t d = 0; d < kD; ++d)
              // A few roundings of values of about 1.
              EXPECT_NEAR(entry(y, t, d),
                          entry(x, t, d) / (1 + std::exp(-convolved(v, w, x, t, d))), 1e-14);
        }
}

// S4+ is S4 on gated inputs, its shortcut included.
TEST(Replay, StandsBeforeTheFilterAndTheShortcut) {
  const FamilyCase plain{"s4", {"modes=2", "output=none"}},
      plus{"s4", {"modes=2", "output=none", "replay=depthwise"}};
  const lcsm::Block v = plus.variant(kD);
  const lcsm::Weights w = weights_of(v);
  const Tensor x = lcsm::random_input(2, 20, kD, 2);
  EXPECT_LE(
      relative_error(layer_forward(v, w, x).output,
                     layer_forward(plain.variant(kD), w, replayed(v.as<S4>(), w, x, {}).x).output),
      1e-14);
}

TEST(Replay, ContinuesFromTheLastInputs) {
  const lcsm::Block v = variant("full", "replicate", "true", "5");
  const lcsm::Weights w = weights_of(v);
  const Tensor x = lcsm::random_input(2, 12, kD, 2);
  lcsm::BlockState state;
  std::vector<Tensor> parts;
  for (const auto& [from, steps] : {std::pair{0, 1}, {1, 2}, {3, 9}}) {
    const Replayed part = replayed(v.as<Ces>(), w, x.narrow(1, from, steps), state);
    parts.push_back(part.x);
    state = part.state;
  }
  EXPECT_LE(relative_error(at::cat(parts, 1), replayed(v.as<Ces>(), w, x, {}).x), 1e-14);
}

TEST(Replay, HasTheGradient) {
  const lcsm::Threads one(1);
  for (const std::string kind : {"depthwise", "full", "scalar"}) {
    const lcsm::Block v = variant(kind, "replicate", "true", "3");
    lcsm::Weights w = weights_of(v);
    const Tensor x = lcsm::random_input(1, 4, kD, 2).requires_grad_(),
                 d = lcsm::random_input(1, 4, kD, 3);
    // Central differences of step 1e-5: errors of 1e-10 and of rounding.
    lcsm::expect_gradients(
        [&] { return (d * replayed(v.as<Ces>(), w, x, {}).x).sum(); },
        {{"x", x}, {"weight", w.at("replay.weight")}, {"bias", w.at("replay.bias")}}, 1e-5, 1e-8);
  }
}

TEST(Replay, AsksForTheLastInputsInAState) {
  const lcsm::Block v = variant("depthwise", "zero", "true", "3");
  const lcsm::Weights w = weights_of(v);
  const Tensor x = lcsm::random_input(1, 3, kD, 2);
  lcsm::BlockState state = layer_forward(v, w, x, {.backend = lcsm::Backend::kReference}).state;
  EXPECT_NO_THROW(layer_forward(v, w, x, {.state = state}));
  state.erase("replay");
  EXPECT_THROW(layer_forward(v, w, x, {.state = state}), std::invalid_argument);
}

// A layer that carries no state has no use for the last inputs either.
TEST(Replay, RefusesAStateThatTheLayerDoesNotCarry) {
  const lcsm::Block both =
      FamilyCase{"ces", {"bidirectional=true", "replay=depthwise", "replay_taps=2"}}.variant(kD);
  const Tensor x = lcsm::random_input(1, 3, kD, 2);
  EXPECT_THROW(layer_forward(both, weights_of(both), x, {.state = {{"replay", x.narrow(1, 0, 1)}}}),
               std::invalid_argument);
}

}  // namespace ets
