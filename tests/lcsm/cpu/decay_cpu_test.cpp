// The properties of the tables of decays, and the running softmax against a plain loop.
#include "lcsm/cpu/decay_cpu.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "lcsm/base/random.h"

namespace lcsm {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

// Rows of log o [T, width], or one number per step.
template <class T>
struct Side {
  std::int64_t width;
  bool each = true;
  std::vector<T> log, scale, inverse;

  double log_at(std::int64_t t, std::int64_t n) const {
    return static_cast<double>(log[static_cast<std::size_t>(each ? t * width + n : t)]);
  }
  double scale_at(std::int64_t t, std::int64_t n) const {
    return static_cast<double>(scale[static_cast<std::size_t>(t * width + n)]);
  }
  double inverse_at(std::int64_t t, std::int64_t n) const {
    return static_cast<double>(inverse[static_cast<std::size_t>(t * width + n)]);
  }
  LogDecay<T> decay() const { return {log.data(), each ? width : 1, each}; }
  DecayTable<T> table() { return {scale.data(), inverse.data()}; }
};

template <class T>
Side<T> side(std::int64_t steps, std::int64_t width, bool each, double strongest, Random* random) {
  Side<T> made{width, each, {}, {}, {}};
  for (std::int64_t n = 0; n < steps * (each ? width : 1); ++n)
    made.log.push_back(
        static_cast<T>(random->uniform() < 0.02 ? -kInfinite : -strongest * random->uniform()));
  made.scale.resize(static_cast<std::size_t>(steps * width));
  made.inverse.resize(made.scale.size());
  return made;
}

// Runs `work` on both axes, with the two sides and the chunks.
template <class T, class Work>
void with_tables(std::int64_t steps, double strongest, std::int64_t spacing, const Work& work) {
  for (const std::int64_t width : {1, 5, 17, 70})
    for (const bool each : {true, false}) {
      Random random(2);
      Side<T> k = side<T>(steps, width, each, strongest, &random);
      Side<T> d = side<T>(steps, 3, true, strongest, &random);
      const Chunks chunks = decay_kernels<T>().tables(steps, width, 3, k.decay(), d.decay(),
                                                      k.table(), d.table(), spacing);
      SCOPED_TRACE(std::to_string(steps) + " steps of " + std::to_string(width) + ", down to " +
                   std::to_string(-strongest));
      work(k, d, chunks);
    }
}

template <class Work>
void with_all_tables(const Work& work) {
  for (const std::int64_t steps : {1, 2, 64, 65, 200})
    for (const double strongest : {0.01, 1.0, 30.0, 800.0}) {
      with_tables<float>(steps, strongest, 1, work);
      with_tables<double>(steps, strongest, 1, work);
    }
}

// exp of a float is off by 2e-7, of a double by 1e-15, and 64 of them are multiplied; what float32
// cannot represent is 0.
template <class T>
double tolerance(double of) {
  return (sizeof(T) == 4 ? 64 * 2e-7 : 64 * 1e-15) * of + 1e-37;
}

template <class T>
void expect_products(const Side<T>& side, const Chunks& chunks) {
  for (std::int64_t q = 0; q < chunks.count(); ++q) {
    const std::int64_t first = chunks.starts[static_cast<std::size_t>(q)];
    for (std::int64_t n = 0; n < side.width; ++n) {
      const double enters = std::exp(side.log_at(first, n));
      ASSERT_NEAR(side.scale_at(first, n), enters, tolerance<T>(enters));
      double log = 0;
      for (std::int64_t t = first + 1; t < chunks.starts[static_cast<std::size_t>(q) + 1]; ++t) {
        log += side.log_at(t, n);
        ASSERT_NEAR(side.scale_at(t, n), std::exp(log), tolerance<T>(std::exp(log)));
      }
    }
  }
}

template <class T>
void expect_inverses(const Side<T>& side, const Chunks& chunks) {
  for (std::int64_t q = 0; q < chunks.count(); ++q)
    for (std::int64_t t = chunks.starts[static_cast<std::size_t>(q)], first = t;
         t < chunks.starts[static_cast<std::size_t>(q) + 1]; ++t)
      for (std::int64_t n = 0; n < side.width; ++n) {
        const double scale = t == first ? 1 : side.scale_at(t, n);
        ASSERT_NEAR(scale * side.inverse_at(t, n), 1, tolerance<T>(1));
      }
}

}  // namespace

