// Tuning behind a fake driver, at tiny sizes.
#include "runner/train/bench/tune_case.h"

#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "lcsm/cuda/chunk/chunk_calls.h"
#include "lcsm/cuda/driver/nvrtc.h"
#include "runner/base/process/command.h"
#include "runner/base/process/process_facts.h"
#include "runner/train/verbs/tune.h"
#include "tests/lcsm/layer/fake_tensors.h"
#include "tests/lcsm/layer/layer_cases.h"
#include "tests/runner/run_program.h"

namespace runner {
namespace {

using lcsm::ChoiceLine;

class Tune : public testing::Test {
 protected:
  void SetUp() override {
    if (!lcsm::nvrtc_missing().empty()) GTEST_SKIP() << lcsm::nvrtc_missing();
    at::set_num_threads(1);
  }
  static TuneCase small(const std::string& code, const BenchShape& shape) {
    return {code, lcsm::small_variant(code, shape.sizes), shape, at::kBFloat16};
  }
  TuneResult tuned(const TuneCase& of, const lcsm::CudaDriver& driver) {
    return tune(of, {.gpu = fake_.gpu(driver), .name = "a fake"}, 0);
  }
  static const TuneVariant& variant(const TuneResult& of, const std::string& name) {
    return *std::find_if(of.variants.begin(), of.variants.end(),
                         [&](const TuneVariant& each) { return name_of(each) == name; });
  }

