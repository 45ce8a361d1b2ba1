// The scan's loops against the recurrence and its adjoint, step by step in float64.
#include "lcsm/cpu/scan/scan_cpu.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "lcsm/formula/derivative.h"
#include "lcsm/formula/evaluate.h"
#include "tests/lcsm/cpu/random_values.h"

namespace lcsm {
namespace {

struct Shape {
  std::int64_t B, T, K, D;
  bool scales = false;  // p_d multiplies i
};

// All tensors of a scan: inputs, and outputs of the forward and the backward pass.
template <class V>
struct Tensors {
  V i, e, s, m, p_d, p_k, w_kd, d_y;            // inputs
  V y, last;                                    // forward
  V d_i, d_e, d_s, d_first, d_p_d, d_p_k, d_w;  // backward
};

const Symbol kPd = parse_symbol("p_d"), kPk = parse_symbol("p_k"), kWkd = parse_symbol("w_kd");

struct Gate {
  std::string formula;
  Expr o = parse_formula(formula);
  Expr by_p_d = derivative(o, kPd), by_p_k = derivative(o, kPk), by_w_kd = derivative(o, kWkd);
};

std::size_t at(std::int64_t n) { return static_cast<std::size_t>(n); }

Tensors<Values> random_tensors(const Shape& z) {
  Tensors<Values> a;
  std::uint64_t seed = 0;
  const auto fill = [&](Values* to, std::int64_t count) { *to = random_values(count, ++seed); };
  for (Values* each : {&a.i, &a.p_d, &a.d_y}) fill(each, z.B * z.T * z.D);
  for (Values* each : {&a.e, &a.s, &a.p_k}) fill(each, z.B * z.T * z.K);
  fill(&a.m, z.B * z.K * z.D);
  fill(&a.w_kd, z.K * z.D);
  for (double& each : a.w_kd) each = -std::abs(each);
  for (double& each : a.p_d) each = std::abs(each);
  return a;
}

// Fills what the passes write; the gradient of the last m is m itself.
void run_plainly(const Shape& z, const Gate& gate, Tensors<Values>* of) {
  Tensors<Values>& a = *of;
  a.y = a.d_i = a.d_p_d = Values(a.i.size());
  a.d_e = a.d_s = a.d_p_k = Values(a.e.size());
  a.d_w = Values(a.w_kd.size());
  a.last = a.m;
  a.d_first = a.m;
  for (std::int64_t b = 0; b < z.B; ++b)
    for (std::int64_t k = 0; k < z.K; ++k)
      for (std::int64_t d = 0; d < z.D; ++d) {
        const std::size_t cell = at((b * z.K + k) * z.D + d), w = at(k * z.D + d);
        Values m{a.m[cell]};
        const auto over_k = [&](std::int64_t t) { return at((b * z.T + t) * z.K + k); };
        const auto over_d = [&](std::int64_t t) { return at((b * z.T + t) * z.D + d); };
        const auto value = [&](const Expr& f, std::int64_t t) {
          return evaluate(f, [&](const Symbol& s) {
            return s == kPd ? a.p_d[over_d(t)] : s == kPk ? a.p_k[over_k(t)] : a.w_kd[w];
          });
        };
        const auto input = [&](std::int64_t t) {
          return a.i[over_d(t)] * (z.scales ? a.p_d[over_d(t)] : 1);
        };
        for (std::int64_t t = 0; t < z.T; ++t) {
          m.push_back(value(gate.o, t) * m.back() + a.e[over_k(t)] * input(t));
          a.y[over_d(t)] += a.s[over_k(t)] * m.back();
        }
        a.last[cell] = m.back();
        double g = a.m[cell];
        for (std::int64_t t = z.T - 1; t >= 0; --t) {
          const double d_y = a.d_y[over_d(t)];
          a.d_s[over_k(t)] += d_y * m[at(t + 1)];
          g += a.s[over_k(t)] * d_y;
          a.d_e[over_k(t)] += g * input(t);
          const double d_input = g * a.e[over_k(t)], d_o = g * m[at(t)];
          a.d_i[over_d(t)] += d_input * (z.scales ? a.p_d[over_d(t)] : 1);
          a.d_p_d[over_d(t)] += z.scales ? d_input * a.i[over_d(t)] : 0;
          a.d_p_d[over_d(t)] += d_o * value(gate.by_p_d, t);
          a.d_p_k[over_k(t)] += d_o * value(gate.by_p_k, t);
          a.d_w[w] += d_o * value(gate.by_w_kd, t);
          g *= value(gate.o, t);
        }
        a.d_first[cell] = g;
      }
}

template <class T>
void expect_near(const std::vector<T>& got, const Values& expected, double bound,
                 const std::string& what) {
  double largest = 0, worst = 0;
  for (std::size_t n = 0; n < got.size(); ++n) {
    largest = std::max(largest, std::abs(expected[n]));
    worst = std::max(worst, std::abs(static_cast<double>(got[n]) - expected[n]));
    if (!std::isfinite(got[n])) worst = HUGE_VAL;
  }
  EXPECT_LE(worst, bound * largest) << what;
}

template <class T>
void expect_as_written(const Shape& z, const Gate& gate, double bound) {
  SCOPED_TRACE(gate.formula + ", B " + std::to_string(z.B) + ", T " + std::to_string(z.T) + ", K " +
               std::to_string(z.K) + ", D " + std::to_string(z.D) + (z.scales ? ", scaled" : ""));
  Tensors<Values> expected = random_tensors(z);
  Tensors<std::vector<T>> a;
  for (const auto& [wide, to] : {std::pair{&expected.i, &a.i},
                                 {&expected.e, &a.e},
                                 {&expected.s, &a.s},
                                 {&expected.m, &a.m},
                                 {&expected.p_d, &a.p_d},
                                 {&expected.p_k, &a.p_k},
                                 {&expected.w_kd, &a.w_kd},
                                 {&expected.d_y, &a.d_y}}) {
    to->assign(wide->begin(), wide->end());
    wide->assign(to->begin(), to->end());  // as rounded to T
  }
  run_plainly(z, gate, &expected);

  const std::vector<TapeLeaf> leaves{
      {kPd, Spread::kCells}, {kPk, Spread::kSteps}, {kWkd, Spread::kChannels}};
  const Tape tape = make_tape(gate.o, nullptr, leaves);
  const std::int64_t block = std::min(scan_block_steps(z.K, z.D), z.T);
  std::vector<T> states(at(z.B * ((z.T + block - 1) / block) * z.K * z.D));
  a.y = a.d_i = a.d_p_d = std::vector<T>(a.i.size(), T(77));
  a.d_e = a.d_s = std::vector<T>(a.e.size(), T(77));
  a.d_p_k = std::vector<T>(a.e.size(), T(0));
  a.d_w = std::vector<T>(a.w_kd.size(), T(0));
  a.last = a.d_first = a.m;
  Scan<T> scan;
  scan.tape = &tape;
  scan.B = z.B, scan.steps = z.T, scan.K = z.K, scan.D = z.D;
  scan.i = a.i.data();
  scan.scaled_by = z.scales ? 0 : -1;
  scan.e.data = a.e.data();
  scan.s.data = a.s.data();
  scan.leaves = {{a.p_d.data(), z.T * z.D, z.D, 0},
                 {a.p_k.data(), z.T * z.K, z.K, 1},
                 {a.w_kd.data(), 0, 0, z.D}};
  scan.states = states.data();
  scan.y = a.y.data();
  scan.memory = a.last.data();
  const auto each_sequence = [&](auto pass) {
    for (std::int64_t b = 0; b < z.B; ++b) pass(scan, {.b = b, .last = z.D, .last_k = z.K});
  };
  each_sequence(scan_kernels<T>().forward);
  scan.memory = a.d_first.data();
  scan.d_y = a.d_y.data();
  scan.d.i = a.d_i.data();
  scan.d.e = a.d_e.data();
  scan.d.s = a.d_s.data();
  scan.d.leaves = {a.d_p_d.data(), a.d_p_k.data(), a.d_w.data()};
  each_sequence(scan_kernels<T>().backward);

  expect_near(a.y, expected.y, bound, "y");
  expect_near(a.last, expected.last, bound, "last m");
  expect_near(a.d_i, expected.d_i, bound, "d_i");
  expect_near(a.d_e, expected.d_e, bound, "d_e");
  expect_near(a.d_s, expected.d_s, bound, "d_s");
  expect_near(a.d_first, expected.d_first, bound, "d first m");
  expect_near(a.d_p_d, expected.d_p_d, bound, "d_p_d");
  expect_near(a.d_p_k, expected.d_p_k, bound, "d_p_k");
  expect_near(a.d_w, expected.d_w, bound, "d_w_kd");
}

// Gates that a pass computes, whose gradients it spends, and that a tape computes; sizes of whole
// vectors and blocks, and others. The bounds are as in modes_cpu_test.
TEST(ScanCpu, IsTheRecurrence) {
  for (const char* const formula : {"exp(p_d * w_kd)", "exp(-exp(p_k) * exp(w_kd))",
                                    "sigmoid(p_k * w_kd)^(1/8)", "sigmoid(p_d + p_k) * exp(w_kd)"})
    for (Shape shape :
         {Shape{2, 1, 1, 1}, Shape{2, 70, 3, 5}, Shape{1, 64, 4, 32}, Shape{1, 33, 5, 81}})
      for (const bool scales : {false, true}) {
        shape.scales = scales;
        expect_as_written<double>(shape, {formula}, 1e-12);
        expect_as_written<float>(shape, {formula}, 2e-5);
      }
}

}  // namespace
}  // namespace lcsm
