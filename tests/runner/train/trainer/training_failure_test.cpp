#include "runner/train/trainer/training_failure.h"

#include <ATen/ops/empty.h>
#include <c10/util/Exception.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <new>
#include <system_error>

#include "lcsm/cuda/driver/driver.h"
#include "lcsm/files/safetensors_error.h"

namespace runner {
namespace {

using results::RunState;

template <class F>
TrainingFailure failure_of(const F& work) {
  try {
    work();
  } catch (...) {
    return current_failure();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

template <class Error>
RunState end_of(const Error& error) {
  return failure_of([&] { throw error; }).end;
}

TEST(TrainingFailure, IsClassified) {
  EXPECT_EQ(end_of(RunFailure(RunState::kDiverged, "")), RunState::kDiverged);
  EXPECT_EQ(end_of(std::bad_alloc()), RunState::kOutOfMemory);
  EXPECT_EQ(end_of(lcsm::SafeTensorsError("")), RunState::kNoRoom);
  EXPECT_EQ(end_of(lcsm::CudaOutOfMemory("")), RunState::kOutOfMemory);
  EXPECT_EQ(end_of(lcsm::CudaError("")), RunState::kInternal);
  for (const int error : {ENOSPC, EDQUOT, EIO, EFBIG, EROFS})
    EXPECT_EQ(end_of(std::system_error(error, std::generic_category())), RunState::kNoRoom);
  EXPECT_EQ(end_of(std::system_error(EACCES, std::generic_category())), RunState::kInternal);
  EXPECT_EQ(end_of(std::logic_error("")), RunState::kInternal);
}

// More than any host has, requested from LibTorch.
TEST(TrainingFailure, RecognizesLibTorchsOutOfMemoryMessage) {
  const TrainingFailure failure = failure_of([] { at::empty({std::int64_t{1} << 58}, at::kByte); });
  EXPECT_EQ(failure.end, RunState::kOutOfMemory) << failure.message;
  EXPECT_EQ(failure.message.find('\n'), std::string::npos);
}

TEST(TrainingFailure, TakesTheFirstLineOfLibTorchsErrors) {
  const TrainingFailure failure = failure_of([] { at::empty({-1}); });
  EXPECT_EQ(failure.end, RunState::kInternal);
  EXPECT_FALSE(failure.message.empty());
  EXPECT_EQ(failure.message.find('\n'), std::string::npos);
}

}  // namespace
}  // namespace runner
