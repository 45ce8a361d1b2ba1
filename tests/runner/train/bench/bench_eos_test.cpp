#include "runner/train/bench/bench_eos.h"

#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/ones.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "lcsm/code/plan.h"
#include "lcsm/cuda/driver/nvrtc.h"
#include "runner/base/process/command.h"
#include "runner/base/process/process_facts.h"
#include "runner/train/bench/bench_eos_report.h"
#include "tests/lcsm/layer/fake_tensors.h"
#include "tests/lcsm/layer/layer_cases.h"
#include "tests/message_of.h"

namespace runner {
namespace {

using namespace std::chrono_literals;

TEST(BenchEos, ReadsShapes) {
  const BenchShape shape = parse_shape("8,512,128,32");
  EXPECT_EQ(shape.B, 8);
  EXPECT_EQ(shape.T, 512);
  EXPECT_EQ(shape.sizes.d, 128);
  EXPECT_EQ(shape.sizes.k, 32);
  for (const char* text :
       {"", "8", "8,512,128", "8,512,128,32,1", "8,512,128,32,", "8,512,0,32", "8, 512,128,32",
        "8,-1,128,32", "8,512,128,32x", "99999999,1,1,1", "99999999999999999999,1,1,1"})
    EXPECT_THROW(parse_shape(text), std::invalid_argument) << text;
}

TEST(BenchEos, InputsKeepTheMemoryBounded) {
  at::set_num_threads(1);
  for (const std::string& code : lcsm::row_codes()) {
    SCOPED_TRACE(code);
    const lcsm::Variant v = lcsm::small_variant(code);
    const BenchCase c = make_case(v, {1, 300, v.sizes}, at::kDouble);
    EXPECT_EQ(c.names.size(), c.leaves.size());
    EXPECT_LT(lcsm::Recurrence(v)(c.inputs).y.abs().max().item<double>(), 1e4);
  }
}

TEST(BenchEos, CountsTheBytesOfInputsAndOutput) {
  const lcsm::Variant v = lcsm::small_variant("1-9-1-0");  // k = 3, d = 5
  const BenchCase c = make_case(v, {2, 7, v.sizes}, at::kFloat);
  EXPECT_EQ(c.bytes(), 4 * (2 * 7 * (5 + 5 + 3 + 3 + 3) + 5));  // y i e s p_k w_d
}

// Behind a fake driver: our contestant uses kernels, the others LibTorch.
TEST(BenchEos, TimesGraphsOnAGpu) {
  if (!lcsm::nvrtc_missing().empty()) GTEST_SKIP() << lcsm::nvrtc_missing();
  at::set_num_threads(1);
  lcsm::test::FakeGpu fake;
  const lcsm::test::FakeTensors tensors(&fake);
  const lcsm::Variant v = lcsm::small_variant("1-10-1-0");
  const BenchResult r = bench_case("1-10-1-0", v, {2, 7, v.sizes}, at::kFloat, 0,
                                   {.gpu = fake.gpu(), .name = "a fake", .evicted_bytes = 1000});
  ASSERT_EQ(r.contestants.size(), 2U);
  for (const Contestant& c : r.contestants) {
    EXPECT_GE(c.forward.size(), 3U) << c.name;
    EXPECT_LE(c.difference, 1e-5) << c.name;
    EXPECT_EQ(c.peak, 0) << c.name;
    EXPECT_EQ(c.both_cold.size(), c.both.size()) << c.name;
    EXPECT_EQ(c.forward_cold.size(), c.forward.size()) << c.name;
  }
  // One comparison, one warm-up, then one replay and ten per turn, for each pass, with warm and
  // with cold caches.
  const auto turns = static_cast<int>(r.contestants[0].both.size());
  EXPECT_EQ(fake.launches(), 2 + 3 * (1 + 2 * (1 + 10 * turns)));
  EXPECT_EQ(fake.findings(), "");
}

TEST(BenchEos, ComparesAndTimesEveryContestant) {
  at::set_num_threads(1);
  const lcsm::Variant v = lcsm::small_variant("1-1-1-0");
  const BenchResult r = bench_case("1-1-1-0", v, {2, 70, v.sizes}, at::kDouble, 0);
  ASSERT_EQ(r.contestants.size(), 2U);
  for (const Contestant& c : r.contestants) {
    EXPECT_GE(c.forward.size(), 3U) << c.name;
    EXPECT_EQ(c.forward.size(), c.both.size()) << c.name;
    EXPECT_GE(c.peak, 2 * 70 * 5 * 8) << c.name;
    EXPECT_LE(c.difference, 1e-9) << c.name;
  }
  EXPECT_EQ(r.contestants[0].difference, 0);
}

TEST(BenchEos, RejectsResultsThatDiffer) {
  const ContestRules rules = eos_rules("1-9-1-0", {2, 3, {5, 4}}, at::kFloat, 0);
  const at::Tensor ours = at::ones({100}, at::kFloat), bad = ours + 0.01;
  const auto error_of = [&](const at::Tensor& a, const at::Tensor& b) {
    return message_of<std::runtime_error>(
        [&] { checked_difference(rules, "the gradient of 'e'", "loop", a, b); });
  };
  EXPECT_EQ(error_of(ours, ours + 1e-5), "");
  const std::string message = error_of(ours, bad);
  for (const char* part : {"1-9-1-0 at 2,3,5,4", "gradient of 'e' of 'loop'", "by 0.01", "0.001"})
    EXPECT_NE(message.find(part), std::string::npos) << message;
  EXPECT_NE(error_of(ours / 0, ours).find("not finite"), std::string::npos);
  EXPECT_NE(error_of(ours, ours / 0).find("differs"), std::string::npos);
}

TEST(BenchEos, CountsTheNominalWork) {
  const lcsm::Variant v = lcsm::small_variant("1-10-1-0");
  BenchResult r{"1-10-1-0", {2, 100, v.sizes}, 0, {{"ours", {1e-6}, {2e-6}, 0, 0, ""}}};
  const BenchSetting setting{
      "fp32",
      1,
      1,
      {{"cpu", 1, "matmul", "fp32", "", "", "", 24.0}, {"cpu", 1, "copy", "", "", "", "", 25.6}}};
  const BenchRates forward = rates_of(setting, r, v, false), both = rates_of(setting, r, v, true);
  EXPECT_DOUBLE_EQ(forward.gflops, 200 * 15 * 4 * 1e6 / 1e9);
  EXPECT_DOUBLE_EQ(forward.gflops_share, 0.5);
  EXPECT_DOUBLE_EQ(both.gflops, 200 * 15 * 16 * 0.5e6 / 1e9);
  EXPECT_DOUBLE_EQ(forward.gbps, 200 * 4 * (5 + 5 + 3 + 3) * 1e6 / 1e9);
  EXPECT_DOUBLE_EQ(forward.gbps_share, 0.5);
  EXPECT_DOUBLE_EQ(both.gbps, forward.gbps);
}

// ----- The program -----

class BenchEosProgram : public testing::Test {
 protected:
  CommandResult run(std::vector<std::string> options) const {
    std::vector<std::string> words = {program_folder() / "lcsm-train", "bench", "eos"};
    words.insert(words.end(), options.begin(), options.end());
    return run_command(words, 120s);
  }
  const std::vector<std::string> tiny_ = {"--shape", "2,9,5,3", "--budget", "0", "--threads", "1"};
};

TEST_F(BenchEosProgram, TimesOnlyOursAlone) {
  std::vector<std::string> words = tiny_;
  words.insert(words.end(), {"--codes", "1-9-1-0", "--alone", "--json"});
  const CommandResult r = run(words);
  ASSERT_TRUE(r.ok()) << r.err;
  const auto json = nlohmann::json::parse(r.out);
  ASSERT_EQ(json["results"][0]["contestants"].size(), 1U);
  EXPECT_EQ(json["results"][0]["contestants"][0]["name"], "ours");
  words.pop_back();
  EXPECT_NE(run(words).out.find("1-9-1-0"), std::string::npos);
}

TEST_F(BenchEosProgram, PrintsJson) {
  std::vector<std::string> words = tiny_;
  words.insert(words.end(), {"--codes", "1-{1,9}-1-0", "m1", "1-9-1-0", "--json"});
  const CommandResult r = run(words);
  ASSERT_TRUE(r.ok()) << r.err;
  const auto json = nlohmann::json::parse(r.out);
  EXPECT_EQ(json["schema"], "lcsm-train.bench-eos/2");
  EXPECT_EQ(json["threads"], 1);
  EXPECT_GT(json["ceilings"]["gflops"].get<double>(), 0);
  ASSERT_EQ(json["results"].size(), 3U);  // 1-9-1-0 once
  const auto& first = json["results"][0];
  EXPECT_EQ(first["code"], "1-1-1-0");
  EXPECT_EQ(first["shape"]["D"], 5);
  ASSERT_EQ(first["contestants"].size(), 2U);
  EXPECT_EQ(first["contestants"][1]["name"], "loop");
  EXPECT_GT(first["contestants"][1]["forward_backward"]["best"].get<double>(), 0);
  EXPECT_GT(first["forward"]["gflops"].get<double>(), 0);
}

TEST_F(BenchEosProgram, PrintsATableOfAtMost100Columns) {
  for (const char* dtype : {"fp32", "fp64", "bf16"}) {
    std::vector<std::string> words = tiny_;
    words.insert(words.end(), {"--dtype", dtype});  // every oscillation
    const CommandResult r = run(words);
    ASSERT_TRUE(r.ok()) << r.err;
    EXPECT_NE(r.out.find("B,T,D,K = 2,9,5,3"), std::string::npos) << r.out;
    for (const char* code : {"1-0-1-0", "ssm", "fwp", "m2", "0-0-0-0"})
      EXPECT_NE(r.out.find(code), std::string::npos) << code;
    std::istringstream lines(r.out);
    for (std::string line; std::getline(lines, line);) {
      EXPECT_LE(line.size(), 100U) << line;
      EXPECT_FALSE(line.ends_with(" ")) << line;
    }
  }
}

TEST_F(BenchEosProgram, RejectsWrongUsageInOneSentence) {
  const std::vector<std::vector<std::string>> wrong = {
      {"--shape", "8,512"}, {"--dtype", "fp16"},       {"--threads", "0"},
      {"--budget", "-1"},   {"--codes", "1-99-1-0"},   {"--codes", "x*"},
      {"--file", "absent"}, {"--device", "model:h100"}};
  for (const std::vector<std::string>& words : wrong) {
    const CommandResult r = run(words);
    EXPECT_EQ(r.exit_code, 2) << words[1];
    EXPECT_EQ(r.out, "") << words[1];
    EXPECT_NE(r.err.find(words[0] == "--codes" ? words[1].substr(0, 2) : words[0]),
              std::string::npos)
        << r.err;
  }
}

}  // namespace
}  // namespace runner
