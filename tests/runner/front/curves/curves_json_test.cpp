#include "runner/front/curves/curves_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/results/golden.h"
#include "tests/runner/front/curves/sample_curves.h"

namespace runner {

using nlohmann::json;

TEST(CurvesJson, OfASweepInAllStates) {
  const std::string text =
      curves_json(sample_model(), sample_curves(), {.time = 1763000000.5, .live = true});
  EXPECT_TRUE(json::accept(text));
  results::expect_golden("runner", "curves.json", text);
}

TEST(CurvesJson, HasStatesAsThePanelCountsThem) {
  const json data = json::parse(curves_json(sample_model(), sample_curves(), {}));
  EXPECT_EQ(data["states"], json::parse(R"({"done":1,"failed":1,"running":1,"new":1})"));
  EXPECT_EQ(data["metric"], "valid.ppl");
  EXPECT_EQ(data["metrics"], json::parse(R"(["train.loss","valid.ppl"])"));
  EXPECT_EQ(data["live"], false);
  EXPECT_EQ(data["runs"][2]["curves"]["train.loss"],
            json::parse(R"([[100,150,160,200],[7,"inf","-inf","nan"]])"));
  EXPECT_EQ(data["runs"][3]["curves"], json::object());
}

TEST(CurvesJson, HostileTextCannotLeaveThePage) {
  PanelModel model = sample_model();
  const std::string hostile = "</script><!--<script>\"\\\x1b\xff\xe2\x80\xa8";
  model.title = model.runs[0].why = model.runs[0].at[0] = hostile;
  std::vector<Curve> curves = sample_curves();
  curves[0].metric = hostile;
  const std::string text = curves_json(model, curves, {});
  EXPECT_EQ(text.find_first_of("<>\x1b\xff\xe2"), std::string::npos);
  const json data = json::parse(text);
  EXPECT_TRUE(data["title"].get<std::string>().starts_with("</script><!--<script>\"\\\x1b"));
}

TEST(CurvesJson, OfNoRunsIsValid) {
  const json data = json::parse(curves_json(PanelModel(), {}, {}));
  EXPECT_TRUE(data["runs"].empty());
  EXPECT_TRUE(data["eta_seconds"].is_null());
}

}  // namespace runner
