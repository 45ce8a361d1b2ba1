#include "runner/models/families/model_tensors.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>

#include "runner/config/keys/task_rows.h"
#include "tests/runner/models/skeletons/model_config.h"

namespace runner {
namespace {

// Name, shape and init of each tensor of a model with a vocabulary of 7 tokens.
std::vector<std::string> listed(const std::vector<std::string>& settings) {
  std::vector<std::string> lines;
  for (const lcsm::Parameter& p : tensors_of(plan_model(model_config(settings), 7))) {
    std::string line = p.name;
    for (const std::int64_t size : p.shape) line += " " + std::to_string(size);
    lines.push_back(line + ": " + lcsm::to_string(p.init));
  }
  return lines;
}

}  // namespace

TEST(ModelTensors, OfTheWikitextSkeleton) {
  EXPECT_EQ(
      listed({"model.code=1-4-1-0", "model.d=6", "model.k=2", "model.layers=1"}),
      (std::vector<std::string>{
          "embedding.weight 7 6: normal/sqrt(size_d)", "layers.0.mixer_norm.weight 6: 1",
          "layers.0.mixer_norm.bias 6: 0", "layers.0.mixer.input.weight 6 6: uniform/sqrt(size_d)",
          "layers.0.mixer.expand.weight 2 6: uniform/sqrt(size_d)",
          "layers.0.mixer.oscillation.w_k 2: 0.1 * normal",
          "layers.0.mixer.shrink.weight 2 6: uniform/sqrt(size_d)",
          "layers.0.mixer.norm.weight 6: 1", "layers.0.mixer.norm.bias 6: 0",
          "layers.0.mixer.output.weight 6 6: uniform/sqrt(size_d)", "layers.0.glu_norm.weight 6: 1",
          "layers.0.glu_norm.bias 6: 0", "layers.0.glu.gate.weight 8 6: uniform/sqrt(6)",
          "layers.0.glu.value.weight 8 6: uniform/sqrt(6)",
          "layers.0.glu.output.weight 6 8: uniform/sqrt(8)", "final_norm.weight 6: 1",
          "final_norm.bias 6: 0"}));
}

TEST(ModelTensors, OfSchemeBHaveBiasesInTheGluAndNoWeightsInThePreNorms) {
  EXPECT_EQ(listed({"model.family=attention", "model.d=6", "model.heads=2", "model.layers=1",
                    "model.scheme=B"}),
            (std::vector<std::string>{"embedding.weight 7 6: normal/sqrt(size_d)",
                                      "layers.0.mixer.qkv.weight 18 6: uniform/sqrt(6)",
                                      "layers.0.mixer.qkv.bias 18: uniform/sqrt(6)",
                                      "layers.0.mixer.output.weight 6 6: uniform/sqrt(6)",
                                      "layers.0.mixer.output.bias 6: uniform/sqrt(6)",
                                      "layers.0.glu.gate.weight 8 6: uniform/sqrt(6)",
                                      "layers.0.glu.gate.bias 8: uniform/sqrt(6)",
                                      "layers.0.glu.value.weight 8 6: uniform/sqrt(6)",
                                      "layers.0.glu.value.bias 8: uniform/sqrt(6)",
                                      "layers.0.glu.output.weight 6 8: uniform/sqrt(8)",
                                      "layers.0.glu.output.bias 6: uniform/sqrt(8)",
                                      "final_norm.weight 6: 1", "final_norm.bias 6: 0"}));
}

TEST(ModelTensors, OfZoologysSkeleton) {
  EXPECT_EQ(
      listed({"model.skeleton=zoology", "model.family=attention", "model.d=6", "model.heads=2",
              "model.layers=1", "model.positions=learned", "task.length=5",
              "model.state_mixer=mlp"}),
      (std::vector<std::string>{
          "embedding.weight 7 6: 0.02 * normal", "positions.weight 5 6: 0.02 * normal",
          "layers.0.mixer_norm.weight 6: 1", "layers.0.mixer_norm.bias 6: 0",
          "layers.0.mixer.qkv.weight 18 6: 0.02 * normal", "layers.0.mixer.qkv.bias 18: 0",
          "layers.0.mixer.output.weight 6 6: 0.02 * normal / sqrt(2 * 1)",
          "layers.0.mixer.output.bias 6: 0", "layers.0.state_norm.weight 6: 1",
          "layers.0.state_norm.bias 6: 0", "layers.0.state_mixer.up.weight 24 6: 0.02 * normal",
          "layers.0.state_mixer.up.bias 24: 0",
          "layers.0.state_mixer.down.weight 6 24: 0.02 * normal / sqrt(2 * 1)",
          "layers.0.state_mixer.down.bias 6: 0", "final_norm.weight 6: 1",
          "final_norm.bias 6: 0"}));
}

TEST(ModelTensors, OfZoologyReinitializeOnlyTheProjectionsOfACode) {
  std::map<std::string, std::string> inits;
  const RunConfig config =
      model_config({"model.skeleton=zoology", "model.code=0-6-1-0", "model.layers=1"});
  for (const lcsm::Parameter& p : tensors_of(plan_model(config, 7)))
    inits[p.name] = lcsm::to_string(p.init);
  EXPECT_EQ(inits["layers.0.mixer.input.weight"], "0.02 * normal");
  EXPECT_EQ(inits["layers.0.mixer.oscillation.p_k.weight"], "0.02 * normal");
  EXPECT_EQ(inits["layers.0.mixer.output.weight"], "0.02 * normal");
  EXPECT_EQ(inits["layers.0.mixer.oscillation.w_kd"], "0.1 * normal");
  EXPECT_EQ(inits["layers.0.mixer.expand.matrix"], "0.1 * normal");
}

TEST(ModelTensors, OfZoologyKeepTheInitsOfAnOscillation) {
  const RunConfig config = parse_config(
      "task.name = 'text'\nmodel.code = '1-mine-1-0'\nmodel.skeleton = 'zoology'\n"
      "[oscillation.mine]\no = 'sigmoid(p_k)'\ninit.p_k = '0.3 * uniform'\n",
      "my.toml", {}, [](const std::string&) {});
  for (const lcsm::Parameter& p : tensors_of(plan_model(config, 7)))
    if (p.name.ends_with("p_k.weight")) {
      EXPECT_EQ(lcsm::to_string(p.init), "0.3 * uniform");
    }
}

TEST(ModelTensors, AreCountedByTheLayer) {
  for (const char* code :
       {"model.code=1-9-1-4", "model.code=0-1-1-0@gate=frozen", "model.family=attention"})
    for (const char* skeleton : {"model.skeleton=wikitext", "model.skeleton=zoology"}) {
      const ModelPlan plan = plan_model(
          model_config({code, skeleton, "model.layers=3", "model.positions=learned"}), 7);
      lcsm::ParameterCount sum;
      for (const lcsm::Parameter& p : tensors_of(plan))
        (p.learned ? sum.learned : sum.fixed) += p.count();
      EXPECT_EQ(count_of(plan).learned, sum.learned) << code << " " << skeleton;
      EXPECT_EQ(count_of(plan).fixed, sum.fixed) << code << " " << skeleton;
    }
}

TEST(ModelTensors, HaveTheInputsAndTheHeadOfEveryTask) {
  for (const TaskRow& task : kTaskRows) {
    const std::string model = task.inputs == "sentences" ? "mega" : "ssm";
    const RunConfig config =
        parse_config("", "", {"task.name=" + std::string(task.name), "model.code=" + model},
                     [](const std::string&) {});
    EXPECT_NO_THROW(tensors_of(plan_model(config, 7))) << task.name;
  }
}

TEST(ModelTensors, HaveAnOptimizerGroup) {
  std::map<std::string, lcsm::ParameterGroup> groups;
  const RunConfig config = model_config(
      {"model.code=1-9-1-0", "model.layers=1", "model.scheme=B", "model.positions=learned"});
  for (const lcsm::Parameter& p : tensors_of(plan_model(config, 7)))
    groups[p.name] = lcsm::group_of(p);
  EXPECT_EQ(groups["embedding.weight"], lcsm::ParameterGroup::kMatrices);
  EXPECT_EQ(groups["positions.weight"], lcsm::ParameterGroup::kMatrices);
  EXPECT_EQ(groups["layers.0.mixer.oscillation.w_d"], lcsm::ParameterGroup::kGate);
  EXPECT_EQ(groups["layers.0.mixer.oscillation.p_k.weight"], lcsm::ParameterGroup::kGate);
  EXPECT_EQ(groups["layers.0.mixer.norm.weight"], lcsm::ParameterGroup::kNorm);
  EXPECT_EQ(groups["layers.0.glu.gate.bias"], lcsm::ParameterGroup::kNorm);
  EXPECT_EQ(groups["final_norm.weight"], lcsm::ParameterGroup::kNorm);
}

namespace {

using Values = std::vector<double>;

std::map<std::string, Values> first_of(const std::string& system, const char* layers) {
  std::map<std::string, Values> values;
  const RunConfig config =
      model_config({"model.system=" + system, "model.d=32", "model.skeleton=source",
                    std::string("model.layers=") + layers});
  for (const lcsm::Parameter& p : tensors_of(plan_model(config, 7)))
    if (p.drawn) values[p.name] = p.drawn(1);
  return values;
}

double share(int n, int d) { return static_cast<double>(n) / d; }

}  // namespace

// RWKV_TimeMix and RWKV_ChannelMix: ratio_0_to_1 = l / (L - 1), ratio_1_to_almost0 = 1 - l / L.
TEST(ModelTensors, OfRwkvBeginByTheirLayer) {
  const auto values = first_of("rwkv4", "3");
  for (int l = 0; l < 3; ++l) {
    const std::string layer = "layers." + std::to_string(l) + ".";
    const double up = l / 2.0, down = 1 - l / 3.0;
    for (int n = 0; n < 32; ++n) {
      const auto at = [&](const char* name) {
        return values.at(layer + name).at(static_cast<std::size_t>(n));
      };
      EXPECT_DOUBLE_EQ(at("mixer.log_decay"), -5 + 8 * std::pow(share(n, 31), 0.7 + 1.3 * up));
      EXPECT_DOUBLE_EQ(at("mixer.mix.key"), std::pow(share(n, 32), down));
      EXPECT_DOUBLE_EQ(at("mixer.mix.value"), std::pow(share(n, 32), down) + 0.3 * up);
      EXPECT_DOUBLE_EQ(at("mixer.mix.gate"), std::pow(share(n, 32), 0.5 * down));
      EXPECT_DOUBLE_EQ(at("feed.mix.key"), std::pow(share(n, 32), down));
      EXPECT_DOUBLE_EQ(at("feed.mix.gate"), std::pow(share(n, 32), down));
    }
  }
  const auto set = first_of("rwkv4@layer=1,layers=3", "2");
  EXPECT_EQ(set.at("layers.0.mixer.log_decay"), values.at("layers.1.mixer.log_decay"));
  EXPECT_EQ(set.at("layers.1.mixer.log_decay"), values.at("layers.1.mixer.log_decay"));
}

TEST(ModelTensors, OfHgrnShareTheirLowerBounds) {
  const auto values = first_of("hgrn", "3");
  EXPECT_EQ(values.at("shared.mixer.lower_bound"), Values(3 * 32, 1));
  EXPECT_FALSE(values.contains("layers.0.mixer.lower_bound"));
  EXPECT_FALSE(first_of("lrn", "3").contains("shared.mixer.lower_bound"));
  EXPECT_FALSE(
      first_of("hgrn@bound=fixed,lower_bound=0.5", "3").contains("shared.mixer.lower_bound"));

  const auto count = [](const char* system) {
    return count_of(plan_model(model_config({std::string("model.system=") + system, "model.d=32",
                                             "model.layers=3"}),
                               7))
        .total();
  };
  EXPECT_EQ(count("hgrn") - count("hgrn@bound=fixed"), 3 * 32);
}

// SSKernel of H3: measure = "diag-lin".
TEST(ModelTensors, OfH3BeginWithEvenlySpacedFrequencies) {
  const Values frequencies = first_of("h3", "1").at("layers.0.mixer.frequency");
  for (std::size_t n = 0; n < frequencies.size(); ++n)
    EXPECT_DOUBLE_EQ(frequencies[n], -std::numbers::pi * static_cast<double>(n % 32));
}

// MixerModel: initializer_range = 0.02.
TEST(ModelTensors, OfMambaBeginWithASmallEmbedding) {
  for (const std::string system : {"mamba", "mamba-2"}) {
    const RunConfig config =
        model_config({"model.system=" + system, "model.d=32", "model.skeleton=source"});
    const lcsm::Parameter first = tensors_of(plan_model(config, 7)).front();
    EXPECT_EQ(first.name, "embedding.weight");
    EXPECT_EQ(lcsm::to_string(first.init), "0.02 * normal");
  }
}

TEST(ModelTensors, OfMambaWriteLessIntoTheResidualOfManyLayers) {
  for (const char* system : {"mamba", "mamba-2"}) {
    const Values one = first_of(system, "1").at("layers.0.mixer.output.weight"),
                 four = first_of(system, "4").at("layers.0.mixer.output.weight");
    for (std::size_t n = 0; n < one.size(); ++n) EXPECT_DOUBLE_EQ(four[n], one[n] / 2);
  }
}

}  // namespace runner
