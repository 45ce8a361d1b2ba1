// Adam through the judge: bit for bit the float32 definition with LibTorch's rounding on a CPU
// (optimizer_test compares that definition with LibTorch), and near the float64 definition.
#include "lcsm/cuda/step/adam_calls.h"

#include <gtest/gtest.h>

#include <cmath>
#include <iostream>
#include <limits>
#include <random>
#include <stdexcept>

#include "tests/lcsm/cuda/driver/expect_judged.h"
#include "tests/lcsm/cuda/step/adam_definition.h"

namespace lcsm::test {
namespace {

using std::size_t;
void* nothing(const char*, size_t) { return nullptr; }
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

struct Step {
  double rate = 1e-3, loss = 1, gradient = 1;  // the deviation of gradients
};

class AdamKernels : public testing::Test {
 protected:
  void SetUp() override {
    kernels_ = built_kernels("adam");
    if (kernels_ == nullptr) GTEST_SKIP() << "no CUDA toolkit when this was built";
    settings_.clip = 0;
  }

  std::vector<float> random(size_t count, double deviation) {
    std::normal_distribution<float> normal;
    std::vector<float> all(count);
    for (float& x : all) x = static_cast<float>(deviation) * normal(random_);
    return all;
  }
  // Runs the steps on the judge and by the definition, and compares them after each.
  void check(const std::vector<AdamRangeCuda>& ranges, const std::vector<Step>& steps,
             int orders = 2);

