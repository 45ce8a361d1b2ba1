// The kernels against the matrix of all pairs, in float64.
#include "lcsm/cpu/step/attention_cpu.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "tests/lcsm/cpu/random_values.h"

namespace lcsm {
namespace {

struct Sizes {
  std::int64_t queries, keys, width;
  bool causal = false;
  double strength = 1;  // of the products
  bool (*hidden)(std::int64_t key) = nullptr;

  bool sees(std::int64_t t, std::int64_t n) const {
    return (!causal || n <= t) && (!hidden || !hidden(n) || n == t);
  }
};

// Rows with a gap between them, in which nothing may be written.
class GappedRows {
 public:
  GappedRows(std::int64_t count, std::int64_t width, std::uint64_t seed, double factor = 1)
      : width_(width), step_(width + 3), numbers_(static_cast<std::size_t>(count * step_), kGap) {
    const Values values = random_values(count * width, seed);
    for (std::int64_t n = 0; n < count; ++n)
      for (std::int64_t c = 0; c < width; ++c)
        numbers_[index(n, c)] =
            static_cast<float>(factor * values[static_cast<std::size_t>(n * width + c)]);
  }
  AttentionRows rows() { return {numbers_.data(), step_}; }
  double at(std::int64_t n, std::int64_t c) const { return numbers_[index(n, c)]; }
  bool keeps_gaps() const {
    for (std::size_t n = 0; n < numbers_.size(); ++n)
      if (static_cast<std::int64_t>(n) % step_ >= width_ && numbers_[n] != kGap) return false;
    return true;
  }

 private:
  static constexpr float kGap = 12345;
  std::size_t index(std::int64_t n, std::int64_t c) const {
    return static_cast<std::size_t>(n * step_ + c);
  }
  std::int64_t width_, step_;
  std::vector<float> numbers_;
};

// [rows, columns] in float64.
struct Matrix {
  Matrix(std::int64_t rows, std::int64_t of_columns)
      : columns(of_columns), values(static_cast<std::size_t>(rows * of_columns)) {}
  double& operator()(std::int64_t n, std::int64_t c) {
    return values[static_cast<std::size_t>(n * columns + c)];
  }
  std::int64_t columns;
  Values values;
};

struct Problem {
  explicit Problem(const Sizes& of)
      : size(of),
        q(of.queries, of.width, 1, of.strength),
        k(of.keys, of.width, 2),
        v(of.keys, of.width, 3),
        d_y(of.queries, of.width, 4),
        y(of.queries, of.width, 5),
        d_q(of.queries, of.width, 6),
        d_k(of.keys, of.width, 7),
        d_v(of.keys, of.width, 8),
        log_sum(static_cast<std::size_t>(of.queries)) {
    head.queries = of.queries, head.keys = of.keys, head.width = of.width;
    head.causal = of.causal;
    head.scale = 0.5F;
    for (std::int64_t n = 0; of.hidden && n < of.keys; ++n) hidden[n] = of.hidden(n);
    if (of.hidden) head.hidden = hidden.get();
    head.q = q.rows(), head.k = k.rows(), head.v = v.rows(), head.y = y.rows();
    head.d_y = d_y.rows(), head.d_q = d_q.rows(), head.d_k = d_k.rows(), head.d_v = d_v.rows();
    head.log_sum = log_sum.data();
    scratch.assign(static_cast<std::size_t>(attention_kernels().scratch(head)), 1e30F);
    head.scratch = scratch.data();
    attention_kernels().forward(head);
    attention_kernels().backward(head);
  }

  void define() {
    Matrix p(size.queries, size.keys);
    for (std::int64_t t = 0; t < size.queries; ++t) {
      double total = 0;
      for (std::int64_t n = 0; n < size.keys; ++n) {
        if (!size.sees(t, n)) continue;
        double product = 0;
        for (std::int64_t c = 0; c < size.width; ++c) product += q.at(t, c) * k.at(n, c);
        total += p(t, n) = std::exp(0.5 * product);
      }
      for (std::int64_t n = 0; n < size.keys; ++n) p(t, n) /= total;
    }
    for (std::int64_t t = 0; t < size.queries; ++t) {
      Values changes(static_cast<std::size_t>(size.keys));
      double along = 0;
      for (std::int64_t n = 0; n < size.keys; ++n) {
        double& change = changes[static_cast<std::size_t>(n)];
        for (std::int64_t c = 0; c < size.width; ++c) {
          expected_y(t, c) += p(t, n) * v.at(n, c);
          expected_d_v(n, c) += p(t, n) * d_y.at(t, c);
          change += d_y.at(t, c) * v.at(n, c);
        }
        along += p(t, n) * change;
      }
      for (std::int64_t n = 0; n < size.keys; ++n)
        for (std::int64_t c = 0; c < size.width; ++c) {
          const double d_s = 0.5 * p(t, n) * (changes[static_cast<std::size_t>(n)] - along);
          expected_d_q(t, c) += d_s * k.at(n, c);
          expected_d_k(n, c) += d_s * q.at(t, c);
        }
    }
  }

