// S4++ against the equations of its paper, in order, and which step sees which.
#include "ets/families/s4pp.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/silu.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "ets/layer/part.h"
#include "lcsm/layer/layer.h"
#include "tests/ets/layer/family_cases.h"
#include "tests/ets/layer/official_cases.h"
#include "tests/lcsm/layer/layer_cases.h"
#include "tests/message_of.h"

namespace ets {
namespace {

using at::Tensor;

lcsm::Block s4pp(const std::vector<std::string>& settings) {
  std::vector<std::string> all = {"modes=2", "positions=32"};
  all.insert(all.end(), settings.begin(), settings.end());
  return FamilyCase{"s4++", all}.variant();
}

// With the initial values the attention would be too small to detect.
lcsm::Weights large_weights_of_s4pp(const lcsm::Block& v) {
  lcsm::Weights weights = weights_of(v);
  for (auto& [name, tensor] : weights)
    tensor = (name.starts_with("filter.") ? 1 : 20) * tensor.detach();
  return weights;
}

Tensor output_of_s4pp(const lcsm::Block& v, const lcsm::Weights& w, const Tensor& x,
                      const lcsm::BlockContext& context = {}) {
  return layer_forward(v, w, x, context).output;
}

Tensor linear(const lcsm::Weights& w, const std::string& name, const Tensor& x) {
  const Tensor y = at::matmul(x, w.at(name + ".weight").t());
  return w.contains(name + ".bias") ? y + w.at(name + ".bias") : y;
}

// (18): the gate sees the last inputs, and before the first input repeats it.
Tensor adjusted(const lcsm::Weights& w, const Tensor& U) {
  const Tensor &K = w.at("filter.replay.weight"), &b = w.at("filter.replay.bias");
  Tensor out = at::zeros_like(U);
  for (std::int64_t t = 0; t < U.size(0); ++t) {
    Tensor sum = b;
    for (std::int64_t j = 0; j < K.size(0); ++j)
      sum = sum + K[j] * U[std::max<std::int64_t>(t - j, 0)];
    out[t] = U[t] * at::sigmoid(sum);
  }
  return out;
}

// (19), by the kernel.
Tensor s4pp_convolved(const lcsm::Block& v, const lcsm::Weights& w, const Tensor& U) {
  const S4pp& whole = v.as<S4pp>();
  const lcsm::Block filter =
      whole.kernel == "s4" ? part_block(whole.s4(), v.d) : part_block(whole.s4d(), v.d);
  const Tensor K = layer_kernel(filter, part_of(w, "filter."), U.size(0))[0];  // [D, T]
  Tensor out = at::zeros_like(U);
  for (std::int64_t t = 0; t < U.size(0); ++t)
    for (std::int64_t j = 0; j <= t; ++j) out[t] += K.select(1, j) * U[t - j];
  return out;
}

// Equations (20) to (28) for one causal sequence.
Tensor by_equations(const lcsm::Block& v, const lcsm::Weights& w, const Tensor& U, double divisor) {
  const Tensor Us = s4pp_convolved(v, w, adjusted(w, U));
  const Tensor Q = at::silu(linear(w, "query", U)), K = at::silu(linear(w, "key", Us)),
               V = at::silu(linear(w, "value", U));
  const std::int64_t P = (w.at("distance").size(0) + 1) / 2;
  Tensor O = at::zeros_like(V);
  for (std::int64_t i = 0; i < U.size(0); ++i) {
    Tensor sum = at::zeros({}, at::kDouble);
    for (std::int64_t j = 0; j <= i; ++j) {
      const Tensor weight =
          at::exp((Q[i] * K[j]).sum() / std::sqrt(divisor) + w.at("distance")[P - 1 + j - i]);
      sum += weight;
      O[i] += weight * V[j];
    }
    O[i] /= sum;
  }
  const Tensor rho = at::silu(linear(w, "reset", Us)), S = linear(w, "state", Us);
  const Tensor H = at::silu(linear(w, "hidden", rho * O) + S);
  const Tensor psi = at::sigmoid(linear(w, "update", Us));
  return psi * H + (1 - psi) * U;
}

bool depends_of_s4pp(const lcsm::Block& v, std::int64_t seen, std::int64_t changed) {
  const lcsm::Weights weights = large_weights_of_s4pp(v);
  const Tensor x = lcsm::random_input(1, 20, v.d, 3), other = x.clone();
  other.select(1, changed).neg_();
  return relative_error(output_of_s4pp(v, weights, other).select(1, seen),
                        output_of_s4pp(v, weights, x).select(1, seen)) > 1e-12;
}

}  // namespace

TEST(S4pp, IsThePapersEquations) {
  const at::NoGradGuard no_gradients;
  const auto expect_equations = [](const std::vector<std::string>& settings, double divisor) {
    const lcsm::Block v = s4pp(settings);
    const lcsm::Weights w = large_weights_of_s4pp(v);
    const Tensor x = lcsm::random_input(1, 17, v.d, 8);
    EXPECT_LE(relative_error(x[0] + output_of_s4pp(v, w, x)[0], by_equations(v, w, x[0], divisor)),
              1e-12)
        << settings[0];
  };
  expect_equations({"kernel=s4"}, 4);
  expect_equations({"kernel=s4d"}, 4);
  expect_equations({"divisor=keys", "q=3"}, 3);
}

// Equation 16 plus the filter, with both sides in sight of the attention.
TEST(S4pp, SumsAStateSpaceAndAttention) {
  const at::NoGradGuard no_gradients;
  const lcsm::Block v = s4pp({"combine=sum", "causal=false", "bias=none", "replay=none"});
  const lcsm::Weights w = large_weights_of_s4pp(v);
  const Tensor U = lcsm::random_input(1, 11, v.d, 8)[0];
  const Tensor y = s4pp_convolved(v, w, U), Q = linear(w, "query", U), K = linear(w, "key", y);
  const Tensor A = at::exp(at::matmul(Q, K.t()));
  const Tensor phi = at::matmul(A / A.sum(1, true), linear(w, "value", U));
  EXPECT_LE(relative_error(output_of_s4pp(v, w, U.unsqueeze(0))[0], y + phi), 1e-12);
  EXPECT_GT(relative_error(y + phi, y), 1e-3);
}

// The count follows from the shapes printed in the paper, plus its convolutions and the bias of
// positions.
TEST(S4pp, HasAsManyParametersAsThePaper) {
  const std::int64_t d = 12, q = 5, values = 7;
  const lcsm::Block v = FamilyCase{"s4++", {"q=5", "v=7", "bias=none"}}.variant(d);
  std::int64_t count = 0;
  for (const lcsm::Parameter& tensor : tensors_of(v))
    if (!tensor.name.starts_with("filter.")) count += tensor.count();
  EXPECT_EQ(count, 2 * (d * q + q) + 2 * (d * values + values) + values * d + 2 * (d * d + d));
  EXPECT_FALSE(weights_of(v).contains("filter.skip"));  // (19) is the kernel alone
}

TEST(S4pp, SeesLaterStepsByItsFilterOrByItsAttention) {
  for (const auto& [both, causal, later] : {std::tuple{"bidirectional=false", "causal=true", false},
                                            {"bidirectional=true", "causal=true", true},
                                            {"bidirectional=false", "causal=false", true}}) {
    SCOPED_TRACE(std::string(both) + " " + causal);
    const lcsm::Block v = s4pp({both, causal});
    EXPECT_EQ(lcsm::sees_later_steps(*v.row, v.options), later);
    EXPECT_EQ(depends_of_s4pp(v, 7, 8), later);
    EXPECT_TRUE(depends_of_s4pp(v, 8, 7));
  }
}

TEST(S4pp, DropsTheFilterAndTheOutput) {
  const lcsm::Block v = s4pp({});
  std::vector<std::vector<std::int64_t>> shapes;
  const auto drop = [&](const Tensor& y) {
    shapes.push_back(y.sizes().vec());
    return y * 0;
  };
  const Tensor x = lcsm::random_input(1, 5, v.d, 7);
  // Without the filter W_u m is its bias, 0: u is 1/2, and h is dropped.
  EXPECT_LE(relative_error(output_of_s4pp(v, weights_of(v), x, {.drop = drop}), -0.5 * x), 1e-15);
  EXPECT_EQ(shapes, (std::vector<std::vector<std::int64_t>>(2, {1, 5, v.d})));
}

TEST(S4pp, WeighsTheResidualThatItIsGiven) {
  const lcsm::Block v = s4pp({});
  const lcsm::Weights w = weights_of(v);
  const Tensor x = lcsm::random_input(2, 9, v.d, 5), r = lcsm::random_input(2, 9, v.d, 6);
  const Tensor gate =
      (output_of_s4pp(v, w, x, {.residual = r}) - output_of_s4pp(v, w, x)) / (x - r);
  EXPECT_GT(gate.min().item<double>(), 0);
  EXPECT_LT(gate.max().item<double>(), 1);
}

TEST(S4pp, RefusesWhatDoesNotFit) {
  const auto refusal = [](const std::vector<std::string>& settings, std::int64_t T) {
    return message_of<std::invalid_argument>([&] {
      const lcsm::Block v = s4pp(settings);
      output_of_s4pp(v, weights_of(v), lcsm::random_input(1, T, v.d, 1));
    });
  };
  EXPECT_EQ(refusal({}, 33),
            "s4++: option 'positions': expected at least the 33 steps of the sequence, got 32");
  EXPECT_EQ(refusal({"chunk=8"}, 33), "");
  EXPECT_EQ(refusal({"bias=rotary", "q=3"}, 4),
            "s4++: option 'q': expected an even number with bias=rotary, got 3");
  EXPECT_EQ(refusal({"kernel=s4d", "length=8"}, 4),
            "s4++: option 'length' has no effect without kernel=s4: remove it");
  EXPECT_EQ(refusal({"combine=sum", "v=8"}, 4),
            "s4++: option 'v' has no effect without combine=gates: remove it");
  EXPECT_EQ(refusal({"replay=none", "replay_taps=8"}, 4),
            "s4++: option 'replay_taps' has no effect without replay!=none: remove it");
}

}  // namespace ets
