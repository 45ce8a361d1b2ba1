#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "ets/machines/fft_conv_cuda.h"
#include "lcsm/cuda/driver/nvrtc.h"
#include "runner/base/process/command.h"
#include "runner/base/process/process_facts.h"
#include "runner/train/bench/bench_ets_report.h"
#include "tests/ets/cuda/fake_cufft.h"
#include "tests/lcsm/layer/fake_tensors.h"
#include "tests/lcsm/layer/layer_cases.h"

namespace runner {
namespace {

using namespace std::chrono_literals;

// In float64 the authors' formulations agree with ours, gradients included.
TEST(BenchEts, ComparesAndTimesBothSides) {
  const lcsm::Threads one(1);
  for (const EtsCaseRow& row : ets_case_rows()) {
    SCOPED_TRACE(row.name);
    const EtsResult r =
        bench_ets_case(row, {2, 37, 5}, at::kDouble, ets::FilterMachine::kFastest, 0);
    EXPECT_GT(r.theirs.difference, 0);
    EXPECT_LE(r.theirs.difference, 1e-9);
    for (const Contestant* c : {&r.ours, &r.theirs}) {
      EXPECT_GE(c->forward.size(), 3U);
      EXPECT_EQ(c->forward.size(), c->both.size());
      EXPECT_GE(c->peak, 2 * 37 * 5 * 8);
    }
  }
}

// Behind fakes of the driver and of cuFFT: ours uses kernels, theirs LibTorch.
TEST(BenchEts, TimesGraphsOnAGpu) {
  if (!lcsm::nvrtc_missing().empty()) GTEST_SKIP() << lcsm::nvrtc_missing();
  const lcsm::Threads one(1);
  lcsm::test::FakeGpu fake;
  const lcsm::test::FakeTensors tensors(&fake);
  ets::test::FakeCufft cufft;
  const ets::Cufft functions = cufft.functions();
  const ComputeDevice device{.gpu = fake.gpu()};
  ets::cufft_plans(*device.gpu, &functions);
  for (const EtsCaseRow& row : ets_case_rows()) {
    SCOPED_TRACE(row.name);
    const int before = fake.launches();
    const EtsResult r =
        bench_ets_case(row, {1, 9, 3}, at::kFloat, ets::FilterMachine::kFastest, 0, true, device);
    EXPECT_GE(r.ours.forward.size(), 3U);
    EXPECT_LE(r.theirs.difference, 1e-4);
    EXPECT_GE(fake.launches(), before + 3 * 10);
  }
  EXPECT_EQ(fake.findings(), "");
}

TEST(BenchEts, RefusesASpeedUpOfResultsThatDiffer) {
  const lcsm::Threads one(1);
  EtsCaseRow row = ets_case_named("ema");
  row.theirs = [](const EtsInputs& in, const std::any& fields) {
    return 1.01 * ets_case_named("ema").theirs(in, fields);
  };
  try {
    bench_ets_case(row, {1, 9, 4}, at::kDouble, ets::FilterMachine::kFastest, 0);
    FAIL() << "expected an error";
  } catch (const std::runtime_error& error) {
    const std::string message = error.what();
    for (const char* part : {"ema at 1,9,4", "the output of 'fft'", "by 0.01", "1e-09"})
      EXPECT_NE(message.find(part), std::string::npos) << message;
  }
}

TEST(BenchEts, SaysWhatBounds) {
  const BenchSetting setting{
      "fp32",
      1,
      1,
      {{"cpu", 1, "matmul", "fp32", "", "", "", 100}, {"cpu", 1, "copy", "", "", "", "", 10}}};
  EtsResult r{&ets_case_named("ema"), {2, 100, 5}, "modes", "", {4e3, 4e6}, {}, {}};
  const EtsBound forward = bound_of(setting, r, false), both = bound_of(setting, r, true);
  EXPECT_TRUE(forward.by_copies);
  EXPECT_DOUBLE_EQ(forward.seconds, 2 * 1000 * 4 / 10e9);
  EXPECT_FALSE(both.by_copies);
  EXPECT_DOUBLE_EQ(both.seconds, 4e6 / 100e9);
}

TEST(BenchEts, CountsTheOperationsOfTheRecurrence) {
  const EtsShape shape{1, 64, 3};
  const auto count = [&](const char* name, bool backward) {
    return EtsCase(ets_case_named(name), shape, at::kFloat).operations(backward);
  };
  EXPECT_DOUBLE_EQ(count("ema16", false), 2 * 16 * 2);
  EXPECT_DOUBLE_EQ(count("ces", true), 2 * 2 * 22);
  EXPECT_DOUBLE_EQ(count("s4d", false), 2 * 32 * 6);
  EXPECT_DOUBLE_EQ(count("long", false), 2 * 5 * 7);
}

// ----- The program -----

CommandResult run(std::vector<std::string> options) {
  std::vector<std::string> words = {program_folder() / "lcsm-train", "bench", "ets"};
  words.insert(words.end(), options.begin(), options.end());
  return run_command(words, 120s);
}

TEST(BenchEtsProgram, PrintsJson) {
  const CommandResult r = run({"--shape", "2,9,5", "--budget", "0", "--threads", "1", "--cases",
                               "ces", "long", "--machine", "fft", "--json"});
  ASSERT_TRUE(r.ok()) << r.err;
  const auto json = nlohmann::json::parse(r.out);
  EXPECT_EQ(json["schema"], "lcsm-train.bench-ets/1");
  ASSERT_EQ(json["results"].size(), 2U);
  const auto& first = json["results"][0];
  EXPECT_EQ(first["case"], "ces");
  EXPECT_EQ(first["machine"], "fft");
  EXPECT_EQ(first["shape"]["T"], 9);
  EXPECT_GT(first["bound"]["forward_backward"]["share"].get<double>(), 0);
  ASSERT_EQ(first["contestants"].size(), 2U);
  EXPECT_GT(first["contestants"][1]["forward_backward"]["best"].get<double>(), 0);
}

TEST(BenchEtsProgram, PrintsATableOfAtMost100Columns) {
  const CommandResult r = run({"--shape", "1,9,5", "--budget", "0", "--threads", "1"});
  ASSERT_TRUE(r.ok()) << r.err;
  EXPECT_NE(r.out.find("B,T,D = 1,9,5"), std::string::npos) << r.out;
  std::istringstream lines(r.out);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(line.size(), 100U) << line;
    EXPECT_FALSE(line.ends_with(" ")) << line;
  }
}

TEST(BenchEtsProgram, RejectsWrongUsageInOneSentence) {
  const std::vector<std::vector<std::string>> wrong = {{"--shape", "8,512"},
                                                       {"--dtype", "bf16"},
                                                       {"--cases", "absent"},
                                                       {"--machine", "fast"},
                                                       {"--dtype", "fp64", "--device", "cuda"}};
  for (const std::vector<std::string>& words : wrong) {
    const CommandResult r = run(words);
    EXPECT_EQ(r.exit_code, 2) << words[1];
    EXPECT_EQ(r.out, "");
    EXPECT_NE(r.err.find(words[0]), std::string::npos) << r.err;
  }
  const CommandResult r =
      run({"--cases", "long", "--machine", "modes", "--shape", "1,9,5", "--budget", "0"});
  EXPECT_NE(r.exit_code, 0);
  EXPECT_NE(r.err.find("machine 'modes': expected a sum of modes, got a free kernel; use"),
            std::string::npos)
      << r.err;
}

}  // namespace
}  // namespace runner
