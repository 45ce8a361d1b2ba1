// Long convolutions: kernels through the judge and transforms by a fake cuFFT, against double sums
// in float64. LCSM_FUZZ=1 prints figures.
#include "ets/cuda/fft_conv_calls.h"

#include <bit>
#include <cstdlib>
#include <iostream>
#include <random>

#include "tests/ets/cuda/fake_cufft.h"
#include "tests/ets/cuda/judged_calls.h"

namespace ets::test {
namespace {

// Roundings of transforms in float32, and of x, y and their gradients in bfloat16.
constexpr double kFftConvCallsFloat = 1e-5, kBfloat = 2e-2;

using FftConvCallsValues = std::vector<double>;

struct FftConvCallsShape {
  int T = 1, K = 1, B = 2, D = 3;
  int directions = 1, lag = 0;
  bool bfloat16 = false, padding = false;
};

std::size_t size(int n) { return static_cast<std::size_t>(n); }
// The value as it is stored.
double stored(double x, bool bfloat16) {
  const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(x));
  return static_cast<double>(std::bit_cast<float>(bfloat16 ? bits & 0xffff0000u : bits));
}

// A tensor of float32 or bfloat16 on the judge's device.
struct Data {
  Data(ptx::Memory& of, const char* name, std::size_t numbers, bool half)
      : memory(of), count(numbers), bfloat16(half), at(of.allocate(name, numbers * width())) {}
  Data(ptx::Memory& of, const char* name, const FftConvCallsValues& values, bool half)
      : Data(of, name, values.size(), half) {
    for (std::size_t n = 0; n < count; ++n) {
      const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(values[n]));
      const std::uint32_t kept = bfloat16 ? bits >> 16 : bits;
      memory.write(at + n * width(), &kept, width());
    }
    memory.protect(at);
  }
  std::size_t width() const { return bfloat16 ? 2 : 4; }
  void* pointer() const { return reinterpret_cast<void*>(at); }
  FftConvCallsValues get() const {
    FftConvCallsValues values(count);
    for (std::size_t n = 0; n < count; ++n) {
      std::uint32_t bits = 0;
      memory.read(at + n * width(), &bits, width());
      values[n] = static_cast<double>(std::bit_cast<float>(bfloat16 ? bits << 16 : bits));
    }
    return values;
  }
  ptx::Memory& memory;
  const std::size_t count;
  const bool bfloat16;
  const ptx::u64 at;
};

class FftConvOnGpu : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(ptx::compiled_file("fft_conv")))
      GTEST_SKIP() << "no CUDA toolkit when this was built";
  }

  void draw(const FftConvCallsShape& s) {
    std::mt19937_64 random(7);
    std::normal_distribution<double> normal;
    const std::size_t data = size(s.B * s.T * s.D);
    for (FftConvCallsValues* all : {&x_, &d_y_})
      for (std::size_t n = 0; n < data; ++n) all->push_back(stored(normal(random), s.bfloat16));
    for (int n = 0; n < s.directions * s.D * s.K; ++n)
      taps_.push_back(stored(normal(random), false));
    padding_.assign(size(s.B * s.T), 0);
    for (unsigned char& each : padding_) each = s.padding && random() % 3 == 0;
  }

  void define(const FftConvCallsShape& s) {
    y_.assign(x_.size(), 0), d_x_ = y_, d_taps_.assign(taps_.size(), 0);
    for (int b = 0; b < s.B; ++b)
      for (int t = 0; t < s.T; ++t)
        for (int g = 0; g < s.directions; ++g)
          for (int j = 0; j < s.K; ++j) {
            const int from = g == 0 ? t - j : t + j + s.lag;
            if (from < 0 || from >= s.T || padding_[size(b * s.T + from)]) continue;
            for (int d = 0; d < s.D; ++d) {
              const std::size_t out = size((b * s.T + t) * s.D + d),
                                in = size((b * s.T + from) * s.D + d),
                                tap = size((g * s.D + d) * s.K + j);
              y_[out] += taps_[tap] * x_[in];
              d_x_[in] += taps_[tap] * d_y_[out];
              d_taps_[tap] += x_[in] * d_y_[out];
            }
          }
  }

  void check(const FftConvCallsShape& s) {
    draw(s);
    define(s);
    ptx::Memory memory;
    const ptx::Program program = ptx::load_program(ptx::compiled_file("fft_conv"), memory);
    FakeCufft fake(memory);
    CufftPlans plans(fake.functions());
    const Data x(memory, "x", x_, s.bfloat16), d_y(memory, "d_y", d_y_, s.bfloat16),
        taps(memory, "taps", taps_, false), y(memory, "y", x_.size(), s.bfloat16),
        d_x(memory, "d_x", x_.size(), s.bfloat16), d_taps(memory, "d_taps", taps_.size(), false);
    const ptx::Array<unsigned char> padding(memory, "padding", padding_);
    FftConvWork work{.bfloat16 = s.bfloat16, .x = x.pointer(), .y = y.pointer()};
    FftConvCuda& c = work.conv;
    c.B = s.B, c.T = s.T, c.D = s.D, c.K = s.K, c.directions = s.directions, c.lag = s.lag;
    if (s.padding) c.padding = protect(memory, padding);
    c.taps = static_cast<const float*>(taps.pointer());
    const lcsm::Allocate allocate = [&](const char* what, std::size_t bytes) {
      return reinterpret_cast<void*>(memory.allocate(what, bytes));
    };
    const auto run = [&](const std::vector<FftConvStep>& steps) {
      for (const FftConvStep& step : steps)
        if (const auto* const fft = std::get_if<FftCall>(&step))
          plans.run(*fft, nullptr, allocate);
        else
          counts_[std::get<lcsm::KernelCall>(step).kernel] =
              judge(program, memory, {std::get<lcsm::KernelCall>(step)}, 2);
    };
    run(fft_conv_forward_steps(work, allocate));
    EXPECT_EQ(fake.transforms, 2 * fake.plans) << "each once, and once more when it was made";
    work.d_y = d_y.pointer(), work.d_x = d_x.pointer();
    c.d_taps = static_cast<float*>(d_taps.pointer());
    run(fft_conv_backward_steps(work, allocate));
    expect("y", difference(y.get(), y_), s);
    expect("d_x", difference(d_x.get(), d_x_), s);
    expect("d_taps", difference(d_taps.get(), d_taps_), s);
  }
  static void expect(const char* name, double off, const FftConvCallsShape& s) {
    EXPECT_LE(off, s.bfloat16 ? kBfloat : kFftConvCallsFloat)
        << name << ", T = " << s.T << ", K = " << s.K;
    if (std::getenv("LCSM_FUZZ"))
      std::cout << name << ", T = " << s.T << ", K = " << s.K << ": " << off << "\n";
  }

  FftConvCallsValues x_, d_y_, taps_, y_, d_x_, d_taps_;
  std::vector<unsigned char> padding_;
  std::map<std::string, ptx::Counts> counts_;
};

