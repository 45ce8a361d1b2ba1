// Plans of cuFFT; fft_conv_calls_test transforms with them.
#include "ets/cuda/cufft.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "tests/ets/cuda/fake_cufft.h"

namespace ets::test {
namespace {

class Plans : public testing::Test {
 protected:
  FftCall call(int rows) {
    return {16, 24, rows, false, static_cast<float*>(allocate_("rows", 4u * 24u * 4u))};
  }
  ptx::Memory memory_;
  FakeCufft fake_{memory_};
  const lcsm::Allocate allocate_ = [this](const char* what, std::size_t bytes) {
    return reinterpret_cast<void*>(memory_.allocate(what, bytes));
  };
};

}  // namespace

TEST_F(Plans, AreMadeOnceForEachSize) {
  {
    CufftPlans plans(fake_.functions());
    for (const int rows : {2, 3, 2, 3, 2}) plans.run(call(rows), nullptr, allocate_);
    EXPECT_EQ(fake_.plans, 2);
    EXPECT_EQ(fake_.transforms, 5 + 2);
  }
  EXPECT_EQ(fake_.destroyed, 2);
}

TEST_F(Plans, NameWhatFailed) {
  Cufft functions = fake_.functions();
  functions.to_complex = [](int, float*, void*) { return 6; };
  CufftPlans plans(functions);
  try {
    plans.run(call(3), nullptr, allocate_);
    FAIL() << "transformed";
  } catch (const lcsm::CudaError& error) {
    EXPECT_STREQ(error.what(), "transform 3 rows of 16 points: cuFFT error 6");
  }
}

TEST_F(Plans, KnowWhenMemoryIsOut) {
  Cufft functions = fake_.functions();
  functions.make = [](int, int, int*, int*, int, int, int*, int, int, int, int, std::size_t*) {
    return 2;
  };
  CufftPlans plans(functions);
  EXPECT_THROW(plans.run(call(3), nullptr, allocate_), lcsm::CudaOutOfMemory);
}

TEST(CufftLibrary, HasEveryFunction) {
  const char* const home = std::getenv("CUDA_HOME");
  const std::string library =
      std::string(home != nullptr ? home : "/usr/local/cuda") + "/lib64/libcufft.so";
  if (!std::filesystem::exists(library)) GTEST_SKIP() << library << " was not found";
  EXPECT_NO_THROW(open_cufft(library));
}
TEST(CufftLibrary, IsAskedForByName) { EXPECT_THROW(open_cufft("libcufft.so.0"), lcsm::CudaError); }

}  // namespace ets::test
