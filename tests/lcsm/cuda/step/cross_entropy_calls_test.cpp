// Cross-entropy and its gradient through the judge, against the definition in float64. LCSM_FUZZ=1
// prints errors and traffic.
#include "lcsm/cuda/step/cross_entropy_calls.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <random>
#include <stdexcept>

#include "tests/lcsm/cuda/driver/expect_judged.h"

namespace lcsm::test {
namespace {

using std::size_t;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Float32: exponentials of rounded differences, and sums of as many terms as a thread adds,
// relative to the largest value of a result. Bfloat16: the gradient's last rounding.
constexpr double kFloat = 1e-6, kBfloat = 0x1p-8;

struct Rows {
  int V = 2;
  bool bfloat16 = false, learns = true;
  Numbers logits = {};
  std::vector<long long> targets = {};
  double scale = 0.25;
};

Rows random_rows(int count, int V, bool bfloat16) {
  std::mt19937_64 random(static_cast<unsigned>(V));
  std::normal_distribution<float> normal(0, 3);
  Rows rows{.V = V, .bfloat16 = bfloat16};
  for (int n = 0; n < count * V; ++n)
    rows.logits.push_back(static_cast<double>(rounded(normal(random), bfloat16)));
  for (int n = 0; n < count; ++n) {
    const auto target = static_cast<long long>(random() % static_cast<unsigned>(V));
    rows.targets.push_back(n % 5 == 3 ? -1 : target);
  }
  return rows;
}

// "loss", "right", "logits" (the gradient), "sums".
Named by_definition(const Rows& rows) {
  Named out{{"sums", Numbers(3)}};
  const auto V = static_cast<size_t>(rows.V);
  for (size_t row = 0; row < rows.targets.size(); ++row) {
    const double* const x = rows.logits.data() + row * V;
    const auto target = static_cast<size_t>(rows.targets[row]);
    const bool labelled = rows.targets[row] >= 0;
    const double* const most = std::max_element(x, x + V);
    double sum = 0;
    for (size_t c = 0; c < V; ++c) sum += std::exp(x[c] - *most);
    const double loss = labelled ? std::log(sum) + *most - x[target] : 0;
    const double right = labelled && most == x + target;
    out["loss"].push_back(loss);
    out["right"].push_back(right);
    for (size_t c = 0; c < V; ++c) {
      const double d = labelled ? std::exp(x[c] - *most) / sum - (c == target) : 0;
      out["logits"].push_back(rows.learns ? d * rows.scale : x[c]);
    }
    out["sums"][0] += labelled, out["sums"][1] += rows.scale * loss, out["sums"][2] += right;
  }
  return out;
}

class CrossEntropyKernels : public testing::Test {
 protected:
  void SetUp() override {
    kernels_ = built_kernels("cross_entropy");
    if (kernels_ == nullptr) GTEST_SKIP() << "no CUDA toolkit when this was built";
  }
  Judged by_judge(const Rows& rows, int orders = 1, const ptx::Options& options = {}) {
    JudgedDevice device(*kernels_, orders, options);
    CrossEntropyWork work{.bfloat16 = rows.bfloat16};
    CrossEntropyCuda& c = work.rows;
    c.rows = static_cast<long long>(rows.targets.size()), c.V = rows.V;
    c.logits = device.result("logits", rows.logits, rows.bfloat16);
    c.targets = device.put("targets", rows.targets, false);
    c.loss = static_cast<float*>(device.result("loss", rows.targets.size(), false));
    c.right = static_cast<float*>(device.result("right", rows.targets.size(), false));
    c.scale = static_cast<float>(rows.scale), c.learns = rows.learns;
    work.sums = static_cast<double*>(device.allocate("sums", 3 * sizeof(double)));
    device.run(cross_entropy_calls(work));
    Judged judged = device.judged();
    judged.values["sums"] = device.get(work.sums, 3);
    return judged;
  }
  Judged check(const Rows& rows, int orders = 1, const ptx::Options& options = {}) {
    Judged got = by_judge(rows, orders, options);
    expect_right(
        got, by_definition(rows),
        [&](const std::string& name) {
          return name == "logits" && rows.bfloat16 ? kBfloat : kFloat;
        },
        std::to_string(rows.V) + (rows.bfloat16 ? " bfloat16" : " float32"));
    return got;
  }
  const Kernels* kernels_ = nullptr;
};

}  // namespace

TEST_F(CrossEntropyKernels, AreRightForEveryNumberOfClasses) {
  for (const bool bfloat16 : {false, true}) {
    for (const int V : {1, 2, 3, 7, 31, 32, 33, 100, 1023, 2048})
      check(random_rows(150, V, bfloat16));
    for (const int V : {2049, 8192, 50257}) check(random_rows(5, V, bfloat16));
  }
}

TEST_F(CrossEntropyKernels, GiveTheSameInEveryOrderWithApproximateFunctions) {
  for (const bool bfloat16 : {false, true})
    for (const int V : {7, 100, 2049, bfloat16 ? 57345 : 28673})
      check(random_rows(V < 2049 ? 140 : 3, V, bfloat16), 3, {.ulps = 2});
}

// Rows that begin within other memory.
TEST_F(CrossEntropyKernels, TakeRowsThatAreNotAligned) {
  for (const bool bfloat16 : {false, true}) {
    const Rows rows = random_rows(5, 7, bfloat16);
    const Named expected = by_definition(rows);
    JudgedDevice device(*kernels_, 2, {});
    CrossEntropyWork work{.bfloat16 = bfloat16};
    CrossEntropyCuda& c = work.rows;
    c.rows = 4, c.V = 7, c.scale = 0.25f, c.learns = true;
    c.logits =
        static_cast<char*>(device.result("logits", rows.logits, bfloat16)) + 7 * (bfloat16 ? 2 : 4);
    c.targets = device.put("targets", rows.targets, false) + 1;
    c.loss = static_cast<float*>(device.result("loss", 4, false));
    c.right = static_cast<float*>(device.result("right", 4, false));
    device.run(cross_entropy_calls(work));
    Judged got = device.judged();
    EXPECT_EQ(got.findings, "");
    for (size_t n = 7; n < rows.logits.size(); ++n)
      EXPECT_NEAR(got.values["logits"][n], expected.at("logits")[n], bfloat16 ? kBfloat : kFloat);
    EXPECT_EQ(got.values["logits"][0], rows.logits[0]);
    EXPECT_EQ(got.values["right"][0], expected.at("right")[1]);
  }
}

// Products are faster with rows of whole vectors.
TEST_F(CrossEntropyKernels, FillWhatPadsARow) {
  for (const bool bfloat16 : {false, true})
    for (const int V : {7, 2051, 50257}) {
      const Rows rows = random_rows(3, V, bfloat16);
      const auto width = static_cast<size_t>(V), stride = (width + 7) / 8 * 8;
      Numbers wide;
      for (size_t row = 0; row < 3; ++row) {
        const auto from = rows.logits.begin() + static_cast<std::ptrdiff_t>(row * width);
        wide.insert(wide.end(), from, from + V);
        wide.insert(wide.end(), stride - width, 100);
      }
      JudgedDevice device(*kernels_, 1, {});
      CrossEntropyWork work{.bfloat16 = bfloat16};
      CrossEntropyCuda& c = work.rows;
      c.rows = 3, c.V = V, c.stride = static_cast<int>(stride), c.scale = 0.25f, c.learns = true;
      c.logits = device.result("logits", wide, bfloat16);
      c.targets = device.put("targets", rows.targets, false);
      c.loss = static_cast<float*>(device.result("loss", 3, false));
      c.right = static_cast<float*>(device.result("right", 3, false));
      device.run(cross_entropy_calls(work));
      const Judged got = device.judged();
      EXPECT_EQ(got.findings, "");
      const Named expected = by_definition(rows);
      for (size_t row = 0; row < 3; ++row) {
        EXPECT_NEAR(got.values.at("loss")[row], expected.at("loss")[row], 1e-5);
        for (size_t n = 0; n < stride; ++n)
          EXPECT_NEAR(got.values.at("logits")[row * stride + n],
                      n < width ? expected.at("logits")[row * width + n] : 0,
                      bfloat16 ? kBfloat : kFloat);
      }
    }
}

TEST_F(CrossEntropyKernels, LeaveLogitsThatAreOnlyScored) {
  for (const int V : {7, 2049, 30000}) {
    Rows rows = random_rows(9, V, false);
    rows.learns = false;
    check(rows);
  }
}

TEST_F(CrossEntropyKernels, AreRightForLogitsFarApart) {
  for (const int V : {4, 2052, 30000}) {
    Rows rows{.V = V, .logits = Numbers(static_cast<size_t>(V) * 4, -1e4), .targets = {0, 1, 2, 3}};
    const auto at = [&](int row) { return rows.logits.begin() + row * V; };
    std::fill(at(1), at(2), -kInfinity);
    at(0)[2] = at(1)[1] = at(2)[2] = 1e4;
    at(3)[0] = 9, at(3)[3] = 8;
    check(rows);
  }
}

TEST_F(CrossEntropyKernels, ShowWhatIsUndefined) {
  for (const size_t V : {4, 2052, 30000}) {
    const auto classes = static_cast<int>(V);
    Rows rows{.V = classes, .logits = Numbers(V * 5, 1), .targets = {0, 0, classes, 3, 2}};
    std::fill_n(rows.logits.begin(), V, -kInfinity);
    rows.logits[V + 3] = std::nan("");
    rows.logits[V * 3] = kInfinity;
    rows.logits[V * 4 + 2] = -kInfinity;
    const Judged got = by_judge(rows);
    EXPECT_EQ(got.findings, "");
    const Numbers &loss = got.values.at("loss"), &d = got.values.at("logits");
    for (const size_t row : {0u, 1u, 2u, 3u}) {
      EXPECT_TRUE(std::isnan(loss[row])) << row << " of " << V;
      EXPECT_TRUE(std::isnan(d[V * row])) << row << " of " << V;
    }
    EXPECT_EQ(got.values.at("right")[1], 0);
    EXPECT_EQ(loss[4], kInfinity);
    EXPECT_EQ(d[V * 4 + 2], -rows.scale);
  }
}

// Covers rows that begin at any place within 16 bytes.
TEST_F(CrossEntropyKernels, CountTheFirstOfEqualLogits) {
  for (const int V : {7, 2053}) {
    Rows rows{.V = V, .logits = Numbers(static_cast<size_t>(V) * 7), .targets = {0, 1, V - 1}};
    for (int row = 3; row < 7; ++row) {
      std::fill(rows.logits.begin() + row * V + 4, rows.logits.begin() + (row + 1) * V, 1);
      rows.targets.push_back(4);
    }
    EXPECT_EQ(check(rows).values.at("right"), (Numbers{1, 0, 0, 1, 1, 1, 1}));
  }
}

// Logits are read and written once, or read twice where a row is too long; labels, losses and
// right ones once.
TEST_F(CrossEntropyKernels, MoveNoMoreThanTheAlgorithm) {
  for (const bool bfloat16 : {false, true})
    for (const int V : {2, 7, 100, 1030, 2049, 8192, 50257}) {
      Rows rows = random_rows(V < 101 ? 1024 : V < 2049 ? 64 : 8, V, bfloat16);
      for (long long& target : rows.targets) target = std::max(target, 0ll);
      Judged got = check(rows);
      got.counts.erase("cross_entropy_sum");
      const int row = V * (bfloat16 ? 2 : 4), passes = row > kCrossEntropyKept ? 3 : 2;
      const double bytes = static_cast<double>(rows.targets.size()) * (row * passes + 8 + 4 + 4);
      for (const auto& [kernel, counts] : got.counts) {
        const double moved =
            32.0 * static_cast<double>(counts.global_read.used + counts.global_write.used);
        const double conflicts =
            static_cast<double>(counts.shared.used) / static_cast<double>(counts.shared.ideal);
        EXPECT_LE(moved, 1.1 * bytes) << kernel << " " << V;
        EXPECT_LE(conflicts, 1.1) << kernel << " " << V;
        if (fuzzes())
          std::cout << kernel << " " << V << ": " << moved / bytes << " of the bytes, " << conflicts
                    << " of the wavefronts, " << counts.instructions << " instructions\n";
      }
    }
}

// On every GPU: the kernels have 384 bytes of shared memory of their own.
TEST(CrossEntropyCalls, ReadARowOnceWhereItFits) {
  static constexpr unsigned kLeast = 99 * 1024;  // what GPUs give a block at least
  const auto kernel = [](int V, bool bfloat16, std::uintptr_t at = 0) {
    CrossEntropyWork work{.bfloat16 = bfloat16};
    work.rows.rows = 10, work.rows.V = V, work.rows.logits = reinterpret_cast<void*>(at);
    const KernelCall call = cross_entropy_calls(work).at(0);
    EXPECT_LE(call.shared_bytes + 384, kLeast) << V;
    return call.kernel;
  };
  EXPECT_EQ(kernel(7, false), "cross_entropy_tile_float32");
  EXPECT_EQ(kernel(7, false, 4), "cross_entropy_once_float32");
  EXPECT_EQ(kernel(8192, false), "cross_entropy_once_float32");
  EXPECT_EQ(kernel(50257, true), "cross_entropy_once_bfloat16");
  EXPECT_EQ(kernel(50432, true), "cross_entropy_once_bfloat16");
  EXPECT_EQ(kernel(51200, true), "cross_entropy_twice_bfloat16");
  EXPECT_EQ(kernel(50257, false), "cross_entropy_twice_float32");
}

TEST(CrossEntropyCalls, AreNoneWithoutRows) {
  CrossEntropyWork work;
  work.rows.V = 3;
  EXPECT_TRUE(cross_entropy_calls(work).empty());
  work.rows.V = 0;
  EXPECT_THROW(cross_entropy_calls(work), std::invalid_argument);
}

TEST(CrossEntropyCalls, NameKernelsOfTheSource) {
  if (!nvrtc_missing().empty()) GTEST_SKIP() << nvrtc_missing();
  const NvrtcResult compiled = compile_cuda(cross_entropy_source());
  for (const char* kernel : {"tile_float32", "once_bfloat16", "twice_float32", "sum"})
    EXPECT_NE(compiled.code.find(".entry cross_entropy_" + std::string(kernel) + "("),
              std::string::npos)
        << compiled.log;
}

TEST_F(CrossEntropyKernels, AddToSums) {
  JudgedDevice device(*kernels_, 2, {});
  CrossEntropyWork work{.add = true};
  work.rows.targets = device.put<long long>("targets", {3, -1, 0}, false);
  work.rows.loss = device.put<float>("loss", {1.5f, 0, 2}, true);
  work.rows.right = device.put<float>("right", {0, 0, 1}, true);
  work.rows.rows = 3, work.rows.V = 4, work.rows.scale = 0.5f;
  work.sums = device.put<double>("sums", {10, 20, 30}, true);
  device.run({cross_entropy_calls(work).back()});
  EXPECT_EQ(device.get(work.sums, 3), (std::vector<double>{12, 21.75, 31}));
  EXPECT_EQ(device.judged().findings, "");
}

}  // namespace lcsm::test
