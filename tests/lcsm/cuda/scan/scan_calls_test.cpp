// The kernels of the fused scan through the judge, forward and backward, against the CPU's machine
// in float64.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <set>

#include "lcsm/cuda/driver/kernel_call.h"
#include "lcsm/cuda/driver/nvrtc.h"
#include "lcsm/cuda/scan/scan_cuda.h"
#include "tests/lcsm/cuda/driver/expect_judged.h"
#include "tests/lcsm/cuda/scan/scan_case.h"

namespace lcsm::test {
namespace {

// Float32: rounding of states and sums. Bfloat16: both share the rounding of inputs; outputs have 8
// bits.
constexpr double kFloat = 1e-5, kBfloat = 2e-2;

std::string name_of(const ScanShape& shape) {
  return "T = " + std::to_string(shape.T) + ", " + std::to_string(shape.K) + " x " +
         std::to_string(shape.D) + (shape.bfloat16 ? " bfloat16" : "");
}

void print_cost(const std::string& kernel, const ptx::Counts& counts, double of_bytes,
                const ScanShape& shape) {
  if (fuzzes())
    printf("%s: %.2f of the algorithm's bytes, %.1f instructions of a step and cell\n",
           kernel.c_str(), of_bytes,
           32 * static_cast<double>(counts.instructions) / shape.B / shape.T / shape.K / shape.D);
}

// Forward and backward each read every input and the stored memories once, and write every result
// once.
void expect_few_bytes(const ScanGateCase& gate, const ScanShape& shape, const Judged& judged) {
  double inputs = 0;
  for (const auto& [name, values] : random_inputs(gate, shape, 5))
    if (name != "d_y") inputs += 4.0 * static_cast<double>(values.size());
  const double steps = 4.0 * shape.T * shape.D,
               memory = 4.0 * static_cast<double>(judged.values.at("m").size()),
               kept = memory * shape.T / kScanSteps;
  for (const auto& [kernel, counts] : judged.counts) {
    EXPECT_EQ(counts.shared.used, counts.shared.ideal) << kernel << ": bank conflicts";
    const bool forward = kernel.ends_with("_forward"), backward = kernel.ends_with("_backward");
    if (!forward && !backward) continue;
    const double bytes =
        forward ? inputs + steps + kept + memory : 2 * inputs + inputs + steps + kept + memory;
    const double moved =
        32.0 * static_cast<double>(counts.global_read.used + counts.global_write.used);
    EXPECT_LE(moved, 1.3 * bytes) << kernel;
    print_cost(kernel, counts, moved / bytes, shape);
  }
}

class ScanKernels : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    kernels_ = built_kernels(std::string("scan_") + GetParam());
    if (!kernels_) GTEST_SKIP() << "no CUDA toolkit when this was built";
  }
  Judged judged(const ScanShape& shape, int orders = 1, const ptx::Options& options = {}) {
    const ScanGateCase gate = built_in(GetParam());
    const Named inputs = random_inputs(gate, shape, 5);
    Judged got = by_judge(gate, shape, inputs, *kernels_, orders, options);
    expect_right(got, by_cpu(gate, shape, inputs), shape.bfloat16 ? kBfloat : kFloat,
                 name_of(shape));
    return got;
  }
  const Kernels* kernels_ = nullptr;
};

}  // namespace

TEST_P(ScanKernels, AreRightForEveryLength) {
  for (const int T : {1, 2, 63, 64, 65}) judged({.T = T, .K = 16, .D = 16, .first = T % 2 == 1});
}

TEST_P(ScanKernels, AreRightForOddSizes) {
  judged({.T = 9, .K = 17, .D = 5});
  judged({.T = 10, .K = 3, .D = 33});
}

TEST_P(ScanKernels, AddTilesOfRowsAndChannels) { judged({.T = 11, .K = 40, .D = 70}); }

TEST_P(ScanKernels, SplitTimeAmongBlocks) {
  judged({.T = 200, .K = 5, .D = 9, .processors = 100, .first = true});
}

TEST_P(ScanKernels, TakeBfloat16) {
  judged({.T = 70, .K = 32, .D = 32, .bfloat16 = true, .first = true});
  judged({.T = 5, .K = 33, .D = 34, .bfloat16 = true});
}

