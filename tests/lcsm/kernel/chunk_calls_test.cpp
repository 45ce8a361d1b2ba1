// The kernels of the chunked recurrence through the judge, forward and backward, against the
// definition in float64. LCSM_FUZZ=1 tries every size with every decay.
#include "lcsm/kernel/chunk_calls.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/lcsm/kernel/chunk_case.h"

namespace lcsm::test {
namespace {

// Float32: roundings of sums, and of products of two parts each. Bfloat16: that of operands.
constexpr double kFloat = 1e-5, kBfloat = 2e-2;

class ChunkKernels : public testing::Test {
 protected:
  void SetUp() override {
    const auto path =
        std::filesystem::read_symlink("/proc/self/exe").parent_path() / "ptx" / "chunk.ptx";
    if (!std::filesystem::exists(path))
      GTEST_SKIP() << path << " was not found: no CUDA toolkit when this was built";
    std::ifstream file(path);
    ptx_.assign(std::istreambuf_iterator<char>(file), {});
  }
  Judged judged(const ChunkShape& shape, int orders = 1, const ptx::Options& options = {}) {
    const Named inputs = random_chunk(shape, 5);
    Judged got = by_judge(shape, inputs, ptx_, orders, options);
    EXPECT_EQ(got.findings, "") << name_of(shape);
    Named expected = by_definition(shape, inputs);
    if (!shape.backward)
      std::erase_if(expected, [](const auto& row) { return row.first.starts_with("d "); });
    for (const auto& [name, off] : differences(got.values, expected)) {
      EXPECT_LE(off, shape.bfloat16 ? kBfloat : kFloat) << name << ", " << name_of(shape);
      if (std::getenv("LCSM_FUZZ"))
        std::cout << name_of(shape) << ": " << name << " " << off << std::endl;
    }
    return got;
  }
  std::string ptx_;
};

}  // namespace

TEST_F(ChunkKernels, AreRightForEveryLengthAndDecay) {
  for (const int T : {1, 2, 63, 64, 65})
    for (const Decays decays : kAllDecays)
      judged({.T = T, .K = 32, .D = 32, .decays = decays, .first = T % 2 == 1});
}

TEST_F(ChunkKernels, AreRightInEverySize) {
  int n = 0;
  for (const bool bfloat16 : {false, true})
    for (const auto& [K, D] : {std::pair{64, 64}, {16, 16}, {17, 5}, {3, 33}, {65, 40}, {128, 64}})
      judged({.B = 1,
              .T = 70,
              .K = K,
              .D = D,
              .decays = kAllDecays[++n % 5],
              .bfloat16 = bfloat16,
              .first = true});
}

TEST_F(ChunkKernels, DivideChunksWhereDecaysAreStrong) {
  for (const double strength : {1.0, 10.0, 100.0})
    for (const Decays decays : {Decays::kRows, Decays::kChannels, Decays::kBoth})
      judged({.B = 1,
              .T = 70,
              .K = 32,
              .D = 32,
              .decays = decays,
              .strength = strength,
              .first = true});
}

}  // namespace lcsm::test
