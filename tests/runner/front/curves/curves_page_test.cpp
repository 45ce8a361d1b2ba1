// The pages, and their completeness.
#include "runner/front/curves/curves_page.h"

#include <gtest/gtest.h>

namespace runner {
namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

}  // namespace

TEST(CurvesPage, IsSelfContained) {
  const std::string page = curves_page("mine", "{\"a\": 1}");
  for (const char* part : {"https:", "src=", "href=", "@import", "url(", "{{policy", "{{data"})
    EXPECT_EQ(count(page, part), 0u) << part;
  EXPECT_EQ(count(page, "http:"), 1u) << "the namespace of SVG";
  EXPECT_EQ(count(page, "default-src 'none'"), 1u);
  EXPECT_EQ(count(page, "prefers-color-scheme: dark)"), 2u) << "style and script";
  EXPECT_EQ(count(page, "name=\"viewport\""), 1u);
}

TEST(CurvesPage, HasDataAndEveryScriptOnce) {
  const std::string page = curves_page("mine", "{\"a\": 1}", "/data/mine.json?token=1f");
  EXPECT_EQ(count(page, "<script"), 2u);
  EXPECT_EQ(count(page, "</script>"), 2u);
  EXPECT_EQ(count(page, "<script type=\"application/json\" id=\"data\">\n{\"a\": 1}</script>"), 1u);
  EXPECT_EQ(count(page, "data-source=\"/data/mine.json?token=1f\""), 1u);
  for (const char* part : {"function seriesOf(", "function scale(", "class Chart",
                           "function tableOf(", "function start("})
    EXPECT_EQ(count(page, part), 1u) << part;
}

TEST(CurvesPage, NamesAreText) {
  const std::string page = curves_page("<i>\"", "{}");
  EXPECT_EQ(count(page, "<i>"), 0u);
  EXPECT_EQ(count(page, "&lt;i&gt;&quot;"), 2u);
}

TEST(CurvesPage, DataIsNotATemplate) {
  EXPECT_EQ(count(curves_page("mine", "{\"a\": \"{{script}}\"}"), "function start("), 1u);
}

TEST(IndexPage, ListsSweeps) {
  IndexRow row{.sweep = "mine", .address = "/mine?token=1f", .title = "A <b> title"};
  row.counts.add(results::RunState::kDone);
  row.counts.add(results::RunState::kDiverged);
  const std::string page = index_page("/data/ws", {row});
  EXPECT_EQ(count(page, "<a href=\"/mine?token=1f\">mine</a>"), 1u);
  EXPECT_EQ(count(page, "1 done, 1 failed"), 1u);
  EXPECT_EQ(count(page, "A &lt;b&gt; title"), 1u);
  EXPECT_EQ(count(index_page("/data/ws", {}), "No run of a sweep yet"), 1u);
}

}  // namespace runner