TEST_P(ScanKernels, GiveTheSameInEveryOrderWithApproximateFunctions) {
  judged({.B = 1, .T = 130, .K = 33, .D = 7, .processors = 100}, 3, {.ulps = 2});
}

TEST_P(ScanKernels, MoveNoMoreThanTheAlgorithm) {
  const ScanShape shape{.B = 1, .T = 128, .K = 32, .D = 32};
  expect_few_bytes(built_in(GetParam()), shape, judged(shape));
}

// Compiled at run time.
class ScanOfAFormula : public testing::Test {
 protected:
  void SetUp() override {
    if (!nvrtc_missing().empty()) GTEST_SKIP() << nvrtc_missing();
  }
  static Kernels compiled(const ScanGateCase& gate) { return compiled(gate, gate.form); }
  static Kernels compiled(const ScanGateCase& gate, const ScanForm& form) {
    const NvrtcResult compiled = compile_cuda(scan_source(gate.tape, form));
    EXPECT_NE(compiled.code, "") << compiled.log;
    return Kernels(compiled.code);
  }
  static Judged judged(const ScanGateCase& gate, const ScanShape& shape, const Kernels& kernels) {
    const Named inputs = random_inputs(gate, shape, 5);
    Judged got = by_judge(gate, shape, inputs, kernels, 1);
    expect_right(got, by_cpu(gate, shape, inputs), shape.bfloat16 ? kBfloat : kFloat,
                 name_of(shape));
    return got;
  }
};

// A user's formula.
TEST_F(ScanOfAFormula, IsRight) {
  const ScanGateCase gate = every_leaf();
  std::set<Spread> spreads;
  for (std::size_t n = 0; n < gate.over_k.size(); ++n) spreads.insert(gate.tape.values[n].spread);
  EXPECT_EQ(spreads.size(), 4u);
  const Kernels kernels = compiled(gate);
  for (const bool bfloat16 : {false, true})
    judged(gate, {.T = 75, .K = 33, .D = 7, .processors = 100, .bfloat16 = bfloat16}, kernels);
}

// One row: reads the inputs and the memories before a thread's steps once.
void expect_few_bytes_of_channels(const ScanGateCase& gate, const ScanShape& shape,
                                  const Judged& judged, int steps) {
  const double number = shape.bfloat16 ? 2 : 4;
  double inputs = 0;
  for (const auto& [name, values] : random_inputs(gate, shape, 5)) {
    const bool over_data = values.size() >= static_cast<std::size_t>(shape.B * shape.T);
    const bool exact = gate.tape.exact && name.starts_with("leaf");
    if (name != "d_y" && name != "m" && name != "d_m")
      inputs += (over_data && !exact ? number : 4) * static_cast<double>(values.size());
  }
  const double y = number * shape.B * shape.T * shape.D,
               kept = 4.0 * shape.B * shape.T * shape.D / steps;
  int passes = 0;
  for (const auto& [kernel, counts] : judged.counts) {
    const bool forward = kernel.ends_with("_forward"), backward = kernel.ends_with("_backward");
    if (!forward && !backward) continue;
    ++passes;
    EXPECT_EQ(counts.shared.used, counts.shared.ideal) << kernel << ": bank conflicts";
    const double moved =
        32.0 * static_cast<double>(counts.global_read.used + counts.global_write.used);
    const double bytes = forward ? inputs + y + kept : 2 * inputs + y + kept;
    EXPECT_LE(moved, 1.1 * bytes) << kernel;
    print_cost(kernel, counts, moved / bytes, shape);
  }
  EXPECT_EQ(passes, 2);
}

// Every length and size of a memory of one row.
void expect_right_channels(const std::function<void(const ScanShape&)>& judge) {
  for (const int T : {1, 2, 15, 16, 17, 127, 128, 129, 300})
    judge({.T = T, .K = 1, .D = 6, .first = T % 2 == 1});
  for (const int D : {1, 2, 5, 31, 32, 33, 34, 70})
    judge({.T = 21, .K = 1, .D = D, .bfloat16 = D % 3 == 1, .first = true});
  for (const bool bfloat16 : {false, true})
    for (const int T : {128, 150, 300})
      judge({.T = T, .K = 1, .D = 35, .processors = 100, .bfloat16 = bfloat16, .first = true});
}

class ChannelScan : public ScanOfAFormula, public testing::WithParamInterface<const char*> {};

