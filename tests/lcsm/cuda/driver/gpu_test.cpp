#include "lcsm/cuda/driver/gpu.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <numeric>

#include "lcsm/cuda/driver/read_back.h"
#include "tests/lcsm/cuda/driver/fake_gpu.h"
#include "tests/message_of.h"

namespace lcsm::test {
namespace {

// The parameters as the kernel below declares them.
struct Twice {
  const float* from;
  float* to;
  int count;
};
constexpr int kThreads = 32;

CudaSource source() {
  return {.text =
              "struct Twice { const float* from; float* to; int count; };\n"
              "extern \"C\" __global__ void twice(Twice a) {\n"
              "  const int n = blockIdx.x * blockDim.x + threadIdx.x;\n"
              "  if (n < a.count) a.to[n] = 2 * a.from[n];\n"
              "}\n"
              "extern \"C\" __global__ void __launch_bounds__(32) bounded(Twice a) {}\n"
              "extern \"C\" __global__ void turned(Twice a) {\n"
              "  extern __shared__ float space[];\n"
              "  space[threadIdx.x] = a.from[threadIdx.x];\n"
              "  __syncthreads();\n"
              "  a.to[threadIdx.x] = space[blockDim.x - 1 - threadIdx.x];\n"
              "}\n"
              "extern \"C\" __global__ void moved(Twice a) {\n"
              "  extern __shared__ float space[];\n"
              "  __shared__ float one;\n"
              "  if (threadIdx.x == 0) one = a.from[0];\n"
              "  space[threadIdx.x] = a.from[threadIdx.x];\n"
              "  __syncthreads();\n"
              "  a.to[threadIdx.x] = space[blockDim.x - 1 - threadIdx.x] - one;\n"
              "}\n",
          .name = "twice.cu"};
}

class OnAFakeGpu : public testing::Test {
 protected:
  void SetUp() override {
    if (!nvrtc_missing().empty()) GTEST_SKIP() << nvrtc_missing();
    for (auto* each : {&from_, &to_, &last_}) fake_.own(each->data(), sizeof *each, "numbers");
    std::iota(from_.begin(), from_.end(), 1.0f);
  }

  static constexpr int kCount = 70;
  using Numbers = std::array<float, kCount>;

  static KernelCall call(const Numbers& from, Numbers* to, unsigned blocks = 3) {
    const Twice twice{from.data(), to->data(), kCount};
    KernelCall call{"twice", {blocks, 1, 1}, {kThreads, 1, 1}, 0, {}};
    call.argument.resize(sizeof twice);
    std::memcpy(call.argument.data(), &twice, sizeof twice);
    return call;
  }
  std::string error_of(Gpu& gpu, const KernelCall& wanted) {
    return message_of<CudaError>([&] { gpu.run(source(), "twice", {wanted}); });
  }
  bool found(const std::string& text) { return fake_.findings().find(text) != std::string::npos; }

