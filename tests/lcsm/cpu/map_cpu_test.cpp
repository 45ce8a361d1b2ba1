// Functions on vectors, through a tape, against the table of functions.
#include "lcsm/cpu/map_cpu.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "lcsm/base/random.h"
#include "lcsm/formula/derivative.h"
#include "lcsm/formula/evaluate.h"

namespace lcsm {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

// A formula over leaves of every spread, on [rows, columns].
template <class T>
struct Problem {
  std::int64_t rows, columns;
  std::vector<TapeLeaf> leaves;
  std::vector<std::vector<T>> values;
  Tape tape;

  Problem(const std::string& formula, std::int64_t rows_, std::int64_t columns_)
      : rows(rows_), columns(columns_) {
    const Expr e = parse_formula(formula);
    Random random(6);
    for (const Symbol& s : symbols_of(e)) {
      const Type type = type_of(symbol(s));
      leaves.push_back({s,
                        type.data ? type.k ? Spread::kSteps : Spread::kCells
                        : type.d  ? Spread::kChannels
                                  : Spread::kNumber,
                        true});
      values.emplace_back(size(leaves.size() - 1));
      for (T& each : values.back()) each = static_cast<T>(random.normal());
    }
    tape = make_tape(e, nullptr, leaves);
  }

  std::size_t size(std::size_t leaf) const {
    const Spread over = leaves[leaf].spread;
    const std::int64_t down = over == Spread::kCells || over == Spread::kSteps ? rows : 1;
    return static_cast<std::size_t>(
        down * (over == Spread::kCells || over == Spread::kChannels ? columns : 1));
  }
  // The index of the number of a leaf that a cell reads.
  std::size_t at(std::size_t leaf, std::int64_t r, std::int64_t c) const {
    switch (leaves[leaf].spread) {
      case Spread::kCells:
        return static_cast<std::size_t>(r * columns + c);
      case Spread::kSteps:
        return static_cast<std::size_t>(r);
      case Spread::kChannels:
        return static_cast<std::size_t>(c);
      default:
        return 0;
    }
  }
  Map<T> map() const {
    Map<T> map;
    map.tape = &tape;
    map.rows = rows;
    map.columns = columns;
    for (const std::vector<T>& leaf : values) map.leaves.push_back(leaf.data());
    return map;
  }
  std::vector<T> run(std::int64_t first, std::int64_t last) const {
    std::vector<T> out(static_cast<std::size_t>(rows * columns), T(77));
    Map<T> forward = map();
    forward.out = out.data();
    map_kernels<T>().forward(forward, first, last);
    return out;
  }
  double evaluated(const Expr& e, std::int64_t r, std::int64_t c) const {
    return evaluate(e, [&](const Symbol& s) {
      for (std::size_t n = 0; n < leaves.size(); ++n)
        if (leaves[n].symbol == s) return static_cast<double>(values[n][at(n, r, c)]);
      return std::nan("");
    });
  }
};

// The polynomials of float32 are accurate to 2e-7, and exp loses 2e-9 for each factor of 2 that it
// splits off, of which there may be 128. What is below 1.2e-38 is 0, also where silu multiplies it
// by 100. float64 is Highway's: 4 units.
template <class T>
void expect_value(double got, double expected, const std::string& what) {
  SCOPED_TRACE(what + (sizeof(T) == 4 ? ", float" : ", double"));
  const double rounded = static_cast<double>(static_cast<T>(expected));
  if (!std::isfinite(rounded)) {
    EXPECT_TRUE(got == rounded || (std::isnan(got) && std::isnan(rounded)))
        << got << ", not " << rounded;
    return;
  }
  const double tolerance = sizeof(T) == 4 ? 5e-7 : 2e-15;
  const double least = sizeof(T) == 4 ? 1.2e-36 : 2.3e-306;
  EXPECT_NEAR(got, expected, tolerance * std::abs(expected) + least);
}

// exp stops at the largest number whose reciprocal is not subnormal.
template <class T>
double stopped(double exponential) {
  constexpr double kMost = 1 / std::numeric_limits<T>::min();
  return exponential > kMost ? kMost : exponential;
}

template <class T>
std::vector<T> arguments(double step) {
  std::vector<T> all;
  for (double x = -20; x <= 20; x += step) all.push_back(static_cast<T>(x));
  for (const double x : {0.0, 1e-30, 1e-10, 1e-5, 1.0, 40.0, 80.0, 87.0, 89.0, 100.0, 700.0, 710.0,
                         1e4, 1e30, kInfinite})
    for (const double signed_x : {x, -x}) all.push_back(static_cast<T>(signed_x));
  all.push_back(std::numeric_limits<T>::min());
  all.push_back(std::numeric_limits<T>::max());
  all.push_back(std::numeric_limits<T>::quiet_NaN());
  return all;
}

// -infinity times sigmoid's 0 is undefined here, as in tensors.
bool without_value(Function f, double x) { return f == Function::kSilu && x == -kInfinite; }

template <class T>
void expect_function_of_one(const FunctionRow& row) {
  const std::vector<T> x = arguments<T>(0.01);
  Problem<T> p(std::string(row.name) + "(p_d)", 1, static_cast<std::int64_t>(x.size()));
  p.values[0] = x;
  const std::vector<T> got = p.run(0, 1);
  for (std::size_t n = 0; n < x.size(); ++n) {
    const auto argument = static_cast<double>(x[n]);
    const double value = row.value(argument, 0);
    if (!without_value(row.function, argument))
      expect_value<T>(static_cast<double>(got[n]),
                      row.function == Function::kExp ? stopped<T>(value) : value,
                      std::string(row.name) + " of " + std::to_string(argument));
  }
}

// Every argument with every other: one along the rows, one along the columns.
template <class T>
void expect_function_of_two(const std::string& formula, double (*value)(double, double)) {
  const std::vector<T> x = arguments<T>(0.37);
  const auto n = static_cast<std::int64_t>(x.size());
  Problem<T> p(formula, n, n);
  for (std::vector<T>& leaf : p.values) leaf = x;
  const std::vector<T> got = p.run(0, n);
  for (std::int64_t r = 0; r < n; ++r)
    for (std::int64_t c = 0; c < n; ++c) {
      const auto a = static_cast<double>(x[static_cast<std::size_t>(r)]);
      const auto b = static_cast<double>(x[static_cast<std::size_t>(c)]);
      expect_value<T>(static_cast<double>(got[static_cast<std::size_t>(r * n + c)]), value(a, b),
                      formula + " of " + std::to_string(a) + " and " + std::to_string(b));
    }
}

// exp(-softplus(x) / tau), one operation, in more rows than it processes at a time. softplus / tau
// is exact for a power of 2.
template <class T>
void expect_power_of_sigmoid(int tau) {
  const std::vector<T> x = arguments<T>(0.01);
  const auto columns = static_cast<std::int64_t>(x.size());
  constexpr std::int64_t kRows = 11;
  const std::string formula = "exp(-softplus(p_d) / " + std::to_string(tau) + ")";
  Problem<T> p(formula, kRows, columns);
  ASSERT_GE(p.tape.slope, 0);
  p.values[0].clear();
  for (std::int64_t r = 0; r < kRows; ++r)
    p.values[0].insert(p.values[0].end(), x.begin(), x.end());
  const std::vector<T> got = p.run(0, kRows);
  for (std::size_t n = 0; n < got.size(); ++n) {
    const auto argument = static_cast<double>(x[n % x.size()]);
    const double softplus = std::fmax(argument, 0) + std::log1p(std::exp(-std::abs(argument)));
    expect_value<T>(static_cast<double>(got[n]), std::exp(-softplus / tau),
                    formula + " of " + std::to_string(argument));
  }
}

// exp(a b), one operation: a from `x` along the rows, b from `y` along the columns. The argument
// and each of its factors may be rounded before exp.
template <class T>
void expect_exp_of_product(const std::string& formula, const std::vector<T>& x,
                           const std::vector<T>& y) {
  const auto rows = static_cast<std::int64_t>(x.size());
  const auto columns = static_cast<std::int64_t>(y.size());
  Problem<T> p(formula, rows, columns);
  ASSERT_EQ(p.tape.gate.size(), 1U);
  ASSERT_EQ(p.tape.gate[0].op, TapeOp::kExpTimes);
  for (std::size_t leaf = 0; leaf < p.leaves.size(); ++leaf)
    for (std::int64_t r = 0; r < rows; ++r)
      for (std::int64_t c = 0; c < columns; ++c)
        p.values[leaf][p.at(leaf, r, c)] = over_steps(p.leaves[leaf].spread)
                                               ? x[static_cast<std::size_t>(r)]
                                               : y[static_cast<std::size_t>(c)];
  const std::vector<T> got = p.run(0, rows);
  constexpr double kRounding = 2.0 * std::numeric_limits<T>::epsilon();
  const double most = stopped<T>(kInfinite);
  for (std::int64_t r = 0; r < rows; ++r)
    for (std::int64_t c = 0; c < columns; ++c) {
      const auto a = static_cast<double>(x[static_cast<std::size_t>(r)]);
      const auto b = static_cast<double>(y[static_cast<std::size_t>(c)]);
      const auto value = static_cast<double>(got[static_cast<std::size_t>(r * columns + c)]);
      const double expected = std::exp(a * b), near = kRounding * std::abs(a * b);
      SCOPED_TRACE(formula + " of " + std::to_string(a) + " and " + std::to_string(b));
      if (near < 0.1 && expected < most)
        EXPECT_NEAR(value, expected,
                    (near + (sizeof(T) == 4 ? 5e-7 : 2e-15)) * expected +
                        (sizeof(T) == 4 ? 1.2e-36 : 2.3e-306));
      else
        expect_value<T>(value, stopped<T>(expected), "beyond the range");
    }
}

const std::string kMixed = "exp(-softplus(p_d * w_d + p_k)) * w + tanh(p_d2 - w_d2)";

template <class T>
void expect_formula(const std::string& formula, std::int64_t rows, std::int64_t columns) {
  SCOPED_TRACE(formula + " on " + std::to_string(rows) + " x " + std::to_string(columns));
  const Problem<T> p(formula, rows, columns);
  const std::int64_t first = rows / 3;
  const std::vector<T> got = p.run(first, rows);
  const Expr e = parse_formula(formula);
  for (std::int64_t r = 0; r < rows; ++r)
    for (std::int64_t c = 0; c < columns; ++c) {
      const double expected = r < first ? 77 : p.evaluated(e, r, c);
      // Arguments of about 10 are rounded before their functions; sums of parts cancel.
      ASSERT_NEAR(static_cast<double>(got[static_cast<std::size_t>(r * columns + c)]), expected,
                  (sizeof(T) == 4 ? 3e-6 : 1e-14) * (1 + std::abs(expected)));
    }
}

// Two workers, each with a part of the rows.
template <class T>
void expect_gradient(const std::string& formula, std::int64_t rows, std::int64_t columns) {
  SCOPED_TRACE(formula + " on " + std::to_string(rows) + " x " + std::to_string(columns));
  const Problem<T> p(formula, rows, columns);
  Random random(7);
  std::vector<T> d_out(static_cast<std::size_t>(rows * columns));
  for (T& each : d_out) each = static_cast<T>(random.normal());
  std::vector<std::vector<T>> d(p.leaves.size());
  Map<T> map = p.map();
  map.d_out = d_out.data();
  for (std::size_t n = 0; n < d.size(); ++n) {
    d[n].assign(2 * p.size(n), 0);
    map.d_leaves.push_back(d[n].data());
  }
  map_kernels<T>().backward(map, 0, rows / 3, 0);
  map_kernels<T>().backward(map, rows / 3, rows, 1);
  for (std::size_t n = 0; n < d.size(); ++n) {
    const Expr slope = derivative(parse_formula(formula), p.leaves[n].symbol);
    std::vector<double> expected(p.size(n)), most(p.size(n), 1);
    for (std::int64_t r = 0; r < rows; ++r)
      for (std::int64_t c = 0; c < columns; ++c) {
        const double share = p.evaluated(slope, r, c) *
                             static_cast<double>(d_out[static_cast<std::size_t>(r * columns + c)]);
        expected[p.at(n, r, c)] += share;
        most[p.at(n, r, c)] += std::abs(share);
      }
    for (std::size_t at = 0; at < expected.size(); ++at) {
      const bool by_worker =
          p.leaves[n].spread == Spread::kChannels || p.leaves[n].spread == Spread::kNumber;
      const T got = d[n][at] + (by_worker ? d[n][at + p.size(n)] : T(0));
      // Sums of up to 5000 numbers, each as exact as the values above.
      ASSERT_NEAR(static_cast<double>(got), expected[at],
                  (sizeof(T) == 4 ? 5e-6 : 2e-14) * most[at])
          << to_string(p.leaves[n].symbol) << "[" << at << "]";
    }
  }
}

template <class Work>
void at_all_sizes(const Work& work) {
  for (const std::int64_t rows : {1, 3, 7, 150})
    for (const std::int64_t columns : {1, 5, 16, 37}) work(rows, columns);
}

}  // namespace

