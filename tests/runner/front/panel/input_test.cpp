#include "runner/front/panel/input.h"

#include <gtest/gtest.h>

namespace runner {
namespace {

using results::RunState;
using Page = PanelView::Page;
using What = PanelAsk::What;

class PanelInput : public ::testing::Test {
 protected:
  PanelInput() {
    model.jobs = 2;
    for (const RunState state :
         {RunState::kDone, RunState::kDiverged, RunState::kRunning, RunState::kNew})
      model.runs.push_back({"id", {}, state});
  }
  std::optional<PanelAsk> type(char letter) {
    return press({Key::kLetter, letter}, model, 10, &view);
  }
  void type(Key key) { EXPECT_FALSE(press({key}, model, 10, &view).has_value()); }

  PanelModel model;
  PanelView view;
};

}  // namespace

TEST_F(PanelInput, MovesThroughTheRunsAsTheyAreListed) {
  for (const std::size_t run : {2, 1, 3, 0, 0}) {
    type(Key::kDown);
    EXPECT_EQ(view.selected, run);
  }
  type(Key::kPageUp);
  EXPECT_EQ(view.selected, 2u);
  type(Key::kEscape);
  EXPECT_FALSE(view.selected.has_value());
}

TEST_F(PanelInput, OpensAndClosesPages) {
  type(Key::kEnter);
  EXPECT_EQ(view.page, Page::kDetail);
  EXPECT_EQ(view.selected, 2u) << "the first, where none was";
  type('l');
  EXPECT_EQ(view.page, Page::kLog);
  EXPECT_FALSE(type('q').has_value()) << "q only leaves the page";
  EXPECT_EQ(view.page, Page::kRuns);
}

TEST_F(PanelInput, RequestsJobsPauseAndStop) {
  EXPECT_EQ(type('+')->jobs, 3);
  EXPECT_EQ(type('-')->jobs, 1);
  model.jobs = 1;
  EXPECT_EQ(type('-')->jobs, 1) << "p pauses";
  EXPECT_EQ(type('p')->what, What::kPause);
}

TEST_F(PanelInput, StopsWhenAskedTwice) {
  EXPECT_FALSE(type('q').has_value());
  EXPECT_EQ(view.hint, "q again: each run writes a checkpoint and stops");
  type(Key::kDown);
  EXPECT_FALSE(type('q').has_value()) << "another key came in between";
  EXPECT_EQ(type('q')->what, What::kStop);
  model.stopping = true;
  EXPECT_EQ(type('q')->what, What::kStop) << "kills them";
}

TEST_F(PanelInput, CancelsAndRetriesOnlyWhatCanBe) {
  EXPECT_FALSE(type('c').has_value());
  EXPECT_EQ(view.hint, "c cancels a running or queued run: select one");
  view.selected = 2;
  EXPECT_EQ(type('c')->run, 2u);
  EXPECT_EQ(view.hint, "");
  EXPECT_FALSE(type('r').has_value());
  view.selected = 1;
  EXPECT_EQ(type('r')->what, What::kRetry);
}

TEST_F(PanelInput, AReadOnlyPanelRequestsNothing) {
  view.read_only = true;
  view.selected = 2;
  for (const char letter : {'p', '+', '-', 'c', 'r'}) {
    EXPECT_FALSE(type(letter).has_value()) << letter;
    EXPECT_TRUE(view.hint.starts_with("read-only panel")) << letter;
  }
  EXPECT_EQ(type('q')->what, What::kLeave);
}

}  // namespace runner
