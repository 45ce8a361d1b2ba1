// Checks propositions of the papers numerically.
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/linspace.h>
#include <ATen/ops/log.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/polar.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/view_as_real.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "tests/ets/layer/family_cases.h"
#include "tests/ets/layer/official_cases.h"
#include "tests/lcsm/layer/layer_cases.h"

namespace ets {
namespace {

using at::Tensor;

// Decays at all angles, and as near to 0 and to the unit circle as numbers are.
Tensor decays_of_the_disc() {
  const Tensor radii =
      at::tensor({1e-300, 1e-9, 1e-3, 0.1, 0.37, 0.5, 0.9, 0.99, 1 - 1e-6, 1 - 1e-15}, at::kDouble);
  const Tensor angles = at::linspace(1e-6, std::numbers::pi, 12, at::kDouble);
  return at::polar(radii.unsqueeze(1).expand({10, 12}).contiguous(),
                   angles.unsqueeze(0).expand({10, 12}).contiguous())
      .flatten();
}

// Proposition 1 of ETSMLP: as l = log log lambda is trained, its gradient is bounded for all lambda
// of the punctured disc. With alpha = beta = 1 the bound follows from the gradient in its proof,
// sum over j of x_(t-j) lambda^j (j - (j + 1) lambda) log lambda, and from
// |lambda log lambda| <= 1 / e + pi.
TEST(EtsmlpProposition1, TheGradientOfLogLogLambdaIsBounded) {
  const Tensor lambda = decays_of_the_disc();
  const std::int64_t D = lambda.size(0), T = 24;
  const lcsm::Block v =
      FamilyCase{"ces", {"step=false", "expand=false", "skip=false", "max_lambda=1"}}.variant(D);
  lcsm::Weights weights = weights_of(v);
  const Tensor rate = at::view_as_real(at::log(at::log(lambda))).unsqueeze(0).clone();
  weights["log_rate"] = rate.requires_grad_();
  const Tensor one = lcsm::random_input(1, T, 1, 3), slope = lcsm::random_input(1, T, 1, 4);
  const Tensor y =
      layer_forward(v, weights, one.expand({1, T, D}), {.backend = lcsm::Backend::kReference})
          .output;
  (y * slope).sum().backward();
  double bound = 0;
  for (std::int64_t t = 0; t < T; ++t)
    for (std::int64_t j = 0; j <= t; ++j)
      bound += std::abs(slope[0][t][0].item<double>() * one[0][t - j][0].item<double>()) *
               static_cast<double>(2 * j + 1) * (1 / std::numbers::e + std::numbers::pi);
  EXPECT_TRUE(rate.grad().isfinite().all().item<bool>());
  EXPECT_LE(rate.grad().abs().max().item<double>(), bound);
  EXPECT_GE(rate.grad().abs().max().item<double>(), 1e-3 * bound) << "the bound says something";
}

using Vector2 = std::array<double, 2>;
using Matrix2 = std::array<Vector2, 2>;

double dot(const Vector2& a, const Vector2& b) { return a[0] * b[0] + a[1] * b[1]; }
double length(const Vector2& a) { return std::sqrt(dot(a, a)); }
Vector2 times(const Matrix2& m, const Vector2& v) { return {dot(m[0], v), dot(m[1], v)}; }

struct Orbit {
  double largest_state = 0, early_error = 0, late_error = 0;
};

// x_t = A x_(t-1) + B u_t with A diagonal, and with other samples u'; y = x_1 + x_2.
Orbit orbit_of(double largest_eigenvalue, const Vector2& B, double zeta, int steps) {
  const Vector2 A = {largest_eigenvalue, 0.5 * largest_eigenvalue};
  Vector2 x = {0, 0}, other = {0, 0};
  Orbit orbit;
  for (int t = 0; t < steps; ++t) {
    const double u = zeta * std::sin(0.3 * t), moved = zeta * std::sin(0.3 * (t + 0.4 * (t % 3)));
    for (std::size_t n = 0; n < 2; ++n) {
      x[n] = A[n] * x[n] + B[n] * u;
      other[n] = A[n] * other[n] + B[n] * moved;
    }
    const double error = std::abs(x[0] + x[1] - other[0] - other[1]);
    orbit.largest_state = std::max(orbit.largest_state, length(x));
    double& half = t < steps / 2 ? orbit.early_error : orbit.late_error;
    half = std::max(half, error);
  }
  return orbit;
}

// Proposition 1 of S4++: if states exceed b zeta / (1 - |lambda_max|), the error from other samples
// grows. The states of a stable system do not.
TEST(S4ppProposition1, StatesBeyondTheBoundMeanErrorsThatGrow) {
  const Vector2 B = {0.6, 0.7};
  const double zeta = 1, b = 1.0001 * length(B);
  for (const double largest : {0.3, 0.9, 0.99}) {
    const Orbit orbit = orbit_of(largest, B, zeta, 4000);
    EXPECT_LE(orbit.largest_state, b * zeta / (1 - largest));
    EXPECT_LE(orbit.late_error, 1.05 * orbit.early_error) << largest;  // waves out of step
  }
  for (const double largest : {1.02, 1.1}) {
    const Orbit orbit = orbit_of(largest, B, zeta, 400);
    EXPECT_GT(orbit.largest_state, b * zeta / std::abs(1 - largest));
    EXPECT_GT(orbit.late_error, 5 * orbit.early_error) << largest;
  }
}

// Theorem 1 of S4++ for the plant of its section 2.2 and an observer with disturbed inputs,
// e' = A e - B h epsilon: the growth of e P e is at most e (P A + A^T P) e + |h| |e| |B| |epsilon|.
// It leaves the scale of P open: this needs 2 |P| <= 1.
TEST(S4ppTheorem1, BoundsTheGrowthOfTheErrorByTheReplayFactor) {
  const Matrix2 A = {{{0, 1}, {-2, 3}}};
  const Vector2 B = {0, 1};
  const double scale = 0.4;  // |P| = 1.25 in the paper
  const Matrix2 P = {{{scale, 0.25 * scale}, {0.25 * scale, scale}}};
  std::vector<double> ends;
  for (const double h : {1.0, 0.5}) {
    Vector2 e = {0, 0};
    const double dt = 1e-3;
    for (int n = 0; n < 3000; ++n) {
      const double epsilon = 0.1 * std::sin(7 * dt * n);
      const Vector2 Ae = times(A, e),
                    slope = {Ae[0] - B[0] * h * epsilon, Ae[1] - B[1] * h * epsilon};
      const double growth = 2 * dot(times(P, e), slope);
      const double bound = 2 * dot(times(P, e), Ae) + h * length(e) * length(B) * std::abs(epsilon);
      EXPECT_LE(growth, bound + 1e-12);
      e = {e[0] + dt * slope[0], e[1] + dt * slope[1]};
    }
    ends.push_back(length(e));
  }
  EXPECT_NEAR(ends[1], 0.5 * ends[0], 1e-9 * ends[0]) << "a smaller factor, a smaller error";
}

// Theorem 1 of MEGA: some gate turns a single head's output into the output of several heads; by
// the proof, their quotient.
TEST(MegaTheorem1, AGatedHeadIsAsExpressiveAsSeveral) {
  const at::NoGradGuard no_gradients;
  const std::int64_t T = 9, d = 8, heads = 4, w = d / heads;
  const auto draw = [&](std::uint64_t seed) { return lcsm::random_input(1, T, d, seed)[0]; };
  const Tensor Q = draw(1), K = draw(2), V = draw(3);
  const auto attend = [&](const Tensor& q, const Tensor& k, const Tensor& v) {
    return at::matmul(
        at::softmax(at::matmul(q, k.t()) / std::sqrt(static_cast<double>(q.size(1))), -1), v);
  };
  const Tensor single = attend(Q, K, V), several = single.clone();
  for (std::int64_t h = 0; h < heads; ++h) {
    const auto part = [&](const Tensor& all) { return all.narrow(1, h * w, w); };
    several.narrow(1, h * w, w).copy_(attend(part(Q), part(K), part(V)));
  }
  const Tensor gate = several / single;
  EXPECT_TRUE(gate.isfinite().all().item<bool>());
  EXPECT_LE(relative_error(single * gate, several), 1e-14);
  EXPECT_GT(relative_error(single, several), 0.1) << "without the gate they differ";
}

}  // namespace
}  // namespace ets
