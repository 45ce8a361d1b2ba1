// A formula as source, compiled at run time without a driver, and judged.
#include "lcsm/cuda/driver/nvrtc.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/ptx/judge.h"

namespace lcsm {
using namespace ptx;
namespace {

class Nvrtc : public testing::Test {
 protected:
  void SetUp() override {
    if (!nvrtc_missing().empty()) GTEST_SKIP() << nvrtc_missing();
  }
};

CudaSource formula(const std::string& formula) {
  const std::string text =
      "extern \"C\" __global__ void scan(const float* xs, float* ys, int steps, int channels) "
      "{\n"
      "  const int channel = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (channel >= channels) return;\n"
      "  float m = 0;\n"
      "  for (int t = 0; t < steps; ++t) {\n"
      "    const float x = xs[t * channels + channel];\n"
      "    m = " +
      formula +
      ";\n"
      "    ys[t * channels + channel] = m;\n"
      "  }\n}\n";
  return {.text = text, .name = "formula.cu", .lines = true};
}

}  // namespace

TEST_F(Nvrtc, RunsAFormula) {
  const NvrtcResult compiled =
      compile_cuda(formula("m / (1 + __expf(-1.5f * x)) + tanhf(0.5f * x)"));
  ASSERT_NE(compiled.code, "") << compiled.log;
  Memory memory;
  const Program program = read_program("formula.cu", compiled.code, memory);
  const int steps = 50, channels = 70;
  std::vector<float> values(static_cast<std::size_t>(steps * channels));
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = std::sin(static_cast<float>(k));
  const Array<float> xs(memory, "xs", values), ys(memory, "ys", values.size());
  EXPECT_EQ(run_in_orders(program, memory,
                          {"scan", {2, 1, 1}, {64, 1, 1}, 0, {xs, ys, steps, channels}}, 3)
                .text(),
            "");
  const std::vector<float> got = ys.get();
  for (int channel = 0; channel < channels; ++channel) {
    double m = 0;
    for (int t = 0; t < steps; ++t) {
      const auto at = static_cast<std::size_t>(t * channels + channel);
      const double x = static_cast<double>(values[at]);
      m = m / (1 + std::exp(-1.5 * x)) + std::tanh(0.5 * x);
      EXPECT_NEAR(static_cast<double>(got[at]), m,
                  1e-6 * (1 + std::fabs(m)));  // a few roundings of float
    }
  }
}

TEST_F(Nvrtc, FindingsNameItsLines) {
  Memory memory;
  const Program program = read_program("formula.cu", compile_cuda(formula("x")).code, memory);
  const Array<float> xs(memory, "xs", 8), ys(memory, "ys", 8);
  const Report report = run(program, memory, {"scan", {}, {8, 1, 1}, 0, {xs, ys, 1, 8}});
  ASSERT_NE(report.find(Fault::kUnwritten), nullptr);
  EXPECT_EQ(report.find(Fault::kUnwritten)->source, "formula.cu:6");
}

TEST_F(Nvrtc, ErrorsNameTheLine) {
  const NvrtcResult refused = compile_cuda(formula("x +* m"));
  EXPECT_EQ(refused.code, "");
  EXPECT_NE(refused.log.find("formula.cu(7): error"), std::string::npos) << refused.log;
}

// A GPU may be newer than the compiler; one without a binary of its own runs older PTX.
TEST_F(Nvrtc, CompilesForGpusThatItDoesNotKnow) {
  EXPECT_EQ(nvrtc_architecture(8, 0), "sm_80");
  EXPECT_EQ(nvrtc_architecture(9, 0), "sm_90");
  EXPECT_EQ(nvrtc_architecture(9, 9), "compute_90");
  CudaSource source = formula("x");
  source.architecture = nvrtc_architecture(99, 0);
  EXPECT_TRUE(source.architecture.starts_with("compute_")) << source.architecture;
  const NvrtcResult compiled = compile_cuda(source);
  EXPECT_NE(compiled.code.find(".visible .entry scan"), std::string::npos) << compiled.log;
}

}  // namespace lcsm
