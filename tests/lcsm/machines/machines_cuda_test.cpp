// The GPU's machines, behind a fake driver, against the CPU's in float64.
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/count_nonzero.h>
#include <ATen/ops/isfinite.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "lcsm/cuda/scan/scan_cuda.h"
#include "lcsm/machines/modes_op.h"
#include "tests/lcsm/layer/fake_tensors.h"
#include "tests/lcsm/layer/layer_cases.h"
#include "tests/lcsm/layer/machine_cases.h"

namespace lcsm::test {
namespace {

// One of each machine.
constexpr const char* kMachineCodes[] = {"1-1-1-4",   "1-9-1-0",   "1-10-1-0", "0-0-0-0",
                                         "0-ces-0-0", "1-lru-1-0", "fwp"};

class MachinesOnAGpu : public testing::Test {
 protected:
  void SetUp() override {
    if (!nvrtc_missing().empty()) GTEST_SKIP() << nvrtc_missing();
  }

  // Float32: rounding of states and sums. Bfloat16: rounding of the inputs and outputs of products.
  void expect_right(const std::string& code, const CaseShape& shape,
                    at::ScalarType type = at::kFloat) {
    expect_right(code, random_inputs(small_variant(code), shape, 3, type));
  }
  void expect_right(const std::string& code, const RecurrenceInputs& in,
                    const Sizes& sizes = {5, 3}, const std::string& kernel = "") {
    SCOPED_TRACE(code);
    const Variant v = small_variant(code, sizes);
    const at::ScalarType type = in.i.scalar_type();
    const auto expected = everything(v, moved(in, at::kDouble), Backend::kMachine);
    const int before = fake_.launches();
    std::string kernels;
    CudaDriver driver = fake_.driver();
    driver.find_function = [&, find = driver.find_function](CudaHandle* function, CudaHandle module,
                                                            const char* name) {
      kernels += name;
      return find(function, module, name);
    };
    expect_near(everything(v, in, fake_.gpu(driver)), expected, type == at::kFloat ? 1e-5 : 2e-2);
    EXPECT_GE(fake_.launches(), before + 2);
    EXPECT_EQ(kernels.find("_bfloat16") != kernels.npos, type == at::kBFloat16) << kernels;
    EXPECT_NE(kernels.find(kernel), kernels.npos) << kernels;
    EXPECT_EQ(fake_.findings(), "");
  }

  // The findings when the scan runs on another driver.
  std::string found_with(const CudaDriver& driver) {
    const Variant v = small_variant("1-9-1-0");
    const RecurrenceInputs in = random_inputs(v, {.B = 2, .T = 130}, 3, at::kFloat);
    everything(v, in, fake_.gpu(driver));
    return fake_.findings();
  }

