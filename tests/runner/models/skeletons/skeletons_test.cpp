#include "runner/models/skeletons/skeletons.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/remainder.h>
#include <ATen/ops/rsqrt.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "lcsm/tensors/safetensors.h"
#include "runner/models/blocks/block.h"
#include "runner/models/blocks/channel_mixers.h"
#include "runner/models/skeletons/mixers.h"
#include "tests/runner/models/skeletons/model_cases.h"
#include "tests/runner/shared_files.h"

namespace runner {
namespace {

using at::Tensor;

// ----- The models of the LCSM authors' fork of zoology -----

std::string our_name(std::string theirs) {
  static const std::vector<std::pair<std::string, std::string>> kNames = {
      {"backbone.embeddings.word_embeddings", "embedding"},
      {"backbone.embeddings.position_embeddings", "positions"},
      {"backbone.layers", "layers"},
      {"backbone.ln_f", "final_norm"},
      {".norm1", ".mixer_norm"},
      {".norm2", ".state_norm"},
      {"sequence_mixer.Wqkv", "mixer.qkv"},
      {"sequence_mixer.out_proj", "mixer.output"},
      {"sequence_mixer.i_proj", "mixer.input"},
      {"sequence_mixer.e_proj", "mixer.expand"},
      {"sequence_mixer.s_proj", "mixer.shrink"},
      {"sequence_mixer.o_proj", "mixer.output"},
      {"sequence_mixer.norm", "mixer.norm"}};
  for (const auto& [from, to] : kNames)
    if (const std::size_t at = theirs.find(from); at != std::string::npos)
      theirs.replace(at, from.size(), to);
  return theirs;
}

RunConfig config_of(const nlohmann::json& options) {
  const auto text = [&](const char* key) { return options.at(key).dump(); };
  std::vector<std::string> settings = {"model.skeleton=zoology", "model.d=" + text("d"),
                                       "model.layers=" + text("layers")};
  if (options.at("mixer") == "MHA") {
    settings.insert(settings.end(),
                    {"model.family=attention", "model.heads=" + text("heads"),
                     "model.positions=learned", "task.length=" + text("max_position_embeddings")});
  } else {
    // The files give tau for every code, but some codes do not use it.
    const lcsm::Catalogue catalogue;
    const std::string code = options.at("code");
    const lcsm::Expr o = catalogue.find(lcsm::parse_code(code, catalogue).o)->o;
    const bool has_tau = lcsm::to_string(o).find("tau") != std::string::npos;
    settings.push_back("model.code=" + code + "@k=" + text("k") +
                       (has_tau ? ",tau=" + text("tau") : ""));
  }
  return model_config(settings);
}

// A model with the file's weights; gates that zoology stores but does not use are skipped.
Model model_of(const lcsm::SafeTensors& file) {
  const auto options = nlohmann::json::parse(file.metadata.at("options"));
  Model model = make_model(config_of(options), options.at("vocab"), at::kDouble);
  std::map<std::string, Tensor> theirs;
  for (const auto& [name, tensor] : file.tensors)
    if (name.starts_with("weight.")) theirs[our_name(name.substr(7))] = tensor;
  const at::NoGradGuard none;
  for (const ModelParameter& p : model.parameters()) p.tensor.copy_(theirs.at(p.name));
  return model;
}

double relative(const Tensor& ours, const Tensor& theirs) {
  return ((ours - theirs).norm() / theirs.norm()).item<double>();
}

// float64 through two layers: every number agrees to 1e-9, most to 1e-15.
void expect_agreement(const lcsm::SafeTensors& file) {
  const auto& given = file.tensors;
  const Model model = model_of(file);
  Dropout none;
  const Tensor h = model.hidden({given.at("input.ids")}, none), logits = model.logits(h);
  EXPECT_LT(relative(logits, given.at("output.logits")), 1e-9);
  const Tensor labels = given.at("input.labels"), scored = labels.ne(-100);
  const Tensor loss =
      at::cross_entropy_loss(model.logits(h.index({scored})), labels.index({scored}));
  EXPECT_LT(relative(loss, given.at("output.loss")), 1e-9);
  const auto weights = trained_by_name(model);
  std::vector<Tensor> leaves;
  for (const auto& [name, tensor] : weights) leaves.push_back(tensor);
  const auto gradients = torch::autograd::grad(
      {logits, loss}, leaves, {given.at("grad_output.logits"), given.at("grad_output.loss")});
  std::map<std::string, Tensor> theirs;
  for (const auto& [name, tensor] : given)
    if (name.starts_with("grad.weight.")) theirs[our_name(name.substr(12))] = tensor;
  ASSERT_EQ(theirs.size(), weights.size());
  std::size_t n = 0;
  for (const auto& [name, tensor] : weights)
    EXPECT_LT(relative(gradients[n++], theirs.at(name)), 1e-9) << name;
}

// ----- The definitions, written out independently -----

Tensor plain_norm(const Tensor& x) {
  const Tensor off = x - x.mean(-1, true);
  return off * at::rsqrt(off.square().mean(-1, true) + 1e-5);
}

Tensor affine(const Parts& parts, const std::string& name, const Tensor& x) {
  return plain_norm(x) * parts.at(name).at("weight") + parts.at(name).at("bias");
}

}  // namespace

TEST(Skeletons, AgreeWithZoologysModels) {
  const std::filesystem::path folder = shared_file("cases/zoology_lm");
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << folder << " not found";
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    SCOPED_TRACE(entry.path().filename());
    expect_agreement(lcsm::read_safetensors(entry.path()));
    ++files;
  }
  EXPECT_GE(files, 2);
}

