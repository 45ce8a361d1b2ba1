// The delta rule's kernels against the plain recurrence and its adjoint.
#include "lcsm/cpu/delta_cpu.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "lcsm/base/random.h"

namespace lcsm {
namespace {

constexpr double kUntouched = 77;

template <class T>
struct Problem {
  std::int64_t steps, K, D, first, last;
  std::vector<T> u, v, s, i, d_y, memory, y, w;

  Problem(std::int64_t steps_, std::int64_t K_, std::int64_t D_, std::int64_t first_ = 0,
          std::int64_t last_ = -1)
      : steps(steps_), K(K_), D(D_), first(first_), last(last_ < 0 ? D_ : last_) {
    Random random(5);
    const auto fill = [&](std::vector<T>* to, std::int64_t count, double reach) {
      for (; count > 0; --count) to->push_back(static_cast<T>(reach * random.normal()));
    };
    // Rows of norm below 1: nothing grows.
    for (auto* rows : {&u, &v}) fill(rows, steps * K, 0.7 / std::sqrt(static_cast<double>(K)));
    fill(&s, steps * K, 1);
    for (auto* rows : {&i, &d_y}) fill(rows, steps * D, 1);
    fill(&memory, K * D, 1);
    y.assign(i.size(), static_cast<T>(kUntouched));
    w = y;
  }
  Delta<T> delta() {
    return {steps,    K,          D,        u.data(), v.data(),      s.data(), nullptr,
            i.data(), d_y.data(), y.data(), w.data(), memory.data(), first,    last};
  }
};

// The float64 reference, by loops.
struct Plain {
  std::vector<double> u, v, s, i, d_y, memory, y, w;

  template <class T>
  Plain(const Problem<T>& p, bool forward)
      : u(p.u.begin(), p.u.end()),
        v(p.v.begin(), p.v.end()),
        s(p.s.begin(), p.s.end()),
        i(p.i.begin(), p.i.end()),
        d_y(p.d_y.begin(), p.d_y.end()),
        memory(p.memory.begin(), p.memory.end()),
        y(p.y.begin(), p.y.end()),
        w(p.w.begin(), p.w.end()),
        K_(p.K),
        D_(p.D) {
    for (std::int64_t c = p.first; c < p.last; ++c)
      for (std::int64_t n = 0; n < p.steps; ++n) forward ? step(n, c) : back(p.steps - 1 - n, c);
  }

 private:
  double& m(std::int64_t k, std::int64_t c) { return memory[std::size_t(k * D_ + c)]; }
  double along(const std::vector<double>& rows, std::int64_t t, std::int64_t c) {
    double sum = 0;
    for (std::int64_t k = 0; k < K_; ++k) sum += rows[std::size_t(t * K_ + k)] * m(k, c);
    return sum;
  }
  void write(const std::vector<double>& rows, std::int64_t t, std::int64_t c, double by) {
    for (std::int64_t k = 0; k < K_; ++k) m(k, c) += rows[std::size_t(t * K_ + k)] * by;
  }
  void step(std::int64_t t, std::int64_t c) {
    const auto at = std::size_t(t * D_ + c);
    w[at] = i[at] - along(v, t, c);
    write(u, t, c, w[at]);
    y[at] = along(s, t, c);
  }
  void back(std::int64_t t, std::int64_t c) {
    const auto at = std::size_t(t * D_ + c);
    write(s, t, c, d_y[at]);
    w[at] = along(u, t, c);
    write(v, t, c, -w[at]);
  }
  std::int64_t K_, D_;
};

// Sums of 70 numbers, fed back over 200 steps that do not grow: 1e-5 and 1e-14 of the largest.
template <class T>
void expect_near(const char* what, const std::vector<T>& got, const std::vector<double>& expected) {
  double most = 1;
  for (const double each : expected) most = std::max(most, std::abs(each));
  for (std::size_t n = 0; n < got.size(); ++n)
    ASSERT_NEAR(static_cast<double>(got[n]), expected[n], (sizeof(T) == 4 ? 1e-5 : 1e-14) * most)
        << what << "[" << n << "]";
}

template <class T>
void expect_plain(Problem<T> p) {
  SCOPED_TRACE(std::to_string(p.steps) + " x " + std::to_string(p.K) + " x " + std::to_string(p.D));
  Problem<T> back = p;
  const Plain forward(p, true), backward(back, false);
  delta_kernels<T>().forward(p.delta());
  expect_near("y", p.y, forward.y);
  expect_near("w", p.w, forward.w);
  expect_near("memory", p.memory, forward.memory);
  delta_kernels<T>().backward(back.delta());
  expect_near("d_w", back.w, backward.w);
  expect_near("d_memory", back.memory, backward.memory);
}

}  // namespace

TEST(DeltaCpu, IsThePlainRecurrenceThereAndBack) {
  for (const std::int64_t steps : {1, 2, 65, 200})
    for (const std::int64_t K : {1, 2, 3, 17, 64})
      for (const std::int64_t D : {1, 5, 16, 64, 70}) {
        expect_plain(Problem<float>(steps, K, D));
        expect_plain(Problem<double>(steps, K, D));
      }
}

TEST(DeltaCpu, LeavesOtherColumnsAlone) {
  for (const auto& [first, last] : {std::pair{0, 16}, {16, 70}, {32, 33}, {48, 65}}) {
    expect_plain(Problem<float>(65, 7, 70, first, last));
    expect_plain(Problem<double>(65, 7, 70, first, last));
  }
}

// The loss is linear in i: a step of any length gives the slope, up to rounding.
TEST(DeltaCpu, BackwardIsTheSlopeByTheInput) {
  const Problem<double> p(9, 3, 5);
  const auto loss = [](Problem<double> of) {
    of.memory.assign(of.memory.size(), 0);
    delta_kernels<double>().forward(of.delta());
    double sum = 0;
    for (std::size_t n = 0; n < of.y.size(); ++n) sum += of.y[n] * of.d_y[n];
    return sum;
  };
  Problem<double> back = p;
  back.memory.assign(back.memory.size(), 0);
  delta_kernels<double>().backward(back.delta());
  for (std::size_t n = 0; n < p.i.size(); ++n) {
    Problem<double> up = p;
    up.i[n] += 1;
    EXPECT_NEAR(back.w[n], loss(up) - loss(p), 1e-13);
  }
}

}  // namespace lcsm