  lcsm::test::FakeGpu fake_;
  const lcsm::test::FakeTensors tensors_{&fake_};
};

ChoiceLine line(const std::string& shape, const std::string& value, const std::string& source) {
  return {"sm_90", "walk-stages", shape, value, source};
}

}  // namespace

// Every variant is compared with the definition, one is chosen, and the GPU's choices are restored.
TEST_F(Tune, TriesEveryOtherValueOfWhatACaseAsks) {
  const auto gpu = fake_.gpu();
  fake_.processors = 2;
  const TuneCase of = small("0-2-0-0", {1, 140, {.d = 4, .k = 1}});
  const TuneResult result = tune(of, {.gpu = gpu, .name = "a fake"}, 0);
  std::set<std::string> names;
  int chosen = 0;
  for (const TuneVariant& each : result.variants) {
    names.insert(name_of(each));
    chosen += each.is_chosen;
    EXPECT_EQ(each.refusal, "") << name_of(each);
    EXPECT_GT(each.both, 0) << name_of(each);
    EXPECT_GT(each.difference, 0) << name_of(each);
    EXPECT_LE(each.difference, 2e-2) << name_of(each);
  }
  EXPECT_EQ(chosen, 1);
  for (const char* name : {"rules", "channels-forward-blocks 3", "channels-backward-blocks 1",
                           "channels-steps 2", "channels-steps 4", "scan-split 8"})
    EXPECT_EQ(names.count(name), 1u) << name;
  EXPECT_EQ(names.count("channels-steps 8"), 0u) << "the rule's own";
  EXPECT_EQ(result.lines.size(), 4u);
  EXPECT_EQ(gpu->choices().of(lcsm::Choice::kChannelsSteps, "", 7), 7);
  EXPECT_EQ(fake_.findings(), "");
}

// Later runs find their kernels in the cache.
TEST_F(Tune, CompilesKernelsWithoutADevice) {
  const ScratchFolder folder;
  lcsm::GpuFacts facts = fake_.gpu()->facts();
  facts.kernels = folder.path();
  const auto kernels = [&] {
    return std::distance(std::filesystem::directory_iterator(folder.path()), {});
  };
  TuneCase of = small("1-10-1-0", {1, 9, {.d = 4, .k = 3}});
  of.type = at::kFloat;
  const auto gpu = std::make_shared<lcsm::Gpu>(fake_.driver(), facts);
  compile_variants({of}, *gpu);
  EXPECT_EQ(kernels(), 1);
  EXPECT_EQ(fake_.launches(), 0);
  EXPECT_EQ(tune(of, {.gpu = gpu, .name = "a fake"}, 0).variants[0].refusal, "");
  EXPECT_EQ(kernels(), 1);
}

// Four sequences per processor have other kernels than one.
TEST_F(Tune, CompilesTheKernelsOfItsNumberOfSequences) {
  fake_.processors = 2;
  const auto gpu = fake_.gpu();
  lcsm::ChunkWork work{.bfloat16 = true, .processors = 2};
  work.chunk.B = 8, work.chunk.T = 9, work.chunk.K = 3, work.chunk.D = 4;
  const lcsm::CudaSource fused = lcsm::chunk_source(work);
  EXPECT_NE(fused.name.find("_fused"), std::string::npos);
  const auto file = lcsm::KernelCache(gpu->facts().kernels).file_of(fused);
  std::filesystem::remove(file);
  compile_variants({small("1-10-1-0", {8, 9, {.d = 4, .k = 3}})}, *gpu);
  EXPECT_TRUE(std::filesystem::exists(file));
}

// Two processors: time in two segments by the rule, in three or five otherwise. This driver drops
// one of three segments, which gives wrong results, and refuses five.
TEST_F(Tune, NeverChoosesWhatIsWrongOrRefused) {
  fake_.processors = 2;
  unsigned most = 3;
  lcsm::CudaDriver driver = fake_.driver();
  driver.launch = [&most, real = driver.launch](lcsm::CudaHandle f, unsigned gx, unsigned gy,
                                                auto... rest) {
    return gy > most ? 1 : real(f, gx, gy == 3 ? 2 : gy, rest...);
  };
  TuneCase of = small("1-1-1-0", {1, 258, {.d = 5, .k = 3}});
  of.type = at::kFloat;
  const TuneResult result = tuned(of, driver);
  EXPECT_NE(variant(result, "chunk-split 2").refusal, "");
  EXPECT_NE(variant(result, "chunk-split 4").refusal.find("launch chunk_"), std::string::npos);
  EXPECT_TRUE(result.variants[0].is_chosen);
  ASSERT_EQ(result.lines.size(), 1u);
  EXPECT_EQ(result.lines[0].value, "rule");
  EXPECT_EQ(result.lines[0].source, "a fake");
  most = 0;
  const TuneResult none = tuned(of, driver);
  EXPECT_TRUE(none.lines.empty());
  EXPECT_NE(tune_table({none}, 9).find("1-1-1-0 at 1,258,5,3              refused: "),
            std::string::npos)
      << tune_table({none}, 9);
}

TEST(TuneTable, KeepsTheRulesAndWhatWasChosenWhereItIsLong) {
  TuneResult result{"1-9-1-0 at 1,2,3,4", std::vector<TuneVariant>(5), {}};
  for (int n = 1; n < 5; ++n)
    result.variants[static_cast<std::size_t>(n)].choices = {{lcsm::Choice::kWalkStages, n}};
  result.variants[3].refusal = "too much\nshared memory";
  result.variants[4].is_chosen = true;
  EXPECT_EQ(tune_table({result}, 3),
            "1-9-1-0 at 1,2,3,4                   0.000    0.000  0.0e+00\n"
            "  walk-stages 3                   refused: too much\n"
            "  walk-stages 4                      0.000    0.000  0.0e+00  chosen\n"
            "2 more variants: --json\n");
}

TEST(TuneTable, ReplacesLinesOfTheSameShape) {
  const auto rule = line("*", "rule", "rule, not measured");
  const auto table = with_measured(
      {rule, line("64", "1", "old")},
      {line("64", "2", "first"), line("64", "1", "second"), line("32", "rule", "first")});
  EXPECT_EQ(lcsm::choices_text(table),
            "architecture,choice,shape,value,source\n"
            "sm_90,walk-stages,*,rule,rule, not measured\n"
            "sm_90,walk-stages,64,2,first\n"
            "sm_90,walk-stages,32,rule,first\n");
}

TEST(TuneProgram, TakesCodesAndShapesTogether) {
  const CommandResult one = run_command(
      {program_folder() / "lcsm-train", "tune", "--codes", "1-9-1-0"}, std::chrono::seconds(60));
  EXPECT_NE(one.err.find("expected --codes and --shape"), std::string::npos) << one.err;
}

}  // namespace runner