  FakeGpu fake_;
  const FakeTensors tensors_{&fake_};
};

}  // namespace

TEST_F(MachinesOnAGpu, ScanDataAndStaticGates) {
  for (const char* code : {"1-9-1-0", "0-1-0-0", "ssm"}) {
    expect_right(code, {.B = 2, .T = 9});
    expect_right(code, {.B = 1, .T = 70, .continues = true});
  }
}

// Gates over channels, over steps and over both, a running softmax, a scale, and none; static
// stages and those from the data.
TEST_F(MachinesOnAGpu, ScanTheChannelsOfOneRow) {
  const auto expect = [&](const char* code, const CaseShape& shape, const Sizes& sizes) {
    for (const at::ScalarType type : {at::kFloat, at::kBFloat16})
      expect_right(code, random_inputs(small_variant(code, sizes), shape, 3, type), sizes,
                   "_channels_");
  };
  for (const char* code :
       {"0-2-0-0", "0-7-1-0", "1-9-1-0", "1-3-0-0", "0-0-1-0", "0-2-0-0@tau=500", "ssm"})
    expect(code, {.B = 2, .T = 300}, {.d = 6, .k = 1});
  // 1 - o of a running softmax is off by as many roundings as there are steps.
  for (const char* code : {"0-2-0-0", "1-9-1-0", "0-12-1-2", "0-12-0-0"})
    expect(code, {.B = 2, .T = 20, .continues = true}, {.d = 5, .k = 1});
}

// Real and complex modes; a scale, a memory read by weights.
TEST_F(MachinesOnAGpu, SumModes) {
  for (const char* code : {"0-0-0-0", "0-ces-0-0", "0-ema-0-0", "0-11-0-0", "0-s4d-0-0"}) {
    expect_right(code, {.B = 2, .T = 9, .continues = true});
    expect_right(code, {.B = 1, .T = 140});
  }
}

// Memories that are complex, or real and read by weights; static stages, gates and weights, and
// those from the data.
TEST_F(MachinesOnAGpu, ScanComplexMemories) {
  for (const char* code : {"1-ces-1-0", "1-ema-1-0", "0-11-1-0"}) {
    expect_right(code, {.B = 2, .T = 9});
    expect_right(code, {.B = 1, .T = 70, .continues = true});
  }
  for (const char* code : {"1-ces-0-0", "1-s4d-1-0", "1-lru-1-0"})
    expect_right(code, {.B = 1, .T = 65, .continues = true});
}

// Without decay, rounding the angles alone would be off by 3e-8 per step.
TEST_F(MachinesOnAGpu, KeepThePhasesOfStaticAngles) {
  const at::NoGradGuard raw;
  const Variant v = small_variant("0-11-1-0");
  const RecurrenceInputs in = random_inputs(v, {.B = 1, .T = 10000}, 3, at::kFloat);
  const at::Tensor expected = Recurrence(v)(moved(in, at::kDouble)).y;
  expect_near({{"y", Recurrence(v)(in, fake_.gpu()).y.to(at::kDouble)}}, {{"y", expected}}, 2e-5);
  EXPECT_EQ(fake_.findings(), "");
}

// Cases that neither a recurrence nor a family of one direction has.
TEST_F(MachinesOnAGpu, SumModesInBothDirections) {
  const auto draw = [](at::IntArrayRef shape, at::ScalarType type) {
    return at::randn(shape, at::make_generator<at::CPUGeneratorImpl>(7), at::kFloat).to(type);
  };
  const auto all = [&](at::ScalarType type, const GpuOrCpu& gpu) {
    at::Tensor x = draw({2, 150, 5}, type).requires_grad_();
    std::vector<Direction> directions(2);
    std::vector<at::Tensor> learned{x};
    for (Direction& each : directions) {
      each.back = &each == &directions[1];
      each.late = each.back;
      each.q = (draw({3, 5}, at::kDouble).sigmoid() * 0.9).requires_grad_();
      each.c = draw({3, 5}, at::kDouble).requires_grad_();
      learned.push_back(each.q);
      learned.push_back(each.c);
    }
    const Tensors out = modes_machine(x, directions, gpu);
    (out[0] * draw({2, 150, 5}, type)).sum().backward();
    std::map<std::string, at::Tensor> named{{"y", out[0].detach().to(at::kDouble)}};
    for (std::size_t n = 0; n < learned.size(); ++n)
      named["d " + std::to_string(n)] = learned[n].grad().to(at::kDouble);
    return named;
  };
  expect_near(all(at::kFloat, fake_.gpu()), all(at::kDouble, nullptr), 1e-5);
  EXPECT_EQ(fake_.findings(), "");
}

// Decays over k, d, both and neither, learned and fixed; a scale; rotations; running softmaxes.
TEST_F(MachinesOnAGpu, ComputeInChunks) {
  for (const char* code : {"1-1-1-4", "1-2-1-0", "1-4-1-0@o=fixed", "1-10-1-0", "1-11-1-0", "m3"})
    expect_right(code, {.B = 2, .T = 9, .continues = true});
  expect_right("1-1-1-4", {.B = 1, .T = 70});
  for (const bool continues : {false, true})
    expect_right("1-12-1-0", {.B = 2, .T = 9, .continues = continues});
}

// Covers the rule with a scale and without, a random formula, and a decay per step.
TEST_F(MachinesOnAGpu, ComputeTheDeltaRule) {
  for (const char* code : {"fwp", "m1", "m2"}) {
    expect_right(code, {.B = 2, .T = 9, .continues = true});
    expect_right(code, {.B = 1, .T = 70});
  }
  for (const at::ScalarType type : {at::kFloat, at::kBFloat16}) {
    RecurrenceInputs in =
        random_inputs(small_variant("fwp"), {.B = 2, .T = 20, .continues = true}, 3, type);
    in.log_decay =
        -at::randn({2, 20}, at::make_generator<at::CPUGeneratorImpl>(7), at::kFloat).abs().to(type);
    expect_right("fwp", in);
  }
}

// One code per machine; static gates and matrices stay in float32.
TEST_F(MachinesOnAGpu, ComputeInBfloat16) {
  for (const char* code :
       {"1-1-1-4", "1-9-1-0", "0-1-0-0", "1-10-1-0", "1-12-1-0", "0-ces-0-0", "1-lru-1-0", "fwp"})
    expect_right(code, {.B = 2, .T = 20, .continues = true}, at::kBFloat16);
  // Gates near 1 over many steps.
  for (const char* code : {"0-12-1-2", "0-2-0-0@tau=500"})
    expect_right(code, {.B = 1, .T = 300}, at::kBFloat16);
}

// Inputs may be views that begin anywhere, such as a state within a larger tensor.
TEST_F(MachinesOnAGpu, ComputeFromViewsThatBeginAnywhere) {
  for (const at::ScalarType type : {at::kFloat, at::kBFloat16})
    for (const char* code : kMachineCodes) {
      const Sizes sizes{.d = 6, .k = 8};
      const Variant v = small_variant(code, sizes);
      const RecurrenceInputs in = random_inputs(v, {.B = 2, .T = 20, .continues = true}, 3, type);
      expect_right(code, at_odd_places(in), sizes);
    }
}

// An empty batch gives empty outputs, and gradients of 0 for static inputs.
TEST_F(MachinesOnAGpu, ComputeEmptyBatches) {
  for (const at::ScalarType type : {at::kFloat, at::kBFloat16})
    for (const char* code : kMachineCodes) {
      SCOPED_TRACE(code);
      const Variant v = small_variant(code, {.d = 6, .k = 8});
      const RecurrenceInputs in = random_inputs(v, {.B = 0, .T = 20, .continues = true}, 3, type);
      for (const auto& [name, tensor] : everything(v, in, fake_.gpu()))
        EXPECT_EQ(at::count_nonzero(tensor).item<std::int64_t>(), 0) << name;
    }
  EXPECT_EQ(fake_.findings(), "");
}

// Layers of one model may differ in size, so in their kernels.
TEST_F(MachinesOnAGpu, ComputeSeveralSizesOnOneGpu) {
  const at::NoGradGuard raw;
  const GpuOrCpu gpu = fake_.gpu();
  for (const int k : {4, 40, 4}) {
    const Variant v = small_variant("1-10-1-0", {.d = 8, .k = k});
    const RecurrenceInputs in = random_inputs(v, {.B = 1, .T = 5}, 3, at::kFloat);
    EXPECT_TRUE(at::allclose(Recurrence(v)(in, gpu).y, Recurrence(v)(in, Backend::kReference).y,
                             1e-4, 1e-5));
  }
  EXPECT_EQ(fake_.findings(), "");
}

TEST_F(MachinesOnAGpu, SplitTimeWhereThereAreFewTiles) {
  fake_.processors = 100;
  for (const char* code : {"1-9-1-0", "1-1-1-0", "fwp"})
    expect_right(code, {.B = 1, .T = 200, .continues = true});
}

namespace {

struct OtherChoices {
  const char* code;
  int d, k;
  std::int64_t T;
  at::ScalarType type;
  int processors;
  std::vector<std::pair<Choice, int>> choices;
};

// Several choices at once if they are independent. D = 70 gives the walk two tiles.
std::vector<OtherChoices> other_choices() {
  using enum Choice;
  constexpr auto bf16 = at::kBFloat16, fp32 = at::kFloat;
  const std::vector<std::pair<Choice, int>> walk{
      {kWalkForwardBlocks, 1}, {kWalkReverseBlocks, 2}, {kWalkBackBlocks, 1}, {kWalkStages, 2}},
      scan{{kScanForwardBlocks, 2}, {kScanBackwardBlocks, 1}, {kScanSplit, 1}},
      channels{{kChannelsForwardBlocks, 1},
               {kChannelsBackwardBlocks, 1},
               {kChannelsSteps, 4},
               {kScanSplit, 2}};
  return {{"1-1-1-4", 70, 5, 70, bf16, 1, walk},
          {"1-10-1-0", 70, 70, 9, bf16, 1, {{kWalkStages, 1}}},
          {"1-3-1-0", 9, 9, 130, bf16, 1, {{kWalkKernels, 1}, {kWalkStages, 2}}},
          {"1-1-1-0", 5, 3, 300, fp32, 2, {{kChunkSplit, 2}}},
          {"fwp", 5, 3, 300, fp32, 2, {{kDeltaSplit, 2}}},
          {"1-9-1-0", 5, 3, 300, bf16, 2, scan},
          {"0-2-0-0", 6, 1, 300, bf16, 1, channels},
          {"1-9-1-0", 6, 1, 300, fp32, 1, {{kChannelsSteps, 2}}},
          {"0-0-0-0", 5, 2, 300, fp32, 1, {{kModesSplit, 1}}},
          {"0-ces-0-0", 2, 5, 600, fp32, 1, {{kProductsSplit, 2}}},
          {"0-ces-0-0", 2, 3, 520, fp32, 1, {{kProductsFrom, 3}}}};
}

}  // namespace

// Each choice with another number than its rule's.
TEST_F(MachinesOnAGpu, TakeOtherChoices) {
  std::set<Choice> tried;
  for (const OtherChoices& c : other_choices()) {
    const Sizes sizes{.d = c.d, .k = c.k};
    const auto asked = std::make_shared<Choices::Asked>();
    fake_.processors = c.processors;
    fake_.choices = {};
    for (const auto& [choice, value] : c.choices) fake_.choices = fake_.choices.with(choice, value);
    fake_.choices.note(asked);
    expect_right(c.code, random_inputs(small_variant(c.code, sizes), {.B = 1, .T = c.T}, 3, c.type),
                 sizes);
    for (const auto& [choice, value] : c.choices) {
      tried.insert(choice);
      const auto same = [&](const auto& each) {
        return each.first.first == choice && each.second != value;
      };
      EXPECT_TRUE(std::any_of(asked->begin(), asked->end(), same)) << row_of(choice).name;
    }
  }
  EXPECT_EQ(tried.size(), choice_rows().size());
}

// As in training, where sequences start without a memory: only given inputs get gradients, once
// each.
TEST_F(MachinesOnAGpu, StoreNoGradientOfAMemoryThatNobodyGave) {
  for (const char* code : {"1-10-1-0", "fwp"}) {
    const Variant v = small_variant(code, {.d = 32, .k = 32});
    const RecurrenceInputs in = random_inputs(v, {.B = 2, .T = 64}, 3, at::kFloat);
    double written = 0;
    fake_.counted = [&](const std::string& kernel, const ptx::Counts& counts) {
      if (kernel.find("_backward_") != kernel.npos)
        written = 32.0 * static_cast<double>(counts.global_write.used);
    };
    everything(v, in, fake_.gpu());
    // A memory would be a sixth of three gradients.
    EXPECT_LE(written, 1.05 * (code[0] == '1' ? 3 : 4) * 4.0 * 2 * 64 * 32) << code;
    EXPECT_GT(written, 0) << code;
  }
}

TEST_F(MachinesOnAGpu, RunWithoutGradients) {
  const Variant v = small_variant("1-9-1-0");
  const at::NoGradGuard raw;
  const RecurrenceInputs in = random_inputs(v, {.B = 2, .T = 5}, 3, at::kFloat);
  EXPECT_TRUE(at::isfinite(Recurrence(v)(in, fake_.gpu()).y).all().item<bool>());
  EXPECT_EQ(fake_.launches(), 2);  // a formula of the gate, and the scan
  EXPECT_EQ(fake_.findings(), "");
}

TEST_F(MachinesOnAGpu, AreRefusedWhereThereIsNone) {
  const GpuOrCpu gpu = fake_.gpu();
  const Variant rows = small_variant("fwp", {.d = 2, .k = 129});
  const Recurrence large(rows);
  try {
    large(random_inputs(rows, {.B = 1, .T = 4}, 3, at::kFloat), gpu);
    FAIL() << "it was computed";
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("at most 128 rows for the delta rule, got k = 129"),
              std::string::npos)
        << error.what();
  }
  const Variant v = small_variant("1-9-1-0");
  const Recurrence wide(v);
  EXPECT_THROW(wide(random_inputs(v, {.B = 1, .T = 4}, 3), gpu), std::invalid_argument);
}