  FakeGpu fake_;
  Numbers from_, to_, last_;
};

}  // namespace

TEST_F(OnAFakeGpu, TellsSourcesOfOneNameApart) {
  const auto gpu = fake_.gpu();
  CudaSource thrice = source();
  thrice.text.replace(thrice.text.find("2 * a"), 1, "3");
  gpu->run(source(), "twice", {call(from_, &to_)});
  gpu->run(thrice, "thrice", {call(from_, &last_)});
  for (std::size_t n = 0; n < kCount; ++n) EXPECT_EQ(2 * last_[n], 3 * to_[n]);
}

TEST_F(OnAFakeGpu, RunsCallsOneAfterTheOther) {
  fake_.gpu()->run(source(), "twice", {call(from_, &to_), call(to_, &last_)});
  for (std::size_t n = 0; n < kCount; ++n) EXPECT_EQ(last_[n], 4 * from_[n]);
  EXPECT_EQ(fake_.findings(), "");
  EXPECT_EQ(fake_.launches(), 2);
}

TEST_F(OnAFakeGpu, FindsAGridThatIsTooSmall) {
  fake_.gpu()->run(source(), "twice", {call(from_, &to_, 2)});
  EXPECT_TRUE(found("not whole: twice left 6 of 70 numbers of numbers unwritten"))
      << fake_.findings();
}

// Half of a float64 may have the bits of poison.
TEST_F(OnAFakeGpu, TakesWhatAKernelWroteForWritten) {
  CudaSource ones = source();
  const std::string twice = "2 * a.from[n]";
  ones.text.replace(ones.text.find(twice), twice.size(), "__int_as_float(-1)");
  fake_.gpu()->run(ones, "twice", {call(from_, &to_)});
  EXPECT_EQ(fake_.findings(), "");
  fake_.gpu()->run(source(), "twice", {call(to_, &last_)});
  EXPECT_EQ(fake_.findings(), "");
}

TEST_F(OnAFakeGpu, FindsMemoryThatIsTooSmall) {
  fake_.disown(to_.data());
  fake_.own(to_.data(), sizeof to_ - 4, "space");
  fake_.gpu()->run(source(), "twice", {call(from_, &to_)});
  EXPECT_TRUE(found("out of bounds: twice")) << fake_.findings();
}

TEST_F(OnAFakeGpu, FindsMemoryThatWasFreedOrNeverWritten) {
  fake_.gpu()->run(source(), "twice", {call(last_, &to_)});
  EXPECT_TRUE(found("unwritten: twice")) << fake_.findings();
  fake_.disown(from_.data());
  fake_.gpu()->run(source(), "twice", {call(from_, &to_)});
  EXPECT_TRUE(found("an address of no allocation")) << fake_.findings();
}

TEST_F(OnAFakeGpu, RefusesLaunchesAsADriverDoes) {
  const auto gpu = fake_.gpu();
  KernelCall wrong = call(from_, &to_);
  wrong.argument.resize(wrong.argument.size() - 8);
  EXPECT_NE(error_of(*gpu, wrong).find("launch twice: CUDA error 1"), std::string::npos);
  KernelCall large = call(from_, &to_);
  large.kernel = "bounded";
  large.block[0] = 2 * kThreads;
  EXPECT_NE(error_of(*gpu, large).find("launch bounded: CUDA error 1"), std::string::npos);
  wrong.kernel = "thrice";
  EXPECT_NE(error_of(*gpu, wrong).find("find thrice: CUDA error 500"), std::string::npos);
}

// A driver refuses a grid without blocks.
TEST_F(OnAFakeGpu, LeavesOutACallWithoutBlocks) {
  fake_.gpu()->run(source(), "twice", {call(from_, &to_, 0), call(from_, &last_)});
  EXPECT_EQ(fake_.launches(), 1);
  EXPECT_EQ(last_[1], 2 * from_[1]);
}

TEST_F(OnAFakeGpu, SaysThatABatchIsTooLarge) {
  KernelCall wide = call(from_, &to_);
  wide.grid = {3, 1, 65536};
  EXPECT_EQ(error_of(*fake_.gpu(), wide),
            "launch twice: expected a grid of at most 65535 blocks along y and z, got 3 x 1 x "
            "65536; choose a smaller batch or shorter sequences");
  EXPECT_EQ(fake_.launches(), 0);
}

TEST_F(OnAFakeGpu, AsksForSharedMemoryBeyondWhatAKernelHas) {
  KernelCall wide = call(from_, &to_, 1);
  wide.kernel = "turned";
  wide.block = {kCount, 1, 1};
  wide.shared_bytes = 100 * 1024;
  fake_.gpu()->run(source(), "turned", {wide});
  EXPECT_EQ(to_[0], from_[kCount - 1]);
  CudaDriver silent = fake_.driver();
  silent.set_attribute = [](CudaHandle, int, int) { return 0; };
  EXPECT_NE(error_of(*fake_.gpu(silent), wide).find("CUDA error 1"), std::string::npos);
}

TEST_F(OnAFakeGpu, SaysThatAGpuHasTooLittleSharedMemory) {
  KernelCall wide = call(from_, &to_, 1);
  wide.kernel = "turned";
  wide.shared_bytes = 228 * 1024;
  EXPECT_EQ(error_of(*fake_.gpu(), wide),
            "turned: expected a GPU that gives a block 233472 bytes of shared memory, got one with "
            "fewer; run it on the CPU");
}

// 48 KiB are for static and dynamic shared memory together.
TEST_F(OnAFakeGpu, AsksForSharedMemoryBesideAKernelsOwn) {
  KernelCall wide = call(from_, &to_, 1);
  wide.kernel = "moved";
  wide.block = {kCount, 1, 1};
  wide.shared_bytes = 48 * 1024;
  EXPECT_NO_THROW(fake_.gpu()->run(source(), "moved", {wide}));
  EXPECT_EQ(to_[0], from_[kCount - 1] - from_[0]);
}

// A kernel whose shared memory depends on the work may need more at a later launch.
TEST_F(OnAFakeGpu, AsksAgainForMoreSharedMemory) {
  KernelCall wide = call(from_, &to_, 1);
  wide.kernel = "turned";
  wide.block = {kCount, 1, 1};
  const auto gpu = fake_.gpu();
  for (const unsigned kib : {10u, 50u, 100u, 20u}) {
    wide.shared_bytes = kib * 1024;
    EXPECT_EQ(error_of(*gpu, wide), "") << kib;
  }
}

TEST_F(OnAFakeGpu, TellsThatMemoryIsOut) {
  CudaDriver full = fake_.driver();
  full.launch = [](auto&&...) { return kCudaOutOfMemory; };
  EXPECT_THROW(fake_.gpu(full)->run(source(), "twice", {call(from_, &to_)}), CudaOutOfMemory);
}

// Another stream writes memory that the main one reads.
TEST_F(OnAFakeGpu, FindsAUseBeforeItsEvent) {
  const CudaDriver driver = fake_.driver();
  const CudaHandle other = fake_.make_stream();
  const auto address = [](Numbers& of) { return reinterpret_cast<std::uintptr_t>(of.data()); };
  const auto gpu = fake_.gpu();
  CudaHandle event = nullptr;
  driver.make_event(&event, kCudaEventWithoutTiming);
  ASSERT_EQ(driver.copy(address(to_), address(from_), sizeof to_, other), 0);
  driver.record(event, other);
  driver.stream_waits(fake_.main_stream(), event, 0);
  gpu->run(source(), "twice", {call(to_, &last_)});
  EXPECT_EQ(fake_.findings(), "");
  ASSERT_EQ(driver.copy(address(to_), address(from_), sizeof to_, other), 0);
  EXPECT_TRUE(found("order: a copy on stream 2 writes numbers, which twice uses on stream 1"))
      << fake_.findings();
  gpu->run(source(), "twice", {call(to_, &last_)});
  EXPECT_TRUE(found("order: twice on stream 1 reads numbers, which a copy uses on stream 2"))
      << fake_.findings();
}

TEST_F(OnAFakeGpu, ReadsNumbersBackWhenTheyAreThere) {
  double numbers[2];
  fake_.own(numbers, sizeof numbers, "results");
  numbers[0] = 3, numbers[1] = 5;
  ReadBack back(fake_.gpu(), 2);
  back.queue(numbers);
  numbers[0] = 4;  // later work
  const double* const got = back.wait();
  EXPECT_EQ(got[0], 3);
  EXPECT_EQ(got[1], 5);
  EXPECT_EQ(fake_.findings(), "");
}

TEST_F(OnAFakeGpu, FindsNumbersThatNobodyWaitedFor) {
  double number = 3;
  fake_.own(&number, sizeof number, "result");
  CudaDriver hasty = fake_.driver();
  hasty.host_waits = [](CudaHandle) { return 0; };
  ReadBack back(fake_.gpu(hasty), 1);
  back.queue(&number);
  EXPECT_TRUE(std::isnan(*back.wait()));
  back.queue(&number);
  EXPECT_TRUE(found("replaces one that nobody has waited for")) << fake_.findings();
}

TEST_F(OnAFakeGpu, ReplaysWhatAGraphCaptured) {
  const auto gpu = fake_.gpu();
  const auto graph = gpu->graph();
  const auto work = [&] { gpu->run(source(), "twice", {call(from_, &to_), call(to_, &last_)}); };
  work();  // loads the kernel
  graph->capture(work);
  EXPECT_EQ(fake_.launches(), 2);
  for (const float start : {1.0f, 5.0f}) {
    std::iota(from_.begin(), from_.end(), start);
    graph->replay();
    EXPECT_EQ(last_[kCount - 1], 4 * from_[kCount - 1]);
  }
  EXPECT_EQ(fake_.launches(), 6);
  EXPECT_EQ(fake_.findings(), "");
}

// A module that is loaded while a stream is captured needs memory of the device.
TEST_F(OnAFakeGpu, LoadsNothingInAGraph) {
  const auto gpu = fake_.gpu();
  const auto graph = gpu->graph();
  graph->capture([&] { gpu->run(source(), "twice", {call(from_, &to_)}); });
  EXPECT_NE(message_of<CudaError>([&] { graph->replay(); }).find("load twice.cu: CUDA error 900"),
            std::string::npos);
}

TEST_F(OnAFakeGpu, WaitsForNothingInAGraph) {
  const auto gpu = fake_.gpu();
  const auto graph = gpu->graph();
  int waited = 0;
  graph->capture([&] { waited = gpu->driver().finish(gpu->stream()); });
  graph->replay();
  EXPECT_NE(waited, 0);
}

TEST(Driver, SaysWhatIsMissing) {
  try {
    open_driver("libno_such_driver.so.1");
    FAIL() << "it was found";
  } catch (const CudaError& error) {
    EXPECT_EQ(std::string(error.what()),
              "the NVIDIA driver (libno_such_driver.so.1) was not found: install driver 580 or "
              "newer, or run on the CPU");
  }
  EXPECT_THROW(open_driver("libc.so.6"), CudaError);
}

// The toolkit's stand-in has every function, and each of them fails.
TEST(Driver, NamesFunctionsThatThereAre) {
  const char* const home = std::getenv("CUDA_HOME");
  const std::string stub =
      std::string(home != nullptr ? home : "/usr/local/cuda") + "/lib64/stubs/libcuda.so";
  if (!std::filesystem::exists(stub)) GTEST_SKIP() << stub << " was not found";
  const CudaDriver driver = open_driver(stub);
  EXPECT_THROW(Gpu(driver, {}), CudaError);
  EXPECT_NE(driver.finish(nullptr), 0);
}

}  // namespace lcsm::test