TEST(DecayCpu, ScalesAreProductsFromTheChunksFirstStepOn) {
  with_all_tables([](const auto& k, const auto& d, const Chunks& chunks) {
    expect_products(k, chunks);
    expect_products(d, chunks);
  });
}

TEST(DecayCpu, EveryScaleHasItsInverse) {
  with_all_tables([](const auto& k, const auto& d, const Chunks& chunks) {
    expect_inverses(k, chunks);
    expect_inverses(d, chunks);
  });
}

TEST(DecayCpu, ChunksCoverAllStepsAndAreNeverLong) {
  with_all_tables([](const auto& k, const auto&, const Chunks& chunks) {
    ASSERT_EQ(chunks.starts.front(), 0);
    ASSERT_EQ(chunks.starts.back() * k.width, static_cast<std::int64_t>(k.scale.size()));
    for (std::size_t q = 0; q + 1 < chunks.starts.size(); ++q) {
      ASSERT_LT(chunks.starts[q], chunks.starts[q + 1]);
      ASSERT_LE(chunks.starts[q + 1] - chunks.starts[q], kChunkSteps);
    }
  });
}

// 1e15 and 1e120 leave equal room for the entering values of a chunk, below the largest number.
TEST(DecayCpu, InversesOfBothAxesTogetherStayFarFromInfinity) {
  with_all_tables([](const auto& k, const auto& d, const Chunks&) {
    const double most = sizeof(k.scale[0]) == 4 ? 1.001e15 : 1.001e120;
    for (std::size_t t = 0; t < d.scale.size() / 3; ++t) {
      const auto largest = [t](const auto& side) {
        const auto row = side.inverse.begin() + static_cast<std::int64_t>(t) * side.width;
        return static_cast<double>(*std::max_element(row, row + side.width));
      };
      ASSERT_LE(largest(k) * largest(d), most);
    }
  });
}

TEST(DecayCpu, ChunksEndOnlyWhereTheyMust) {
  with_tables<float>(200, 0.01, 1, [](const auto& k, const auto& d, const Chunks& chunks) {
    const auto starts_with_zero = [&](std::int64_t t) {
      for (const auto* side : {&k.log, &d.log})
        for (std::size_t n = 0, width = side->size() / 200; n < width; ++n)
          if ((*side)[static_cast<std::size_t>(t) * width + n] == -kInfinite) return true;
      return false;
    };
    for (std::size_t q = 1; q + 1 < chunks.starts.size(); ++q)
      EXPECT_TRUE(chunks.starts[q] - chunks.starts[q - 1] == kChunkSteps ||
                  starts_with_zero(chunks.starts[q]));
  });
}

TEST(DecayCpu, AnchorsKeepTheirDistance) {
  for (const std::int64_t spacing : {1, 64, 65, 100, 1000})
    with_tables<double>(500, 30, spacing, [&](const auto&, const auto&, const Chunks& chunks) {
      std::int64_t last = -spacing, count = 0;
      for (std::size_t q = 0; q < chunks.anchor.size(); ++q) {
        const bool far = chunks.starts[q] - last >= spacing;
        ASSERT_EQ(chunks.anchor[q], far ? count++ : -1);
        if (far) last = chunks.starts[q];
      }
      ASSERT_EQ(chunks.anchors, count);
    });
}

TEST(DecayCpu, AnAxisWithoutDecayIsLeftOut) {
  Random random(3);
  Side<float> d = side<float>(200, 5, true, 1, &random);
  const Chunks chunks = decay_kernels<float>().tables(200, 7, 5, {}, d.decay(), {}, d.table(), 1);
  expect_products(d, chunks);
}

// ----- The running softmax -----

namespace {

template <class T>
struct Softmax {
  std::int64_t steps, n;
  std::vector<T> z, log_o, log_sum;