TEST(Skeletons, WikitextAddsMixerAndGluAfterNorms) {
  const Model model = small_model({"model.code=1-9-1-4", "model.k=3"});
  const Tensor tokens = some_tokens(2, 5, 6);
  Tensor x = 2 * model.embedding().index({tokens});  // sqrt(d)
  for (std::size_t n = 0; n < model.layers().size(); ++n) {
    const Parts& layer = model.layers()[n];
    x = x + model.mixers()[n].mix(layer.at("mixer"), affine(layer, "mixer_norm", x), {}).output;
    x = x + glu(layer.at("glu"), "identity", affine(layer, "glu_norm", x));
  }
  Dropout none;
  EXPECT_TRUE(at::allclose(model.hidden({tokens}, none), affine(model.around(), "final_norm", x),
                           1e-12, 1e-12));
}

TEST(Skeletons, SchemeBDividesByTheRootMeanSquare) {
  const Model model = small_model({"model.family=attention", "model.heads=1", "model.scheme=B",
                                   "model.layers=1", "model.glu=relu"});
  const auto simple = [](const Tensor& v) {
    return v * at::rsqrt(v.square().mean(-1, true) + 1e-5);
  };
  const Tensor tokens = some_tokens(2, 5, 6);
  const Parts& layer = model.layers()[0];
  Tensor x = 2 * model.embedding().index({tokens});
  x = x + model.mixers()[0].mix(layer.at("mixer"), simple(x), {}).output;
  x = x + glu(layer.at("glu"), "relu", simple(x));
  Dropout none;
  EXPECT_TRUE(at::allclose(model.hidden({tokens}, none), affine(model.around(), "final_norm", x),
                           1e-12, 1e-12));
}

TEST(Skeletons, ZoologyPutsAnMlpAfterTheMixer) {
  const Model model = small_model({"model.code=1-3-1-2", "model.k=3", "model.skeleton=zoology",
                                   "model.state_mixer=mlp", "model.layers=1"});
  const Tensor tokens = some_tokens(2, 5, 6);
  const Parts& layer = model.layers()[0];
  Tensor r = model.embedding().index({tokens});
  r = r + model.mixers()[0].mix(layer.at("mixer"), affine(layer, "mixer_norm", r), {}).output;
  r = r + mlp(layer.at("state_mixer"), affine(layer, "state_norm", r));
  Dropout none;
  EXPECT_TRUE(at::allclose(model.hidden({tokens}, none), affine(model.around(), "final_norm", r),
                           1e-12, 1e-12));
}