TEST(MapCpu, ComputesTheFunctionsOfTheTable) {
  for (const FunctionRow& row : functions())
    if (row.value && row.arity == 1) {
      expect_function_of_one<float>(row);
      expect_function_of_one<double>(row);
    }
}

TEST(MapCpu, ComputesTheFunctionsOfTwo) {
  for (const FunctionRow& row : functions())
    if (row.value && row.arity == 2) {
      expect_function_of_two<float>(std::string(row.name) + "(p_k, w_d)", row.value);
      expect_function_of_two<double>(std::string(row.name) + "(p_k, w_d)", row.value);
    }
}

TEST(MapCpu, ComputesPowersOfASigmoid) {
  for (const int tau : {4, 8, 16, 32}) {
    expect_power_of_sigmoid<float>(tau);
    expect_power_of_sigmoid<double>(tau);
  }
}

TEST(MapCpu, Calculates) {
  const auto expect = [](const std::string& formula, double (*value)(double, double)) {
    expect_function_of_two<float>(formula, value);
    expect_function_of_two<double>(formula, value);
  };
  expect("p_k + w_d", [](double a, double b) { return a + b; });
  expect("p_k - w_d", [](double a, double b) { return a - b; });
  expect("p_k * w_d", [](double a, double b) { return a * b; });
  expect("p_k / w_d", [](double a, double b) { return a / b; });
}