// ----- Planted faults -----

TEST_F(MachinesOnAGpu, AreFoundToLeaveOutABlock) {
  CudaDriver driver = fake_.driver();
  driver.launch = [whole = driver.launch](CudaHandle f, unsigned gx, unsigned gy, unsigned gz,
                                          auto... rest) {
    return whole(f, gx, gy, gz > 1 ? gz - 1 : gz, rest...);
  };
  EXPECT_NE(found_with(driver).find("not whole: scan_"), std::string::npos);
}

TEST_F(MachinesOnAGpu, AreFoundToComputeABlockTooMany) {
  CudaDriver driver = fake_.driver();
  driver.launch = [whole = driver.launch](CudaHandle f, unsigned gx, auto... rest) {
    return whole(f, gx + 1, rest...);
  };
  EXPECT_NE(found_with(driver), "");
}

// One row more than inputs, results and workspace have.
TEST_F(MachinesOnAGpu, AreFoundToLeaveTheirMemory) {
  CudaDriver driver = fake_.driver();
  driver.launch = [whole = driver.launch](CudaHandle f, unsigned gx, unsigned gy, unsigned gz,
                                          unsigned bx, unsigned by, unsigned bz, unsigned shared,
                                          CudaHandle stream, void** arguments, void** extra) {
    if (*static_cast<std::size_t*>(extra[3]) == sizeof(ScanCuda))
      static_cast<ScanCuda*>(extra[1])->K += 1;
    return whole(f, gx, gy, gz, bx, by, bz, shared, stream, arguments, extra);
  };
  EXPECT_NE(found_with(driver).find("out of bounds: scan_"), std::string::npos);
}

}  // namespace lcsm::test