  static void expect_equal(const GappedRows& got, Matrix& expected, double tolerance,
                           const char* what) {
    double most = 0.5, off = 0;  // a gradient that cancels is a difference of such numbers
    for (std::size_t at = 0; at < expected.values.size(); ++at) {
      const auto n = static_cast<std::int64_t>(at) / expected.columns,
                 c = static_cast<std::int64_t>(at) % expected.columns;
      const double difference = std::abs(got.at(n, c) - expected(n, c));
      off = std::isnan(difference) ? 1e30 : std::max(off, difference);
      most = std::max(most, std::abs(expected(n, c)));
    }
    EXPECT_LE(off, tolerance * most) << what;
    EXPECT_TRUE(got.keeps_gaps()) << what;
  }
  // Sums of float32; exponentials of 1e-7 relative.
  void expect_defined(double tolerance = 5e-6) {
    define();
    expect_equal(y, expected_y, tolerance, "y");
    expect_equal(d_q, expected_d_q, tolerance, "d_q");
    expect_equal(d_k, expected_d_k, tolerance, "d_k");
    expect_equal(d_v, expected_d_v, tolerance, "d_v");
  }

  Sizes size;
  GappedRows q, k, v, d_y, y, d_q, d_k, d_v;
  std::vector<float> log_sum, scratch;
  std::unique_ptr<bool[]> hidden{new bool[static_cast<std::size_t>(size.keys)]};
  AttentionHead head;
  Matrix expected_y{size.queries, size.width}, expected_d_q{size.queries, size.width},
      expected_d_k{size.keys, size.width}, expected_d_v{size.keys, size.width};
};

TEST(AttentionCpu, IsTheMatrixOfAllPairs) {
  for (const Sizes& size :
       {Sizes{1, 1, 1}, {5, 9, 3}, {9, 5, 16}, {64, 64, 16}, {33, 100, 40}, {130, 200, 64}}) {
    SCOPED_TRACE(testing::Message() << size.queries << " " << size.keys << " " << size.width);
    Problem(size).expect_defined();
  }
}

TEST(AttentionCpu, SeesThePastAlone) {
  for (const std::int64_t steps : {1, 7, 8, 9, 63, 64, 65, 129})
    for (const std::int64_t width : {1, 16, 20}) {
      SCOPED_TRACE(testing::Message() << steps << " " << width);
      Problem({steps, steps, width, true}).expect_defined();
    }
}

TEST(AttentionCpu, HidesKeysFromAllButTheirOwnQueries) {
  const auto at_the_end = [](std::int64_t n) { return n >= 21; };
  const auto at_the_front = [](std::int64_t n) { return n < 19; };
  const auto between = [](std::int64_t n) { return n % 5 == 2 || (n > 30 && n < 50); };
  const auto all = [](std::int64_t) { return true; };
  const auto none = [](std::int64_t) { return false; };
  for (const auto hidden :
       std::vector<bool (*)(std::int64_t)>{at_the_end, at_the_front, between, all, none})
    for (const bool causal : {true, false})
      for (const std::int64_t steps : {1, 20, 64, 131}) {
        SCOPED_TRACE(testing::Message()
                     << steps << " " << causal << " " << hidden(0) << hidden(2) << hidden(130));
        Problem({steps, steps, 20, causal, 1, hidden}).expect_defined();
      }
  Problem({40, 40, 16, true, 30, between}).expect_defined(2e-5);
}

// exp(100) overflows float32, so the largest product must be subtracted first. Products near 100
// are rounded to 4e-6, and weights by as much.
TEST(AttentionCpu, TakesLargeProducts) { Problem({40, 40, 16, true, 30}).expect_defined(2e-5); }

}  // namespace
}  // namespace lcsm
