// The kernels of modes through the judge, against separate exponentials for every step in float64.
// LCSM_FUZZ=1 prints figures.
#include "ets/cuda/vandermonde_calls.h"

#include <complex>
#include <cstdlib>
#include <iostream>
#include <random>

#include "tests/ets/cuda/judged_calls.h"

namespace ets::test {
namespace {

// Rounding of float32 sums and products over at most 64 steps.
constexpr double kFloat = 1e-5;

using Values = std::vector<double>;
using Number = std::complex<double>;

struct Shape {
  int rows = 2, M = 1, length = 1;
  bool turns = true, grows = false;
  double decay = 0.1;
};

class VandermondeOnGpu : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(ptx::compiled_file("vandermonde")))
      GTEST_SKIP() << "no CUDA toolkit when this was built";
  }

  // Random modes, of which every other one grows and is counted from the end.
  void draw(const Shape& s) {
    std::mt19937_64 random(7);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform;
    for (int n = 0; n < s.rows * s.M; ++n) {
      const bool grows = s.grows && n % 2 == 0;
      log_decay_.push_back((grows ? 1 : -1) * s.decay * uniform(random));
      angle_.push_back(s.turns ? 3 * normal(random) : 0);
      weight_.push_back(normal(random));
      weight_imag_.push_back(s.turns ? normal(random) : 0);
      origin_.push_back(grows ? s.length - 1 : 0);
    }
    for (int n = 0; n < s.rows * s.length; ++n)
      d_kernel_.push_back(static_cast<float>(normal(random)));
  }

  void define(const Shape& s) {
    kernel_.assign(d_kernel_.size(), 0);
    for (Values& d : d_) d.assign(weight_.size(), 0);
    for (std::size_t n = 0; n < weight_.size(); ++n)
      for (int t = 0; t < s.length; ++t) {
        const auto at = n / static_cast<std::size_t>(s.M) * static_cast<std::size_t>(s.length) +
                        static_cast<std::size_t>(t);
        const double since = t - origin_[n], d = static_cast<double>(d_kernel_[at]);
        const Number e = std::exp(since * Number(log_decay_[n], angle_[n])),
                     w = {weight_[n], weight_imag_[n]};
        kernel_[at] += (w * e).real();
        d_[0][n] += d * since * (w * e).real();
        d_[1][n] -= d * since * (w * e).imag();
        d_[2][n] += d * e.real();
        d_[3][n] -= d * e.imag();
      }
  }

  void check(const Shape& s, int orders = 1) {
    draw(s);
    define(s);
    ptx::Memory memory;
    const ptx::Program program = ptx::load_program(ptx::compiled_file("vandermonde"), memory);
    const ptx::Array<double> log_decay(memory, "log_decay", log_decay_),
        angle(memory, "angle", angle_), weight(memory, "weight", weight_),
        weight_imag(memory, "weight_imag", weight_imag_), origin(memory, "origin", origin_);
    const ptx::Array<float> kernel(memory, "kernel", kernel_.size()),
        d_kernel(memory, "d_kernel", d_kernel_);
    const std::size_t modes = weight_.size();
    const ptx::Array<double> d[] = {{memory, "d_log_decay", modes},
                                    {memory, "d_angle", modes},
                                    {memory, "d_weight", modes},
                                    {memory, "d_weight_imag", modes}};
    VandermondeCuda v{};
    v.rows = s.rows, v.M = s.M, v.length = s.length;
    v.log_decay = protect(memory, log_decay), v.weight = protect(memory, weight);
    if (s.turns) v.angle = protect(memory, angle), v.weight_imag = protect(memory, weight_imag);
    if (s.grows) v.origin = protect(memory, origin);
    v.kernel = pointer(kernel), v.d_kernel = protect(memory, d_kernel);
    v.d_log_decay = pointer(d[0]), v.d_weight = pointer(d[2]);
    if (s.turns) v.d_angle = pointer(d[1]), v.d_weight_imag = pointer(d[3]);
    forward_ = judge(program, memory, vandermonde_forward_calls(v), orders);
    backward_ = judge(program, memory, vandermonde_backward_calls(v), orders);
    expect("kernel", difference(kernel.get(), kernel_), s);
    constexpr const char* kNames[] = {"d_log_decay", "d_angle", "d_weight", "d_weight_imag"};
    for (std::size_t n = 0; n < 4; ++n)
      if (s.turns || n % 2 == 0) expect(kNames[n], difference(d[n].get(), d_[n]), s);
  }
  static void expect(const char* name, double off, const Shape& s) {
    EXPECT_LE(off, kFloat) << name << ", " << s.M << " modes, " << s.length << " steps";
    if (std::getenv("LCSM_FUZZ"))
      std::cout << name << ", " << s.M << " modes, " << s.length << " steps: " << off << "\n";
  }

  Values log_decay_, angle_, weight_, weight_imag_, origin_, kernel_, d_[4];
  std::vector<float> d_kernel_;
  ptx::Counts forward_, backward_;
};

class OfLength : public VandermondeOnGpu, public testing::WithParamInterface<int> {};

}  // namespace

TEST_P(OfLength, IsRight) { check({.M = 5, .length = GetParam()}); }
INSTANTIATE_TEST_SUITE_P(Vandermonde, OfLength, testing::Values(1, 2, 63, 64, 65, 200, 1000, 3000));

TEST_F(VandermondeOnGpu, IsRightForRealModes) { check({.M = 3, .length = 300, .turns = false}); }
TEST_F(VandermondeOnGpu, IsRightForMoreModesThanLanes) { check({.M = 37, .length = 300}); }

// These modes begin as zero even in float64, and would be infinite soon after the end.
TEST_F(VandermondeOnGpu, IsRightForModesThatGrow) {
  check({.M = 4, .length = 641, .grows = true, .decay = 3});
}

// A phase that was wrong by one part in ten million a step would be off by 0.01 at the end.
TEST_F(VandermondeOnGpu, KeepsPhasesOfLongKernels) {
  check({.rows = 1, .M = 2, .length = 100'000, .decay = 1e-7});
}

TEST_F(VandermondeOnGpu, GivesTheSameInEveryOrder) { check({.M = 33, .length = 2200}, 3); }

// A kernel is written once, its gradient read once; beside them only the modes.
TEST_F(VandermondeOnGpu, MovesTheKernelOnce) {
  check({.M = 32, .length = 4096});
  const double kernel = 4.0 * 2 * 4096, modes = 8.0 * 2 * 32 * 4;
  for (const ptx::Counts* counts : {&forward_, &backward_})
    expect_cheap(*counts, kernel + 2 * modes, 2 * 4096 * 32);
}

TEST(VandermondeCalls, CompileAtRunTime) {
  if (!lcsm::nvrtc_missing().empty()) GTEST_SKIP() << lcsm::nvrtc_missing();
  const lcsm::NvrtcResult compiled = lcsm::compile_cuda(vandermonde_source());
  EXPECT_NE(compiled.code.find(".entry vandermonde_backward"), std::string::npos) << compiled.log;
}

}  // namespace ets::test
