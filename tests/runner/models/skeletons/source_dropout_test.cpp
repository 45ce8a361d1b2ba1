// Dropout inside the blocks of named systems, as their models drop.
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <gtest/gtest.h>

#include <cmath>

#include "runner/systems/system.h"
#include "tests/runner/models/skeletons/model_cases.h"

namespace runner {
namespace {

using at::Tensor;

constexpr double kShare = 0.25;

// The amount that one layer without norms adds to the embedding.
Tensor update_of(const Model& model, const Tensor& tokens, Dropout& dropout) {
  return model.hidden({tokens}, dropout) - model.embedding().index({tokens});
}

Model source_dropout_model_of(const std::string& system) {
  return make_model(model_config({"model.system=" + system, "model.skeleton=source", "model.d=64",
                                  "model.layers=1", "model.dropout=0.25", "task.length=8"}),
                    6, at::kDouble);
}

// An s5 whose gate is a half: its update is the dropout of half the dropout of GELU, so the two
// masks remain after dividing by an undropped update.
Tensor masks_of_s5(std::int64_t B) {
  const at::NoGradGuard no_gradients;
  const Model model = source_dropout_model_of("s5@output=half_glu1,norm=none");
  for (const ModelParameter& p : model.parameters())
    if (p.name.find("gate.weight") != std::string::npos) p.tensor.zero_();
  const Tensor tokens = some_tokens(B, 8, 6);
  Dropout none, dropout(3, 5);
  const Tensor plain = update_of(model, tokens, none);
  return update_of(model, tokens, dropout) / plain;
}

}  // namespace

// At rate 0 nothing needs the attention weights, which would form T x T. The fused attention and
// the dense one differ in their last bits.
TEST(SourceDropout, OfRateZeroComputesAsAnEvaluation) {
  const Model model = make_model(
      model_config({"model.system=transformer@heads=2", "model.skeleton=source", "model.d=64",
                    "model.layers=2", "model.dropout=0", "task.length=64"}),
      6, at::kFloat);
  const Tensor tokens = some_tokens(3, 64, 6);
  Dropout none, dropout(3, 5);
  EXPECT_TRUE(model.hidden({tokens}, dropout).equal(model.hidden({tokens}, none)));
}

TEST(SourceDropout, HasOneMaskForAllSteps) {
  const Tensor masks = masks_of_s5(4);
  EXPECT_LE((masks - masks.narrow(1, 0, 1)).abs().max().item<double>(), 1e-9);
  const Tensor first = masks.select(1, 0);
  // Each sequence has another mask.
  EXPECT_GT((first[0] - first[1]).abs().max().item<double>(), 1);
}

TEST(SourceDropout, KeepsTheMeanOfBothPlaces) {
  const Tensor masks = masks_of_s5(128).select(1, 0);
  const double kept = std::pow(1 - kShare, 2), count = static_cast<double>(masks.numel());
  // Five standard deviations of a binomial.
  EXPECT_NEAR(masks.gt(0.5).sum().item<double>() / count, kept,
              5 * std::sqrt(kept * (1 - kept) / count));
  EXPECT_NEAR(masks.max().item<double>(), 1 / kept, 1e-6);
  EXPECT_NEAR(masks.mean().item<double>(), 1, 5 * std::sqrt((1 / kept - 1) / count));
}

TEST(SourceDropout, IsTiedWhereItsAuthorsTieIt) {
  for (const char* name : {"s4", "s4d", "s4+", "dss", "s5"})
    EXPECT_TRUE(system_named(name)->tied) << name;
  for (const char* name : {"etsmlp", "mega", "h3", "tnn"})
    EXPECT_FALSE(system_named(name)->tied) << name;
}

TEST(SourceDropout, OfNothingChangesNothing) {
  const at::NoGradGuard no_gradients;
  const Model model =
      make_model(model_config({"model.system=s4", "model.skeleton=source", "model.d=8",
                               "model.layers=2", "model.dropout=0", "task.length=8"}),
                 6, at::kDouble);
  const Tensor tokens = some_tokens(2, 8, 6);
  Dropout first(3, 5), second(4, 9);
  EXPECT_TRUE(model.hidden({tokens}, first).equal(model.hidden({tokens}, second)));
}

}  // namespace runner
