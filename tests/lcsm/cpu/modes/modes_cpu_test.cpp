// The sum of modes and its gradient against the plain recurrence, at every border: whole and
// partial blocks, groups, strips and tiles.
#include "lcsm/cpu/modes/modes_cpu.h"

#include <gtest/gtest.h>
#include <hwy/aligned_allocator.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <string>
#include <vector>

#include "tests/lcsm/cpu/random_values.h"

namespace lcsm {
namespace {

using Complex = std::complex<double>;
using Numbers = std::vector<Complex>;

struct Problem {
  std::int64_t steps = 0, D = 0, N = 0, block = 64;
  int parts = 1;
  bool both = false;
};

std::string to_string(const Problem& p) {
  return std::to_string(p.steps) + " steps, " + std::to_string(p.D) + " channels, " +
         std::to_string(p.N) + " modes, parts " + std::to_string(p.parts) + ", block " +
         std::to_string(p.block) + (p.both ? ", both directions" : "");
}

// A direction by its equations, and its sums.
struct Plain {
  bool back = false, late = false;
  Numbers q, c, u, w, w_x, w_u;  // [N, D]: u and w enter and leave

  Plain(const Problem& p, bool second)
      : back(second), late(second), w(static_cast<std::size_t>(p.N * p.D)), w_x(w), w_u(w) {
    const auto seed = second ? 20U : 10U;
    const Values a = random_values(p.N * p.D, seed), b = random_values(p.N * p.D, seed + 1);
    for (std::size_t n = 0; n < a.size(); ++n) {
      const double size = 1 / (1 + std::exp(-2 - a[n]));
      q.push_back(p.parts == 2 ? std::polar(size, b[n]) : Complex(size));
      c.push_back(p.parts == 2 ? Complex(b[n], a[n]) : Complex(b[n]));
      u.push_back(p.parts == 2 ? Complex(a[n], b[n] / 2) : Complex(a[n]));
    }
  }

  void run(const Problem& p, const Values& x, const Values& d_y, Values* y, Values* d_x) {
    const auto D = static_cast<std::size_t>(p.D);
    std::vector<Numbers> before;
    const auto row = [&](std::int64_t t) {
      return static_cast<std::size_t>(back ? p.steps - 1 - t : t) * D;
    };
    for (std::int64_t t = 0; t < p.steps; ++t) {
      before.push_back(u);
      for (std::size_t n = 0; n < u.size(); ++n) {
        const std::size_t at = row(t) + n % D;
        if (late) (*y)[at] += (c[n] * u[n]).real();
        u[n] = q[n] * u[n] + x[at];
        if (!late) (*y)[at] += (c[n] * u[n]).real();
      }
    }
    for (std::int64_t t = p.steps - 1; t >= 0; --t)
      for (std::size_t n = 0; n < u.size(); ++n) {
        const std::size_t at = row(t) + n % D;
        const Complex next = q[n] * w[n] + d_y[at], now = late ? w[n] : next;
        w_x[n] += now * x[at];
        w_u[n] += now * before[static_cast<std::size_t>(t)][n];
        (*d_x)[at] += (c[n] * now).real();
        w[n] = next;
      }
  }
};

// The kernels' inputs and outputs, aligned.
template <class T>
class Packed {
 public:
  explicit Packed(const Problem& p)
      : p_(p), columns_((p.D + strip() - 1) / strip() * strip()), shape_{p.N, columns_, p.parts} {}

  template <class U>
  U* zeros(std::int64_t count) {
    const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(U);
    spaces_.push_back(hwy::AllocateAligned<char>(bytes));
    return reinterpret_cast<U*>(std::memset(spaces_.back().get(), 0, bytes));
  }
  T* rows(const Values& from) {
    T* const to = zeros<T>(static_cast<std::int64_t>(from.size()));
    for (std::size_t n = 0; n < from.size(); ++n) to[n] = static_cast<T>(from[n]);
    return to;
  }
  template <class U>
  U* matrix(const Numbers& from) {
    U* const to = zeros<U>(shape_.size());
    put(from, to);
    return to;
  }
  template <class U>
  void put(const Numbers& from, U* to) const {
    for (std::int64_t n = 0; n < p_.N; ++n)
      for (std::int64_t d = 0; d < p_.D; ++d) {
        const Complex value = from[static_cast<std::size_t>(n * p_.D + d)];
        to[n * columns_ + d] = static_cast<U>(value.real());
        if (p_.parts == 2) to[shape_.cells() + n * columns_ + d] = static_cast<U>(value.imag());
      }
  }
  Numbers numbers(const double* from) const {
    Numbers all;
    for (std::int64_t n = 0; n < p_.N; ++n)
      for (std::int64_t d = 0; d < p_.D; ++d)
        all.emplace_back(from[n * columns_ + d],
                         p_.parts == 2 ? from[shape_.cells() + n * columns_ + d] : 0.0);
    return all;
  }