class ConvOfLength : public FftConvOnGpu, public testing::WithParamInterface<int> {};

}  // namespace

TEST_P(ConvOfLength, IsRight) { check({.T = GetParam(), .K = GetParam(), .padding = true}); }
TEST_P(ConvOfLength, IsRightInBothDirections) {
  check({.T = GetParam(), .K = GetParam(), .directions = 2, .lag = 1});
}
INSTANTIATE_TEST_SUITE_P(FftConv, ConvOfLength, testing::Values(1, 2, 63, 64, 65, 200, 1000));

TEST_F(FftConvOnGpu, IsRightForShortKernels) {
  check({.T = 70, .K = 5, .directions = 2, .padding = true});
}
TEST_F(FftConvOnGpu, IsRightForKernelsLongerThanSequences) {
  check({.T = 20, .K = 50, .directions = 2, .lag = 1});
}
TEST_F(FftConvOnGpu, IsRightForManyChannelsInBfloat16) {
  check({.T = 40, .K = 40, .D = 67, .directions = 2, .lag = 1, .bfloat16 = true});
}

TEST_F(FftConvOnGpu, MovesNoMoreThanItsRows) {
  check({.T = 96, .K = 96, .B = 2, .D = 64});
  const double rows = 4.0 * 2 * 64 * 192, x = 4.0 * 2 * 64 * 96, channels = rows / 2;
  const std::map<std::string, double> least{
      {"fft_conv_pack_float32", x + rows},
      {"fft_conv_unpack_float32", 2 * x},
      {"fft_conv_multiply_forward", 2 * rows + channels},
      {"fft_conv_multiply_backward", 3 * rows + 2 * channels}};
  for (const auto& [kernel, bytes] : least) {
    const ptx::Counts& counts = counts_.at(kernel);
    const double moved =
        32.0 * static_cast<double>(counts.global_read.used + counts.global_write.used);
    EXPECT_LE(moved, 1.3 * bytes) << kernel;
    EXPECT_LE(static_cast<double>(counts.shared.used),
              1.1 * static_cast<double>(counts.shared.ideal))
        << kernel;
    if (std::getenv("LCSM_FUZZ")) std::cout << kernel << " " << moved / bytes << " of the bytes\n";
  }
}

TEST(FftConvCalls, ChooseTheNextFriendlyNumberOfPoints) {
  FftConvCuda conv{};
  conv.directions = 1;
  for (const auto& [length, points] :
       {std::pair{1, 8}, {4, 8}, {5, 16}, {10, 24}, {64, 128}, {65, 160}, {4096, 8192}}) {
    conv.T = conv.K = length;
    EXPECT_EQ(fft_conv_points(conv), points) << length;
  }
}

// 64 x 2048 rows of 16384 points and 8 more.
TEST(FftConvCalls, TransformFewerThanTwoToThe31NumbersAtATime) {
  FftConvWork work;
  work.conv.B = 64, work.conv.T = work.conv.K = 8192, work.conv.D = 2048, work.conv.directions = 1;
  float* const memory = reinterpret_cast<float*>(std::uintptr_t{1} << 20);
  int rows = 0;
  for (const FftConvStep& step :
       fft_conv_forward_steps(work, [&](const char*, std::size_t) { return memory; })) {
    const auto* const fft = std::get_if<FftCall>(&step);
    if (fft == nullptr || fft->inverse || fft->rows == 2048) continue;
    EXPECT_LT(std::int64_t{fft->rows} * fft->stride, std::int64_t{1} << 31);
    EXPECT_EQ(fft->data, memory + std::int64_t{rows} * fft->stride);
    rows += fft->rows;
  }
  EXPECT_EQ(rows, 64 * 2048);
}

TEST(FftConvCalls, CompileAtRunTime) {
  if (!lcsm::nvrtc_missing().empty()) GTEST_SKIP() << lcsm::nvrtc_missing();
  const lcsm::NvrtcResult compiled = lcsm::compile_cuda(fft_conv_source());
  EXPECT_NE(compiled.code.find(".entry fft_conv_unpack_bfloat16"), std::string::npos)
      << compiled.log;
}

}  // namespace ets::test
