// Dropout's kernels through the judge: bit by bit what philox.h defines.
#include "lcsm/cuda/step/dropout_calls.h"

#include <gtest/gtest.h>

#include "lcsm/base/philox.h"
#include "tests/lcsm/cuda/driver/judged_device.h"

namespace lcsm::test {
namespace {

struct DropoutCase {
  long long count = 100, step = 7;
  bool bfloat16 = false;
  int offset = 0;  // of x and out, in elements
};

constexpr unsigned kCall = 5 | 3 << 8, kBelow = 20000;
constexpr float kScale = 65536.0f / (65536 - kBelow);

Numbers inputs_of(const DropoutCase& c) {
  Numbers x;
  for (long long n = 0; n < c.count + c.offset; ++n)
    x.push_back(rounded(static_cast<float>(0.37 * static_cast<double>(n % 101) - 11), c.bfloat16));
  return x;
}

Numbers by_definition(const DropoutCase& c) {
  Numbers out = inputs_of(c);
  for (long long n = 0; n < c.count; ++n) {
    const auto words = philox({static_cast<unsigned>(n / 8), kCall, static_cast<unsigned>(c.step),
                               static_cast<unsigned>(c.step >> 32)},
                              {11, 12});
    const unsigned level = words[n % 8 / 2] >> (n % 2 * 16) & 0xffff;
    double& x = out[static_cast<std::size_t>(n + c.offset)];
    x = level < kBelow ? 0 : rounded(static_cast<float>(x) * kScale, c.bfloat16);
  }
  return out;
}

class DropoutKernels : public testing::Test {
 protected:
  void SetUp() override {
    kernels_ = built_kernels("dropout");
    if (kernels_ == nullptr) GTEST_SKIP() << "no CUDA toolkit when this was built";
  }

  ptx::Counts expect_right(const DropoutCase& c) {
    JudgedDevice device(*kernels_, /*orders=*/2, {});
    const std::size_t size = c.bfloat16 ? 2 : 4, offset = size * static_cast<std::size_t>(c.offset);
    const auto at = [&](void* base) { return static_cast<char*>(base) + offset; };
    DropoutCuda dropout{};
    dropout.x = at(device.put("x", inputs_of(c), c.bfloat16));
    void* const out = device.result("out", inputs_of(c).size(), c.bfloat16);
    dropout.out = at(out);
    dropout.count = c.count;
    dropout.step = static_cast<const long long*>(device.put("step", c.step));
    dropout.key[0] = 11, dropout.key[1] = 12;
    dropout.call = kCall, dropout.below = kBelow, dropout.scale = kScale;
    device.run({dropout_call(dropout, c.bfloat16)});
    const Judged judged = device.judged();
    EXPECT_EQ(judged.findings, "");
    const Numbers expected = by_definition(c);
    for (std::size_t n = static_cast<std::size_t>(c.offset); n < expected.size(); ++n)
      EXPECT_EQ(judged.values.at("out")[n], expected[n]) << n << " of " << c.count;
    return judged.counts.begin()->second;
  }

  const Kernels* kernels_ = nullptr;
};

}  // namespace

TEST_F(DropoutKernels, HaveTheBitsOfTheDefinition) {
  for (const bool bfloat16 : {false, true})
    for (const long long count : {1LL, 7LL, 8LL, 9LL, 255LL, 256LL, 2305LL})
      expect_right({.count = count, .bfloat16 = bfloat16});
  expect_right({.step = 0});
  expect_right({.step = 123456789012345});
}

TEST_F(DropoutKernels, TakeTensorsThatBeginAnywhere) {
  for (const bool bfloat16 : {false, true})
    expect_right({.count = 300, .bfloat16 = bfloat16, .offset = 1});
}

TEST_F(DropoutKernels, ReadAndWriteOnce) {
  for (const bool bfloat16 : {false, true}) {
    const ptx::Counts counts = expect_right({.count = 4096, .bfloat16 = bfloat16});
    const double bytes = 4096 * (bfloat16 ? 2 : 4);
    EXPECT_LE(32.0 * static_cast<double>(counts.global_read.used), 1.1 * bytes);
    EXPECT_LE(32.0 * static_cast<double>(counts.global_write.used), 1.1 * bytes);
  }
}

}  // namespace lcsm::test