  ModesDirection<T> direction(const Plain& from) {
    ModesDirection<T> to{.shape = shape_, .back = from.back, .late = from.late};
    Numbers rounded;
    for (const Complex& q : from.q)
      rounded.emplace_back(static_cast<double>(static_cast<T>(q.real())),
                           static_cast<double>(static_cast<T>(q.imag())));
    to.q = matrix<T>(from.q);
    to.c = matrix<T>(from.c);
    const std::int64_t blocks = (p_.steps + p_.block - 1) / p_.block;
    T* const powers = zeros<T>(4 * shape_.size());
    for (const int last : {0, 1}) {
      const auto n = static_cast<double>(last ? p_.steps - (blocks - 1) * p_.block : p_.block);
      Numbers exact, lost;
      for (std::size_t at = 0; at < from.q.size(); ++at) {
        exact.push_back(std::pow(from.q[at], n));
        lost.push_back(exact.back() - std::pow(rounded[at], n));
      }
      put(exact, powers + 2 * last * shape_.size());
      put(lost, powers + (2 * last + 1) * shape_.size());
    }
    to.powers = powers;
    to.u = matrix<double>(from.u);
    to.states = zeros<T>(blocks * shape_.size());
    to.w = zeros<double>(shape_.size());
    to.w_x = zeros<double>(shape_.size());
    to.w_u = zeros<double>(shape_.size());
    return to;
  }
  std::int64_t columns() const { return columns_; }

 private:
  static std::int64_t strip() { return modes_kernels<T>().strip; }
  const Problem& p_;
  const std::int64_t columns_;
  const ModesShape shape_;
  std::vector<hwy::AlignedFreeUniquePtr<char[]>> spaces_;
};

template <class A, class B>
void expect_near(const A& got, const B& expected, std::size_t count, double bound,
                 const std::string& what) {
  double largest = 0, worst = 0;
  for (std::size_t n = 0; n < count; ++n) {
    largest = std::max(largest, std::abs(Complex(expected[n])));
    worst = std::max(worst, std::abs(Complex(got[n]) - Complex(expected[n])));
    if (!std::isfinite(std::abs(Complex(got[n])))) worst = HUGE_VAL;
  }
  EXPECT_LE(worst, bound * largest) << what;
}

template <class T>
void expect_as_written(const Problem& p, double bound) {
  SCOPED_TRACE(to_string(p));
  const auto count = static_cast<std::size_t>(p.steps * p.D);
  const Values x = random_values(p.steps * p.D, 1), d_y = random_values(p.steps * p.D, 2);
  std::vector<Plain> plain{Plain(p, false)};
  if (p.both) plain.emplace_back(p, true);

  Packed<T> packed(p);
  ModesScan<T> scan;
  scan.steps = p.steps;
  scan.D = p.D;
  scan.columns = packed.columns();
  scan.block = p.block;
  scan.x = packed.rows(x);
  scan.y = packed.template zeros<T>(p.steps * p.D);
  scan.d_y = packed.rows(d_y);
  scan.d_x = packed.template zeros<T>(p.steps * p.D);
  for (const Plain& each : plain) scan.directions.push_back(packed.direction(each));
  const ModesPart part{.last = packed.columns()};
  modes_kernels<T>().forward(scan, part);
  std::vector<Numbers> last;
  for (const ModesDirection<T>& each : scan.directions) last.push_back(packed.numbers(each.u));
  modes_kernels<T>().backward(scan, part);

  Values y(count), d_x(count);
  for (std::size_t n = 0; n < plain.size(); ++n) {
    Plain& each = plain[n];
    each.run(p, x, d_y, &y, &d_x);
    const ModesDirection<T>& got = scan.directions[n];
    const std::string which = " of direction " + std::to_string(n);
    expect_near(last[n], each.u, each.u.size(), bound, "last u" + which);
    expect_near(packed.numbers(got.w), each.w, each.w.size(), bound, "first w" + which);
    expect_near(packed.numbers(got.w_x), each.w_x, each.w_x.size(), bound, "w_x" + which);
    expect_near(packed.numbers(got.w_u), each.w_u, each.w_u.size(), bound, "w_u" + which);
  }
  expect_near(scan.y, y, count, bound, "y");
  expect_near(scan.d_x, d_x, count, bound, "d_x");
}

// Sums of hundreds of products that partly cancel: 1e-12 of the largest value in float64, 2e-5 in
// float32, as in modes_op_test.
constexpr double kBound = 1e-12, kFloatBound = 2e-5;

// 64 channels are whole strips of any vectors, 70 and 5 are not; of blocks of 512 steps 100 are
// more than a group.
TEST(ModesCpu, AreTheRecurrence) {
  for (const int parts : {1, 2})
    for (const bool both : {false, true})
      for (const std::int64_t N : {1, 2, 3, 4, 7, 17})
        for (Problem p : {Problem{.steps = 1, .D = 5}, Problem{.steps = 130, .D = 64},
                          Problem{.steps = 130, .D = 70}}) {
          p.N = N;
          p.parts = parts;
          p.both = both;
          expect_as_written<double>(p, kBound);
          expect_as_written<float>(p, kFloatBound);
        }
}

TEST(ModesCpu, WalkGroupAfterGroup) {
  for (const bool both : {false, true}) {
    const Problem p{.steps = 600, .D = 100, .N = 5, .block = 512, .parts = 2, .both = both};
    expect_as_written<double>(p, kBound);
    expect_as_written<float>(p, kFloatBound);
  }
}

}  // namespace
}  // namespace lcsm