  Softmax(std::int64_t steps_, std::int64_t n_, bool continues, double reach = 3)
      : steps(steps_), n(n_), log_o(static_cast<std::size_t>(steps_ * n_)) {
    Random random(4);
    for (std::int64_t at = 0; at < steps * n; ++at)
      z.push_back(static_cast<T>(reach * random.normal()));
    for (std::int64_t c = 0; c < n; ++c)
      log_sum.push_back(static_cast<T>(continues ? random.normal() : -kInfinite));
  }
  void run() {
    decay_kernels<T>().running_softmax(steps, n, z.data(), log_o.data(), log_sum.data());
  }
};

// log o is a sum of terms that are off by 2e-7 or 1e-15 of L, for any number of steps.
template <class T>
void expect_plain_softmax(std::int64_t steps, std::int64_t n, bool continues) {
  SCOPED_TRACE(std::to_string(steps) + " x " + std::to_string(n));
  Softmax<T> s(steps, n, continues);
  std::vector<long double> sum;
  for (const T log : s.log_sum) sum.push_back(std::exp(static_cast<long double>(log)));
  s.run();
  const double near = sizeof(T) == 4 ? 4e-6 : 1e-14;
  for (std::size_t at = 0; at < s.z.size(); ++at) {
    long double& so_far = sum[at % sum.size()];
    const long double before = so_far;
    so_far += std::exp(static_cast<long double>(s.z[at]));
    if (before == 0)
      ASSERT_EQ(static_cast<double>(s.log_o[at]), -kInfinite);
    else
      ASSERT_NEAR(static_cast<double>(s.log_o[at]), static_cast<double>(std::log(before / so_far)),
                  near);
  }
  for (std::size_t c = 0; c < sum.size(); ++c)
    ASSERT_NEAR(static_cast<double>(s.log_sum[c]), static_cast<double>(std::log(sum[c])), near);
}

// sum d_log_o log_o + sum d_last L, without the first log o where nothing came before.
double weighted(Softmax<double> s, const std::vector<double>& d_log_o,
                const std::vector<double>& d_last) {
  s.run();
  double sum = 0;
  for (std::size_t n = 0; n < s.log_o.size(); ++n)
    if (std::isfinite(s.log_o[n])) sum += d_log_o[n] * s.log_o[n];
  for (std::size_t n = 0; n < d_last.size(); ++n) sum += d_last[n] * s.log_sum[n];
  return sum;
}

void expect_slopes(std::int64_t steps, std::int64_t n, bool continues) {
  const Softmax<double> s(steps, n, continues, 1);
  const Softmax<double> weights(steps, n, true, 1);
  std::vector<double> d_log_o = weights.z, d_z(d_log_o.size()), d_first(weights.log_sum.size());
  for (std::size_t c = 0; c < d_first.size() && !continues; ++c) d_log_o[c] = 0;
  Softmax<double> ran = s;
  ran.run();
  decay_kernels<double>().running_softmax_backward(steps, n, ran.log_o.data(), d_log_o.data(),
                                                   weights.log_sum.data(), d_z.data(),
                                                   d_first.data());
  const auto slope = [&](std::vector<double> Softmax<double>::*of, std::size_t at) {
    constexpr double kStep = 1e-5;
    Softmax<double> up = s, down = s;
    (up.*of)[at] += kStep;
    (down.*of)[at] -= kStep;
    return (weighted(up, d_log_o, weights.log_sum) - weighted(down, d_log_o, weights.log_sum)) /
           (2 * kStep);
  };
  // Central differences: rounding 1e-15 * 100 / 1e-5.
  for (std::size_t at = 0; at < d_z.size(); ++at)
    ASSERT_NEAR(d_z[at], slope(&Softmax<double>::z, at), 1e-7);
  for (std::size_t c = 0; c < d_first.size() && continues; ++c)
    ASSERT_NEAR(d_first[c], slope(&Softmax<double>::log_sum, c), 1e-7);
}

}  // namespace

TEST(RunningSoftmaxCpu, IsThePlainSum) {
  for (const std::int64_t steps : {1, 2, 65, 1000})
    for (const std::int64_t n : {1, 2, 17, 33})
      for (const bool continues : {false, true}) {
        expect_plain_softmax<float>(steps, n, continues);
        expect_plain_softmax<double>(steps, n, continues);
      }
}

TEST(RunningSoftmaxCpu, ContinuesWhereItStopped) {
  Softmax<double> all(100, 17, true), part = all;
  all.run();
  part.steps = 37;
  part.run();
  decay_kernels<double>().running_softmax(63, 17, part.z.data() + 37 * 17,
                                          part.log_o.data() + 37 * 17, part.log_sum.data());
  for (std::size_t n = 0; n < all.log_o.size(); ++n)
    ASSERT_NEAR(part.log_o[n], all.log_o[n],
                1e-14);  // the compensation of the sum is not carried over
}

TEST(RunningSoftmaxCpu, HasItsSlopes) {
  for (const std::int64_t n : {1, 19})
    for (const bool continues : {false, true}) expect_slopes(12, n, continues);
}

}  // namespace lcsm