TEST_P(ChannelScan, IsRight) {
  const std::string code = GetParam();
  const ScanGateCase gate = code == "every leaf" ? every_leaf() : built_in(code);
  const ScanForm form = form_of(gate, {.K = 1});
  EXPECT_TRUE(form.channels);
  const Kernels kernels = compiled(gate, form);
  const bool grows = code == "ssm";  // a gate above 1: 300 steps overflow
  expect_right_channels([&](const ScanShape& shape) {
    if (!grows || shape.T < 200) judged(gate, shape, kernels);
  });
  const int steps = channel_steps(static_cast<int>(gate.over_k.size()));
  for (const bool bfloat16 : {false, true}) {
    const ScanShape shape{.B = 1, .T = grows ? 128 : 512, .K = 1, .D = 64, .bfloat16 = bfloat16};
    expect_few_bytes_of_channels(gate, shape, judged(gate, shape, kernels), steps);
  }
  const ScanShape shape{.B = 2, .T = 150, .K = 1, .D = 33, .processors = 100, .first = true};
  const Named inputs = random_inputs(gate, shape, 5);
  EXPECT_EQ(by_judge(gate, shape, inputs, kernels, 3, {.ulps = 2}).findings, "");
}

// Stages of every kind, leaves of every kind, a gate that scales.
INSTANTIATE_TEST_SUITE_P(Of, ChannelScan,
                         testing::Values("0-2-0", "0-2-0-k1", "1-7-1-k1", "1-9-1", "1-3-0", "0-0-1",
                                         "0-12-1", "ssm", "every leaf"),
                         [](const auto& each) {
                           std::string name = each.param;
                           std::replace_if(
                               name.begin(), name.end(), [](char c) { return !isalnum(c); }, '_');
                           return "code_" + name;
                         });

// Memories that are complex or read by weights: static and data stages, weights and none, a static
// gate and one from the data.
ScanGateCase mine(const char* code, const char* o, const char* scale = "", const char* read = "") {
  return complex_case(code,
                      {.name = "mine", .o = o, .scale = scale, .read = read, .help = "a test"});
}
std::map<std::string, ScanGateCase> complex_cases() {
  return {{"ces", complex_case("1-ces-1-0")},
          {"ema", complex_case("1-ema-1-0")},
          {"s4d", complex_case("0-s4d-1-0")},
          {"no weights", mine("1-mine-1-0", "sigmoid(p_d) * rotate(p_d2)")},
          {"no stages", mine("0-mine-0-0", "sigmoid(p_k) * rotate(p_d)")},
          {"all from the data", mine("1-mine-1-0", "sigmoid(p_k * w_d) * rotate(p_d2)",
                                     "q * softplus(p_k)", "exp(w_d) * rotate(p_d3)")}};
}

TEST_F(ScanOfAFormula, ReplacesRoundedPowers) {
  const ScanGateCase gate = drifting_case();
  const Kernels kernels = compiled(gate);
  for (const int processors : {1, 100})
    judged(gate, {.B = 1, .T = 200, .K = 3, .D = 5, .processors = processors, .first = true},
           kernels);
}

TEST_F(ScanOfAFormula, IsRightForComplexMemories) {
  for (const auto& [name, gate] : complex_cases()) {
    SCOPED_TRACE(name);
    const Kernels kernels = compiled(gate);
    for (const int T : {1, 2, 63, 64, 65})
      judged(gate, {.B = 1, .T = T, .K = 3, .D = 5, .first = T % 2 == 1}, kernels);
    judged(gate, {.B = 1, .T = 200, .K = 5, .D = 9, .processors = 100, .first = true}, kernels);
    judged(gate, {.B = 1, .T = 9, .K = 33, .D = 35}, kernels);
    judged(gate, {.T = 70, .K = 5, .D = 34, .bfloat16 = true, .first = true}, kernels);
    const ScanShape whole{.B = 1, .T = 256, .K = 32, .D = 32};
    expect_few_bytes(gate, whole, judged(gate, whole, kernels));
  }
}

INSTANTIATE_TEST_SUITE_P(Of, ScanKernels,
                         testing::Values("ssm", "1-9-1", "1-7-1", "1-8-1", "0-0-1", "1-3-0",
                                         "0-1-0", "0-12-1"),
                         [](const auto& each) {
                           std::string name = each.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return "code_" + name;
                         });

}  // namespace lcsm::test
