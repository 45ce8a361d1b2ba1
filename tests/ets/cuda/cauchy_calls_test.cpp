// Runs the sums of S4 through the judge, against quotients of complex numbers in float64.
// LCSM_FUZZ=1 prints figures.
#include "ets/cuda/cauchy_calls.h"

#include <complex>
#include <cstdlib>
#include <iostream>
#include <numbers>
#include <random>
#include <stdexcept>

#include "tests/ets/cuda/judged_calls.h"

namespace ets::test {
namespace {

// Rounding of float32 sums, relative to the largest, near a resonance.
constexpr double kCauchyCallsFloat = 1e-5;

using CauchyCallsValues = std::vector<double>;
using CauchyCallsNumber = std::complex<double>;

struct CauchyCallsShape {
  int sums = 4, M = 1, length = 2, D = 2;
  double decay = 0.1;  // of the slowest mode
};

class CauchyOnGpu : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(ptx::compiled_file("cauchy")))
      GTEST_SKIP() << "no CUDA toolkit when this was built";
  }

  static std::size_t size(int n) { return static_cast<std::size_t>(n); }

  void draw(const CauchyCallsShape& s) {
    std::mt19937_64 random(7);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform;
    for (int n = 0; n < s.D * s.M; ++n) {
      rates_.emplace_back(-s.decay * (1 + uniform(random)), 3 * normal(random));
      real_.push_back(rates_.back().real());
      square_.push_back(std::norm(rates_.back()));
    }
    for (int n = 0; n < s.sums * s.D * s.M; ++n) {
      v_.emplace_back(normal(random), normal(random));
      v_real_.push_back(v_.back().real());
      v_rate_.push_back((v_.back() * std::conj(rates_[size(n) % rates_.size()])).real());
    }
    for (int n = 0; n < s.sums * s.D * (s.length / 2 + 1) * 2; ++n)
      d_r_.push_back(static_cast<float>(normal(random)));
  }

  // The derivatives of (2 i s Re v - c Re(v conj(L))) / D, D = c^2 |L|^2 - 4 s^2 - 4 i s c Re L.
  void define(const CauchyCallsShape& s) {
    const std::size_t M = size(s.M), nodes = size(s.length / 2 + 1);
    r_.assign(d_r_.size(), 0);
    for (CauchyCallsValues* d : {&d_real_, &d_square_}) d->assign(real_.size(), 0);
    for (CauchyCallsValues* d : {&d_v_real_, &d_v_rate_}) d->assign(v_.size(), 0);
    for (std::size_t row = 0; row < size(s.sums * s.D); ++row)
      for (std::size_t k = 0; k < nodes; ++k) {
        const double half = std::numbers::pi * static_cast<double>(k) / s.length;
        const CauchyCallsNumber w = std::polar(1.0, -2 * half), turn = std::polar(1.0, half);
        const double sine = std::sin(half), cosine = 2 * k == size(s.length) ? 0 : std::cos(half);
        double* const r = &r_[2 * (row * nodes + k)];
        const float* const d_r = &d_r_[2 * (row * nodes + k)];
        const CauchyCallsNumber d{static_cast<double>(d_r[0]), -static_cast<double>(d_r[1])};
        for (std::size_t m = 0; m < M; ++m) {
          const std::size_t n = row % size(s.D) * M + m, at = row * M + m;
          const CauchyCallsNumber rate = rates_[n], x = v_[at];
          const CauchyCallsNumber pair =
              x / (2.0 * (1.0 - w) - (1.0 + w) * rate) +
              std::conj(x) / (2.0 * (1.0 - w) - (1.0 + w) * std::conj(rate));
          r[0] += pair.real(), r[1] += pair.imag();
          const CauchyCallsNumber one =
              1.0 / CauchyCallsNumber(cosine * cosine * square_[n] - 4 * sine * sine,
                                      -4 * sine * cosine * real_[n]);
          d_v_real_[at] += (d * turn * CauchyCallsNumber(0, 2 * sine) * one).real();
          d_v_rate_[at] -= (d * turn * cosine * one).real();
          const CauchyCallsNumber of_d = -d * pair * one;  // of D
          d_square_[n] += (of_d * cosine * cosine).real();
          d_real_[n] += (of_d * CauchyCallsNumber(0, -4 * sine * cosine)).real();
        }
      }
  }

  void check(const CauchyCallsShape& s, int orders = 1) {
    draw(s);
    define(s);
    ptx::Memory memory;
    const ptx::Program program = ptx::load_program(ptx::compiled_file("cauchy"), memory);
    const ptx::Array<double> real(memory, "real", real_), square(memory, "square", square_),
        v_real(memory, "v_real", v_real_), v_rate(memory, "v_rate", v_rate_),
        d_real(memory, "d_real", real_.size()), d_square(memory, "d_square", real_.size()),
        d_v_real(memory, "d_v_real", v_.size()), d_v_rate(memory, "d_v_rate", v_.size());
    const ptx::Array<float> r(memory, "r", r_.size()), d_r(memory, "d_r", d_r_);
    const CauchyCuda c{s.M,
                       s.D,
                       s.length,
                       protect(memory, real),
                       protect(memory, square),
                       protect(memory, v_real),
                       protect(memory, v_rate),
                       pointer(r),
                       protect(memory, d_r),
                       pointer(d_real),
                       pointer(d_square),
                       pointer(d_v_real),
                       pointer(d_v_rate)};
    forward_ = judge(program, memory, cauchy_forward_calls(c, s.sums), orders);
    backward_ = judge(program, memory, cauchy_backward_calls(c, s.sums), orders);
    expect("r", difference(r.get(), r_), s);
    expect("d_real", difference(d_real.get(), d_real_), s);
    expect("d_square", difference(d_square.get(), d_square_), s);
    expect("d_v_real", difference(d_v_real.get(), d_v_real_), s);
    expect("d_v_rate", difference(d_v_rate.get(), d_v_rate_), s);
  }
  static void expect(const char* name, double off, const CauchyCallsShape& s) {
    EXPECT_LE(off, kCauchyCallsFloat) << name << ", " << s.M << " modes, length " << s.length;
    if (std::getenv("LCSM_FUZZ"))
      std::cout << name << ", " << s.M << " modes, length " << s.length << ": " << off << "\n";
  }

  std::vector<CauchyCallsNumber> rates_, v_;
  CauchyCallsValues real_, square_, v_real_, v_rate_, r_, d_real_, d_square_, d_v_real_, d_v_rate_;
  std::vector<float> d_r_;
  ptx::Counts forward_, backward_;
};

