#include "runner/models/skeletons/banded.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include "tests/message_of.h"
#include "tests/runner/models/skeletons/model_cases.h"

namespace runner {
namespace {

using at::Tensor;

// V = 6 in bands of 1, 2 and 3 tokens with vectors of 4, 2 and 1 channels.
Model banded_model() {
  return small_model({"model.code=1-3-1-2", "model.softmax=adaptive", "task.tokens=ranked-words",
                      "model.cutoffs=1,3", "model.narrowing=2"});
}

Tensor of_band(const Model& model, int band, const std::string& name) {
  return model.around().at("embedding").at(std::to_string(band) + "." + name);
}

TEST(Banded, EmbedsEachTokenByItsBand) {
  const Model model = banded_model();
  std::vector<Tensor> vectors;
  for (int band = 0; band < 3; ++band)
    vectors.push_back(of_band(model, band, "weight").matmul(of_band(model, band, "project").t()));
  const Tensor tokens = some_tokens(3, 5, 6), table = at::cat(vectors);
  EXPECT_LT((model.banded()->embed(tokens) - table.index({tokens})).abs().max().item<double>(),
            1e-15);
}

// Operations on the meta device refuse tensors of a CPU, as those on a GPU do.
TEST(Banded, FindsBandsOnTheDeviceOfTheTokens) {
  const Model model = banded_model();
  const Tensor tokens = at::arange(6, at::kLong);
  EXPECT_TRUE(
      model.banded()->bands_of_tokens(tokens).equal(at::tensor({0, 1, 1, 2, 2, 2}, at::kLong)));
  EXPECT_TRUE(model.banded()->bands_of_tokens(tokens.to(at::kMeta)).is_meta());
}

TEST(Banded, IsADistributionInWhichABandIsChosenFirst) {
  const Model model = banded_model();
  const Tensor h = at::arange(8, at::kDouble).view({2, 4}) / 7 - 0.4;
  const Tensor p = model.logits(h).exp();
  ASSERT_EQ(p.sizes(), (std::vector<std::int64_t>{2, 6}));
  for (const int row : {0, 1}) {
    EXPECT_NEAR(p[row].sum().item<double>(), 1, 1e-14);
    const Tensor first =
        at::cat({of_band(model, 0, "weight"), model.around().at("bands").at("weight")})
            .matmul(h[row])
            .softmax(0);
    const Tensor last = of_band(model, 2, "weight")
                            .matmul(of_band(model, 2, "project").t().matmul(h[row]))
                            .softmax(0);
    EXPECT_NEAR(p[row][0].item<double>(), first[0].item<double>(), 1e-14);
    EXPECT_NEAR(p[row][5].item<double>(), (first[2] * last[2]).item<double>(), 1e-14);
  }
}

TEST(Banded, NeedsAVocabularyBeyondTheLastCutoff) {
  const RunConfig config =
      model_config({"model.code=1-3-1-2", "model.softmax=adaptive", "task.tokens=ranked-words",
                    "model.cutoffs=3,6", "model.d=16"});
  EXPECT_EQ(message_of<std::invalid_argument>([&] { make_model(config, 6); }),
            "model.cutoffs: expected less than the 6 tokens of the vocabulary, got 3,6");
  EXPECT_EQ(make_model(config, 7).banded()->bands().size(), 3u);
}

}  // namespace
}  // namespace runner
