#include "runner/front/panel/input.h"

#include <algorithm>
#include <utility>

#include "runner/front/panel/rows.h"

namespace runner {
namespace {

using results::RunState;
using Page = PanelView::Page;
using What = PanelAsk::What;

// With nothing selected, up selects the last run and down the first.
void move(const PanelModel& model, std::ptrdiff_t by, PanelView* view) {
  const std::vector<std::size_t> order = panel_order(model);
  if (order.empty()) return;
  const auto last = static_cast<std::ptrdiff_t>(order.size()) - 1;
  std::ptrdiff_t at = by > 0 ? -1 : last + 1;
  if (view->selected) at = std::find(order.begin(), order.end(), *view->selected) - order.begin();
  view->selected = order[static_cast<std::size_t>(std::clamp(at + by, std::ptrdiff_t{0}, last))];
}

void open_page(const PanelModel& model, Page page, PanelView* view) {
  if (!view->selected) move(model, 1, view);
  if (view->selected) view->page = page;
}

void back(PanelView* view) {
  if (view->page == Page::kRuns) view->selected.reset();
  view->page = Page::kRuns;
}

std::optional<PanelAsk> refused(PanelView* view, const char* why) {
  view->hint = why;
  return std::nullopt;
}

std::optional<PanelAsk> ask_of_run(char letter, const PanelModel& model, PanelView* view) {
  const RunState state =  // nothing selected counts as done: no request is possible
      view->selected ? counted_as(model.runs[*view->selected].state) : RunState::kDone;
  if (letter == 'c') {
    if (state != RunState::kRunning && state != RunState::kNew && state != RunState::kInterrupted)
      return refused(view, "c cancels a running or queued run: select one");
    return PanelAsk{What::kCancel, *view->selected};
  }
  if (state != RunState::kFailed && state != RunState::kInterrupted &&
      state != RunState::kCancelled)
    return refused(view, "r retries a failed or cancelled run: select one");
  return PanelAsk{What::kRetry, *view->selected};
}

std::optional<PanelAsk> ask(char letter, const PanelModel& model, PanelView* view) {
  if (view->read_only) return refused(view, "read-only panel: keys are up, down, enter, l, q");
  switch (letter) {
    case 'p':
      return PanelAsk{What::kPause};
    case '+':
      return PanelAsk{What::kJobs, 0, model.jobs + 1};
    case '-':
      return PanelAsk{What::kJobs, 0, std::max(1, model.jobs - 1)};
    case 'd':
      return PanelAsk{What::kDetach};
    default:
      return ask_of_run(letter, model, view);
  }
}

std::optional<PanelAsk> press_letter(char letter, const PanelModel& model, PanelView* view) {
  if (letter == 'l') open_page(model, Page::kLog, view);
  if (std::string_view("p+-crd").find(letter) != std::string_view::npos)
    return ask(letter, model, view);
  return std::nullopt;
}

// Leaves a page, at once; stops the runs when it is pressed again. `asked`: it was the last key.
std::optional<PanelAsk> press_q(bool asked, const PanelModel& model, PanelView* view) {
  if (view->page != Page::kRuns) {
    back(view);
    return std::nullopt;
  }
  if (view->read_only) return PanelAsk{What::kLeave};
  if (asked || model.stopping) return PanelAsk{What::kStop};
  view->asks_to_stop = true;
  return refused(view, "q again: each run writes a checkpoint and stops");
}

}  // namespace

std::optional<PanelAsk> press(const KeyPress& key, const PanelModel& model, int rows,
                              PanelView* view) {
  view->hint.clear();
  const bool asked = std::exchange(view->asks_to_stop, false);
  switch (key.key) {
    case Key::kUp:
      move(model, -1, view);
      break;
    case Key::kDown:
      move(model, 1, view);
      break;
    case Key::kPageUp:
      move(model, -std::max(1, rows), view);
      break;
    case Key::kPageDown:
      move(model, std::max(1, rows), view);
      break;
    case Key::kEnter:
      open_page(model, Page::kDetail, view);
      break;
    case Key::kEscape:
      back(view);
      break;
    case Key::kLetter:
      return key.letter == 'q' ? press_q(asked, model, view)
                               : press_letter(key.letter, model, view);
  }
  return std::nullopt;
}

}  // namespace runner
