// The page in a headless browser; skipped without one.
#include <gtest/gtest.h>

#include "runner/base/process/command.h"
#include "runner/front/curves/curves_json.h"
#include "runner/front/curves/curves_page.h"
#include "tests/results/fixture.h"
#include "tests/runner/front/curves/sample_curves.h"
#include "tests/runner/run_program.h"

namespace runner {
namespace {

class Browser : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"chromium", "chromium-browser", "google-chrome"})
      if (browser_.empty() && run_command({name, "--version"}, std::chrono::seconds(60)).ok())
        browser_ = name;
    if (browser_.empty()) GTEST_SKIP() << "no chromium on PATH";
    PanelModel model = sample_model();
    model.title = "</script><script>document.title = 'broken'</script>";
    results::write_text(page(), curves_page("mine", curves_json(model, sample_curves(), {})));
  }
  std::filesystem::path page() const { return scratch_.path() / "page.html"; }

  // The page after its script has run, with these choices.
  std::string shown(const std::string& choices) const {
    const auto folder = "--user-data-dir=" + (scratch_.path() / "profile").string();
    const CommandResult ran = run_command(
        {browser_, "--headless", "--no-sandbox", "--disable-gpu", folder, "--window-size=900,900",
         "--virtual-time-budget=1000", "--dump-dom", "file://" + page().string() + choices},
        std::chrono::seconds(120), {"HOME=" + scratch_.path().string()});
    EXPECT_TRUE(ran.ok()) << ran.err;
    return ran.out;
  }

 private:
  results::Scratch scratch_;
  std::string browser_;
};

}  // namespace

TEST_F(Browser, DrawsTheCurves) {
  const std::string page = shown("");
  EXPECT_TRUE(has(page, "data-drawn=\"train.loss=3 valid.ppl=1\"")) << page.substr(0, 300);
  EXPECT_FALSE(has(page, "data-error"));
  EXPECT_TRUE(has(page, "<b class=\"failed\">1 failed</b>"));
  EXPECT_TRUE(has(page, "<title>mine</title>")) << "a hostile name stays text";
  EXPECT_TRUE(has(page, "diverged: the loss is NaN"));
}

// Two codes with two seeds each: in the legend, a color per code.
TEST_F(Browser, SeedsOfAVariantHaveOneColour) {
  const auto colours_of = [&](const char* choices) {
    std::vector<std::string> colours;
    const std::string page = shown(choices), start = "stroke-width=\"3\" stroke=\"";
    for (std::size_t at = page.find(start); at != page.npos; at = page.find(start, at + 1))
      colours.push_back(page.substr(at + start.size(), 7));
    return colours;
  };
  const std::vector<std::string> runs = colours_of(""), means = colours_of("#group=seeds");
  ASSERT_EQ(runs.size(), 4U);
  ASSERT_EQ(means.size(), 2U);
  EXPECT_NE(means[0], means[1]);
  EXPECT_EQ(runs, (std::vector{means[0], means[0], means[1], means[1]}));
}

TEST_F(Browser, KeepsChoicesInTheAddress) {
  struct Link {
    const char *choices, *drawn;
  };
  for (const auto& [choices, drawn] :
       {Link{"#x=log&y=log&smooth=0.6&theme=dark", "train.loss=3 valid.ppl=1"},
        Link{"#group=seeds&smooth=0.3&sort=-2", "train.loss=1 valid.ppl=1"},
        Link{"#metrics=valid.ppl&zoom=100..150&y=log", "valid.ppl=1"},
        Link{"#filter=code%3D1-9-1-0&at.seed=1", "train.loss=1 valid.ppl=0"},
        Link{"#hidden=00000001,00000003", "train.loss=1 valid.ppl=0"},
        Link{"#state=new&metrics=unknown&sort=99&zoom=x", "train.loss=0 valid.ppl=0"}}) {
    const std::string page = shown(choices);
    EXPECT_TRUE(has(page, "data-drawn=\"" + std::string(drawn) + "\"")) << choices;
    EXPECT_FALSE(has(page, "data-error")) << choices << page.substr(0, 300);
  }
}

}  // namespace runner
