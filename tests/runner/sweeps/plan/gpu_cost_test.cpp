#include "runner/sweeps/plan/gpu_cost.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "lcsm/base/row_names.h"
#include "runner/config/keys/model_keys.h"
#include "runner/config/keys/optim_keys.h"
#include "runner/config/keys/task_keys.h"
#include "tests/runner/run_program.h"
#include "tests/runner/sweeps/language/sweep_texts.h"
#include "tests/source_folder.h"

namespace runner {
namespace {

RunConfig config_of(const nlohmann::json& measured, const nlohmann::json& task,
                    const std::string& model) {
  std::vector<std::string> settings = {"optim.steps=1", "task.path=x"};
  for (const auto* each : {&task.at("settings"), &measured.at("set")})
    for (const auto& setting : *each) settings.push_back(setting);
  settings.push_back(model == "attention" ? "model.family=attention" : "model.code=" + model);
  return parse_config("", "", settings, ignore);
}

}  // namespace

TEST(GpuCost, MeetsTheMeasuredStepsWithinAFactorOfTwo) {
  const GpuKind& h200 = *lcsm::row_named(kGpuKinds, "h200");
  int steps = 0;
  for (const char* file : {"h200_step.json", "h200_step_lm.json"}) {
    const auto measured =
        nlohmann::json::parse(read_file(source_folder() / "tests/bench/gpu" / file));
    for (const auto& task : measured.at("results"))
      for (const auto& model : task.at("models")) {
        const std::string name = model.at("model");
        const RunConfig config = config_of(measured, task, name);
        const double seconds = model.at("step").at("median"),
                     found = gpu_step_seconds(cost_of(config), h200,
                                              config.is("optim.precision"_key, "bf16")
                                                  ? GpuPrecision::kBfloat16
                                                  : GpuPrecision::kFloat32);
        EXPECT_LT(found, 2 * seconds) << file << " " << name;
        EXPECT_GT(found, seconds / 2) << file << " " << name;
        ++steps;
      }
  }
  EXPECT_EQ(steps, 12);
}

TEST(GpuCost, PartsOfABatchTakeLessMemoryAndMoreTime) {
  const std::vector<std::string> whole = {"task.name=mqar", "model.code=1-1-1-0"};
  std::vector<std::string> parts = whole;
  parts.push_back("optim.accumulate=4");
  const RunCost one = cost_of(parse_config("", "", whole, ignore)),
                four = cost_of(parse_config("", "", parts, ignore));
  EXPECT_LT(four.gpu_bytes, one.gpu_bytes);
  EXPECT_GT(gpu_seconds(four, kGpuKinds[0], GpuPrecision::kFloat32),
            gpu_seconds(one, kGpuKinds[0], GpuPrecision::kFloat32));
}

// A scan keeps its memory before every 8 steps, chunked products before every 64.
TEST(GpuCost, CountsTheMemoriesThatForwardKeeps) {
  const auto gpu_bytes = [](const std::string& code) {
    return cost_of(parse_config("", "", {"task.name=mqar", "model.code=" + code, "model.layers=1"},
                                ignore))
        .gpu_bytes;
  };
  const RunConfig config = parse_config("", "", {"task.name=mqar", "model.code=1-9-1-0"}, ignore);
  const auto memories =
      4 *
      static_cast<double>(config.integer("optim.batch"_key) * config.integer("task.length"_key) *
                          config.integer("model.d"_key) * config.integer("model.k"_key));
  EXPECT_NEAR(gpu_bytes("1-9-1-0") - gpu_bytes("1-3-1-0"), memories / 8 - memories / 64,
              0.1 * memories / 8);
}

}  // namespace runner
