// The machines on a real GPU: every row, values and gradients, against the CPU's in float64. Covers
// what a fake driver cannot: compiled code, memory timing, LibTorch's operations.
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/randn.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "lcsm/layer/open_gpu.h"
#include "lcsm/machines/modes_op.h"
#include "lcsm/machines/wkv.h"
#include "tests/lcsm/layer/layer_cases.h"
#include "tests/lcsm/layer/machine_cases.h"

namespace lcsm {
namespace {

const at::Device kGpu(at::kCUDA, 0);

class MachinesOnDevice : public testing::Test {
 protected:
  void SetUp() override {
    try {
      if (!gpu_) gpu_ = open_gpu(open_cuda(), testing::TempDir() + "/lcsm-kernels");
    } catch (const std::runtime_error& missing) {
      GTEST_SKIP() << missing.what();
    }
  }

  // Float32: rounding of states and sums, which grows with the steps.
  void expect_right(const std::string& code, const CaseShape& shape, const Sizes& sizes = {5, 3},
                    at::ScalarType type = at::kFloat) {
    const double tolerance = type == at::kBFloat16 ? 2e-2 : shape.T > 100'000 ? 3e-4 : 3e-5;
    const Variant v = small_variant(code, sizes);
    SCOPED_TRACE(code + " B=" + std::to_string(shape.B) + " T=" + std::to_string(shape.T) +
                 " k=" + std::to_string(sizes.k) + " d=" + std::to_string(sizes.d) + " " +
                 at::toString(type));
    const RecurrenceInputs in = random_inputs(v, shape, 3, type);
    const auto expected = everything(v, moved(in, at::kDouble), Backend::kMachine);
    const RecurrenceInputs there = moved(in, at::TensorOptions(type).device(kGpu));
    const auto got = everything(v, there, gpu_);
    expect_near(got, expected, tolerance);
    for (const auto& [name, tensor] : everything(v, there, gpu_))
      EXPECT_TRUE(tensor.equal(got.at(name))) << name << " has other bits the second time";
  }

  static std::shared_ptr<Gpu> gpu_;
};
std::shared_ptr<Gpu> MachinesOnDevice::gpu_;

// Runs every kGroups-th row: kernels of several tests are compiled in parallel.
constexpr int kGroups = 8;
class RowsOnDevice : public MachinesOnDevice, public testing::WithParamInterface<int> {
 protected:
  static std::vector<std::string> codes() {
    const std::vector<std::string> all = row_codes();
    std::vector<std::string> own;
    for (auto n = static_cast<std::size_t>(GetParam()); n < all.size(); n += kGroups)
      own.push_back(all[n]);
    return own;
  }
};
INSTANTIATE_TEST_SUITE_P(Group, RowsOnDevice, testing::Range(0, kGroups));

}  // namespace

TEST_P(RowsOnDevice, AreComputed) {
  for (const std::string& code : codes())
    for (const std::int64_t T : {1, 2, 63, 64, 65, 200})
      expect_right(code, {.B = 2, .T = T, .continues = T % 2 == 1});
}

TEST_P(RowsOnDevice, AreComputedInBfloat16) {
  for (const std::string& code : codes())
    expect_right(code, {.B = 2, .T = 65}, {5, 3}, at::kBFloat16);
}

TEST_F(MachinesOnDevice, ComputeEverySize) {
  for (const char* code : {"1-1-1-4", "1-9-1-0", "1-10-1-0", "fwp", "1-ces-1-0"})
    for (const auto& [k, d] :
         {std::pair{16, 16}, {32, 64}, {64, 64}, {64, 20}, {128, 128}, {33, 130}})
      for (const at::ScalarType type : {at::kFloat, at::kBFloat16})
        expect_right(code, {.B = 3, .T = 200}, {d, k}, type);
}

// Time is split among blocks, and there are more blocks than fit at once.
TEST_F(MachinesOnDevice, ComputeFewAndManySequences) {
  for (const char* code : {"1-1-1-4", "1-9-1-0", "0-ces-0-0"}) {
    expect_right(code, {.B = 1, .T = 5000}, {64, 16});
    expect_right(code, {.B = 700, .T = 70}, {32, 16});
  }
}

// Phases of 10^6 steps; sums of as many.
TEST_F(MachinesOnDevice, ComputeAMillionSteps) {
  for (const char* code : {"0-ces-0-0", "0-ema-0-0", "1-10-1-0"})
    expect_right(code, {.B = 1, .T = 1'000'000}, {8, 4});
}

TEST_F(MachinesOnDevice, SumModesInBothDirections) {
  const auto draw = [](at::IntArrayRef shape) {
    return at::randn(shape, at::make_generator<at::CPUGeneratorImpl>(7), at::kDouble);
  };
  const auto all = [&](const at::TensorOptions& data, const GpuOrCpu& gpu) {
    const at::TensorOptions exact = data.dtype(at::kDouble);
    at::Tensor x = draw({2, 150, 5}).to(data).requires_grad_();
    std::vector<Direction> directions(2);
    std::vector<at::Tensor> learned{x};
    for (Direction& each : directions) {
      each.back = &each == &directions[1];
      each.late = each.back;
      each.q = (draw({3, 5}).sigmoid() * 0.9).to(exact).requires_grad_();
      each.c = draw({3, 5}).to(exact).requires_grad_();
      learned.push_back(each.q);
      learned.push_back(each.c);
    }
    const at::Tensor y = modes_machine(x, directions, gpu)[0];
    (y * draw({2, 150, 5}).to(data)).sum().backward();
    std::map<std::string, at::Tensor> named{{"y", y.detach().cpu().to(at::kDouble)}};
    for (std::size_t n = 0; n < learned.size(); ++n)
      named["d " + std::to_string(n)] = learned[n].grad().cpu().to(at::kDouble);
    return named;
  };
  expect_near(all(at::TensorOptions(at::kFloat).device(kGpu), gpu_), all(at::kDouble, nullptr),
              3e-5);
}

// Time is split, and is not.
TEST_F(MachinesOnDevice, WeighMeans) {
  const auto all = [&](std::int64_t T, const at::TensorOptions& data, const GpuOrCpu& gpu) {
    const at::Generator random = at::make_generator<at::CPUGeneratorImpl>(7);
    const auto draw = [&](at::IntArrayRef shape) { return at::randn(shape, random, at::kDouble); };
    WkvInputs in{draw({3, T, 33}), draw({3, T, 33}), at::exp(draw({33})) / 30, draw({33}), {}, {}};
    std::vector<at::Tensor> learned;
    for (at::Tensor* x : {&in.k, &in.v, &in.w, &in.u})
      learned.push_back(*x = x->to(data).requires_grad_());
    const WkvResult result = wkv(in, gpu);
    ((result.y * draw({3, T, 33}).to(data)).sum() + result.log_sum.sin().sum()).backward();
    std::map<std::string, at::Tensor> named{{"y", result.y.detach().cpu().to(at::kDouble)}};
    for (std::size_t n = 0; n < learned.size(); ++n)
      named["d " + std::to_string(n)] = learned[n].grad().cpu().to(at::kDouble);
    return named;
  };
  for (const std::int64_t T : {1, 65, 5000})
    expect_near(all(T, at::TensorOptions(at::kFloat).device(kGpu), gpu_),
                all(T, at::kDouble, nullptr), 3e-5);
}

}  // namespace lcsm