class SumsOfLength : public CauchyOnGpu, public testing::WithParamInterface<int> {};

}  // namespace

TEST_P(SumsOfLength, AreRight) { check({.M = 3, .length = GetParam()}); }
INSTANTIATE_TEST_SUITE_P(Cauchy, SumsOfLength, testing::Values(1, 2, 3, 64, 65, 200, 1000, 2100));

TEST_F(CauchyOnGpu, IsRightForSixSumsAndMoreModesThanLanes) {
  check({.sums = 6, .M = 37, .length = 130});
}

// Nodes meet modes of a thousandth of their frequency in width.
TEST_F(CauchyOnGpu, IsRightNearResonances) { check({.M = 8, .length = 4096, .decay = 1e-3}); }

TEST_F(CauchyOnGpu, GivesTheSameInEveryOrder) { check({.M = 33, .length = 1100}, 3); }

// Sums are written once, their gradients read once; beside them only the modes.
TEST_F(CauchyOnGpu, MovesTheSumsOnce) {
  check({.M = 32, .length = 2048});
  const double sums = 4.0 * 2 * 2 * 1025 * 4, modes = 8.0 * 2 * 32 * 10;
  for (const ptx::Counts* counts : {&forward_, &backward_})
    expect_cheap(*counts, sums + 3 * modes, 2 * 1025 * 32);
}

TEST(CauchyCalls, RefuseOtherNumbersOfSums) {
  EXPECT_THROW(cauchy_forward_calls({}, 5), std::invalid_argument);
}

TEST(CauchyCalls, CompileAtRunTime) {
  if (!lcsm::nvrtc_missing().empty()) GTEST_SKIP() << lcsm::nvrtc_missing();
  const lcsm::NvrtcResult compiled = lcsm::compile_cuda(cauchy_source());
  EXPECT_NE(compiled.code.find(".entry cauchy_backward_6"), std::string::npos) << compiled.log;
}

}  // namespace ets::test