TEST(MapCpu, ComputesTheExponentialOfAProduct) {
  const auto expect = [](auto zero) {
    using T = decltype(zero);
    const std::vector<T> x = arguments<T>(0.37);
    std::vector<T> small;  // the rest of `arguments` is infinite, NaN or overflows
    for (T y = -3; y <= 3; y += T(0.17)) small.push_back(y);
    for (const std::string formula : {"exp(p_k * w_d)", "exp(p_d * w_d)"}) {
      expect_exp_of_product<T>(formula, x, small);
      expect_exp_of_product<T>(formula, x, x);
    }
    for (const T y : x) expect_exp_of_product<T>("exp(p_d * w)", x, {y});
  };
  expect(0.0F);
  expect(0.0);
}

TEST(MapCpu, MixesSpreadsAtAnySize) {
  at_all_sizes([](std::int64_t rows, std::int64_t columns) {
    expect_formula<float>(kMixed, rows, columns);
    expect_formula<double>(kMixed, rows, columns);
  });
}

TEST(MapCpu, SumsTheGradientOverWhatALeafDoesNotVaryOver) {
  at_all_sizes([](std::int64_t rows, std::int64_t columns) {
    for (const std::string& formula : {kMixed, std::string("exp(-softplus(p_d * w_d + p_k) * w)"),
                                       std::string("exp(-softplus(p_d * w_d) / 4)"),
                                       std::string("exp(-softplus(p_d * w_d) / 16)"),
                                       std::string("exp(-softplus(p_k * w_d))")}) {
      expect_gradient<float>(formula, rows, columns);
      expect_gradient<double>(formula, rows, columns);
    }
  });
}

}  // namespace lcsm
