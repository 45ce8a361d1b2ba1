#include "runner/train/verbs/model_text.h"

#include <gtest/gtest.h>

#include "tests/runner/models/skeletons/model_config.h"

namespace runner {
namespace {

std::string text_of(const std::vector<std::string>& settings) {
  return model_text(plan_model(model_config(settings), 50));
}

bool has_line(const std::string& text, const std::string& start, const std::string& end) {
  const std::size_t at = text.find("\n" + start);
  return at != std::string::npos &&
         text.substr(at + 1, text.find('\n', at + 1) - at - 1).ends_with(end);
}

}  // namespace

TEST(ModelText, DescribesTheModel) {
  const std::string text = text_of({"model.code=1-4-1-0", "model.d=6", "model.k=2"});
  EXPECT_EQ(text.substr(0, text.find('\n')),
            "wikitext (scheme A, glu identity), 1-4-1-0, k = 2, positions none, d = 6, 10 layers, "
            "50 tokens");
  EXPECT_TRUE(has_line(text, "embedding.weight ", " 300")) << text;
  EXPECT_TRUE(has_line(text, "layers.*.mixer.expand.weight ", " 120")) << text;
  EXPECT_TRUE(has_line(text, "final_norm.bias ", " 6")) << text;
  EXPECT_EQ(text.find("layers.0"), std::string::npos);
}

TEST(ModelText, CountsTensorsThatAreNotLearnedSeparately) {
  const std::string text = text_of({"model.code=1-11-1-0", "model.d=6", "model.k=2",
                                    "model.layers=3", "model.skeleton=zoology"});
  EXPECT_TRUE(has_line(text, "layers.*.mixer.oscillation.theta_k ", " 6  not learned")) << text;
  EXPECT_TRUE(has_line(text, "fixed or frozen ", " 6")) << text;
  EXPECT_TRUE(has_line(text, "stored by the official layer", " 72")) << text;
  // 300 + 3 * (2 * 36 + 2 * 12 + 6 * 6) + 12 learned, 6 fixed, 3 * 2 * 12 stored
  EXPECT_TRUE(has_line(text, "learned ", " 708")) << text;
  EXPECT_TRUE(has_line(text, "total ", " 786")) << text;
}

TEST(ModelText, NamesTheHeadsOfAttention) {
  const std::string text = text_of({"model.family=attention", "model.d=6", "model.heads=3"});
  EXPECT_NE(text.find("attention, heads = 3, positions none, d = 6, 10 layers"), std::string::npos);
}

}  // namespace runner