// Each example has one of the four outputs of a last layer whose two units are skipped or doubled.
TEST(Skeletons, SkipUnitsOfTheLastLayerExampleByExample) {
  const at::NoGradGuard no_gradients;
  const Model model = small_model(
      {"model.code=1-9-1-4", "model.k=3", "model.dropout=0", "model.depth_dropout=0.5"});
  const Tensor tokens = some_tokens(40, 5, 6);
  const auto output = [&](double mixer, double feed) {
    Tensor x = 2 * model.embedding().index({tokens});  // sqrt(d)
    for (std::size_t n = 0; n < 2; ++n) {
      const Parts& layer = model.layers()[n];
      x = x +
          (n == 0 ? 1 : mixer) *
              model.mixers()[n].mix(layer.at("mixer"), affine(layer, "mixer_norm", x), {}).output;
      x = x + (n == 0 ? 1 : feed) * glu(layer.at("glu"), "identity", affine(layer, "glu_norm", x));
    }
    return affine(model.around(), "final_norm", x);
  };
  Dropout dropout(3, 5);
  const Tensor got = model.hidden({tokens}, dropout);
  std::array<int, 4> counts{};
  for (int which = 0; which < 4; ++which) {
    const Tensor off = (got - output(which % 2 * 2, which / 2 * 2)).abs().flatten(1).amax(1);
    counts[static_cast<std::size_t>(which)] = off.lt(1e-9).sum().item<int>();
  }
  for (const int count : counts) EXPECT_GT(count, 2);
  EXPECT_EQ(counts[0] + counts[1] + counts[2] + counts[3], 40);
}

TEST(Skeletons, OfAllKindsSkipUnitsInTrainingAlone) {
  const at::NoGradGuard no_gradients;
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{"model.code=1-3-1-2", "model.k=3", "model.skeleton=zoology"},
        {"model.code=1-3-1-2", "model.k=3"},
        {"model.system=mega", "model.skeleton=source"}}) {
    std::vector<std::string> settings = more;
    settings.insert(settings.end(), {"model.dropout=0", "model.depth_dropout=0.5"});
    const Model model = small_model(settings);
    const Tensor same = some_tokens(1, 5, 6).expand({30, 5}).contiguous();
    Dropout none, dropout(3, 5);
    const Tensor plain = model.hidden({same}, none), dropped = model.hidden({same}, dropout);
    std::set<double> outputs;
    for (int b = 0; b < 30; ++b) {
      EXPECT_TRUE(at::allclose(plain[b], plain[0], 1e-9, 1e-9)) << more.back();
      outputs.insert(std::round(1e6 * dropped[b].square().sum().item<double>()));
      outputs.insert(std::round(1e6 * dropped[b][0][0].item<double>()));
    }
    EXPECT_GT(outputs.size(), 3u) << more.back();
    EXPECT_LE(outputs.size(), 8u) << more.back();
  }
}

TEST(Skeletons, TellABlockItsLayer) {
  const Model model = small_model({"model.system=tnl@heads=2"});
  const Tensor x = lcsm::random_input(1, 5, 4, 3);
  for (std::size_t n = 0; n < 2; ++n) {
    const System system = parse_system("tnl@heads=2,layers=2,layer=" + std::to_string(n));
    const lcsm::Weights& weights = model.layers()[n].at("mixer");
    EXPECT_TRUE(model.mixers()[n]
                    .mix(weights, x, {})
                    .output.equal(block_forward(mixer_of(system, 4), weights, x, {}).output));
  }
}

TEST(Skeletons, AreCausal) {
  for (const auto& settings : kinds_of_models()) {
    const Model model = small_model(settings);
    Dropout none;
    const Tensor tokens = some_tokens(2, 5, 6), other = tokens.clone();
    other.select(1, 4).copy_(at::remainder(other.select(1, 4) + 1, 6));
    EXPECT_TRUE(at::allclose(model.hidden({tokens}, none).narrow(1, 0, 4),
                             model.hidden({other}, none).narrow(1, 0, 4), 1e-13, 1e-13))
        << settings[0];
  }
}

}  // namespace runner