  const Kernels* kernels_ = nullptr;
  std::mt19937_64 random_{3};
  AdamSettings settings_;
  std::map<std::string, ptx::Counts> counts_;
  std::vector<double> norms_, scales_;
  double off_ = 0;  // from the definition in float64, relative to the largest value
};

void AdamKernels::check(const std::vector<AdamRangeCuda>& ranges, const std::vector<Step>& steps,
                        int orders) {
  const auto count = static_cast<size_t>(ranges.back().end);
  JudgedDevice device(*kernels_, orders, {});
  AdamNumbers<float> exact{random(count, 1), std::vector<float>(count), std::vector<float>(count)};
  AdamNumbers<double> wide{
      {exact.values.begin(), exact.values.end()}, Numbers(count), Numbers(count)};
  AdamWork work{.ranges = ranges};
  AdamCuda& a = work.adam;
  a.count = ranges.back().end, a.most_loss = 10, a.clip = settings_.clip;
  a.beta1 = settings_.beta1, a.beta2 = settings_.beta2, a.eps = settings_.eps;
  a.decoupled = settings_.decoupled;
  a.values = device.put("values", exact.values, true);
  a.means = device.put("means", exact.means, true);
  a.squares = device.put("squares", exact.squares, true);
  a.steps = device.put<long long>("steps", {0}, true);
  long long counted = 0;
  for (const Step& step : steps) {
    const std::vector<float> gradients = random(count, step.gradient);
    a.gradients = device.put("gradients", gradients, false);
    a.rate = device.put<double>("rate", {step.rate}, false);
    a.loss_norm = device.put<double>("loss and norm", {step.loss, 0}, true);
    device.run(
        adam_calls(work, [&](const char* what, size_t n) { return device.allocate(what, n); }));
    const double norm = norm_of(gradients), got = device.get(a.loss_norm, 2)[1];
    if (std::isfinite(norm)) {
      EXPECT_NEAR(got, norm, 1e-13 * norm);  // sums of up to 80 000 in another order
    }
    EXPECT_EQ(std::isfinite(got), std::isfinite(norm));
    norms_.push_back(got);
    if (std::isfinite(norm) && std::isfinite(step.loss) && step.loss <= 10) {
      ++counted;
      update(settings_, ranges, gradients, step.rate, got, counted, &exact);
      update(settings_, ranges, gradients, step.rate, got, counted, &wide);
    }
    EXPECT_EQ(device.get(a.steps, 1)[0], counted);
    EXPECT_EQ(device.get(a.values, count), exact.values);
    EXPECT_EQ(device.get(a.means, count), exact.means);
    EXPECT_EQ(device.get(a.squares, count), exact.squares);
  }
  const Judged judged = device.judged();
  EXPECT_EQ(judged.findings, "");
  counts_ = judged.counts;
  off_ = differences({{"values", {exact.values.begin(), exact.values.end()}}},
                     {{"values", wide.values}})["values"];
  // Three roundings of a value of 1, and the update's, for each step.
  EXPECT_LE(off_, 1e-7 * static_cast<double>(steps.size() + 1));
}

}  // namespace

TEST_F(AdamKernels, RoundAsTheDefinition) {
  for (const bool decoupled : {true, false})
    for (const double beta1 : {0.9, 0.4}) {
      settings_.decoupled = decoupled, settings_.beta1 = beta1;
      check({{1000, 0.1, 1}, {1004, 0, 0.1}, {9000, 0, 1}},
            {{1e-3}, {2e-3}, {5e-4, 1, 1e-3}, {0}, {1e-3, 1, 1e3}});
    }
  if (fuzzes()) std::cout << "from float64: " << off_ << "\n";
}

TEST_F(AdamKernels, ClipTheNormOfAllGradients) {
  settings_.clip = 20;
  check({{4, 0, 1}, {4096, 0.01, 2}}, {{1e-3}, {1e-3, 1, 0.1}, {1e-3, 1, 1e15}});
  EXPECT_GT(norms_[0], 20);
  EXPECT_LT(norms_[1], 20);
}

TEST_F(AdamKernels, ChangeNothingInAStepThatDoesNotCount) {
  settings_.clip = 1;
  check({{300, 0.1, 1}}, {{1e-3},
                          {1e-3, kNan},
                          {1e-3, -INFINITY},
                          {1e-3, 11},
                          {1e-3, 1, INFINITY},
                          {1e-3, 1, kNan},
                          {1e-3}});
  EXPECT_FALSE(std::isfinite(norms_[4]));
}

// More than fits into one launch, so that ranges begin and end everywhere.
TEST_F(AdamKernels, TakeAnyNumberOfRanges) {
  std::vector<AdamRangeCuda> ranges;
  for (int n = 1; n <= 40; ++n) ranges.push_back({4 * n * n, 0.01 * (n % 3), 1.0 + n % 2});
  check(ranges, {{1e-3}, {1e-3}});
}

// Gradients are read twice, values and moments read and written once.
TEST_F(AdamKernels, MoveNoMoreThanTheAlgorithm) {
  check({{40000, 0, 1}, {80000, 0.1, 1}}, {{1e-3}}, 1);
  for (const auto& [kernel, bytes] : {std::pair{"adam_norm", 4}, {"adam_update", 28}}) {
    const ptx::Counts& counts = counts_.at(kernel);
    const double moved =
        32.0 * static_cast<double>(counts.global_read.used + counts.global_write.used);
    EXPECT_LE(moved, 1.1 * 80000 * bytes) << kernel;
    if (fuzzes())
      std::cout << kernel << " " << moved / (80000.0 * bytes) << " of the bytes, "
                << static_cast<double>(counts.shared.used) /
                       static_cast<double>(counts.shared.ideal)
                << " of the wavefronts, " << counts.instructions << " instructions\n";
  }
}

TEST(AdamCalls, RefuseRangesWithGaps) {
  const auto refused = [](std::vector<AdamRangeCuda> ranges) {
    AdamWork work{.ranges = std::move(ranges)};
    work.adam.count = 16;
    EXPECT_THROW(adam_calls(work, nothing), std::invalid_argument);
  };
  refused({});
  refused({{8, 0, 1}});
  refused({{8, 0, 1}, {8, 0, 1}, {16, 0, 1}});
  refused({{6, 0, 1}, {16, 0, 1}});
}

TEST(AdamCalls, RefuseNumbersThatAreNotAligned) {
  AdamWork work{.ranges = {{8, 0, 1}}};
  work.adam.count = 8;
  EXPECT_EQ(adam_calls(work, nothing).size(), 3u);
  work.adam.means = reinterpret_cast<float*>(std::uintptr_t{4});
  EXPECT_THROW(adam_calls(work, nothing), std::invalid_argument);
}

TEST(AdamCalls, NameKernelsOfTheSource) {
  if (!nvrtc_missing().empty()) GTEST_SKIP() << nvrtc_missing();
  const NvrtcResult compiled = compile_cuda(adam_source());
  for (const char* kernel : {"adam_norm", "adam_begin", "adam_update"})
    EXPECT_NE(compiled.code.find(std::string(".entry ") + kernel + "("), std::string::npos)
        << compiled.log;
}

}  // namespace lcsm::test
