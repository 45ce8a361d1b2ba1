#include "runner/front/panel/panel.h"

#include <algorithm>

#include "results/events/run_folder.h"
#include "runner/base/files/text_tail.h"

namespace runner {
namespace {

constexpr double kRedraw = 1;                   // seconds between frames at least
constexpr std::uintmax_t kLogBytes = 64 << 10;  // of a log, from its end

}  // namespace

Panel::Panel(PanelFeed& feed, int descriptor, bool read_only) : feed_(feed), screen_(descriptor) {
  view_.read_only = read_only;
}

int Panel::handle() { return screen_.is_ours() ? screen_.handle() : -1; }

std::vector<PanelAsk> Panel::turn(double now) {
  const bool looked = view_.page != PanelView::Page::kRuns;
  const bool news = feed_.refresh(now, looked ? view_.selected : std::nullopt);
  if (!screen_.is_ours()) return {};
  const ScreenSize size = screen_.size();
  const PanelView before = view_;
  const std::vector<PanelAsk> asked = read_keys(size.height / 2);
  if (view_.page == PanelView::Page::kLog) read_log(size.height);
  const bool changed = before.page != view_.page || before.selected != view_.selected ||
                       before.hint != view_.hint || before.log != view_.log;
  if (news || changed || size != drawn_size_ || now >= drawn_ + kRedraw) draw(now);
  return asked;
}

void Panel::draw(double now) {
  if (!screen_.is_ours()) return;
  drawn_ = now;
  drawn_size_ = screen_.size();
  Terminal terminal = err_terminal();
  terminal.width = drawn_size_.width;
  screen_.show(panel_lines(feed_.model(), view_, terminal, drawn_size_.height));
}

std::vector<PanelAsk> Panel::read_keys(int rows) {
  constexpr char kCtrlL = 12;
  std::vector<PanelAsk> asked;
  const std::string bytes = screen_.typed();
  for (const KeyPress& key : bytes.empty() ? keys_.settle() : keys_.take(bytes)) {
    if (key == KeyPress{Key::kLetter, kCtrlL}) screen_.forget();
    if (const auto ask = press(key, feed_.model(), rows, &view_)) asked.push_back(*ask);
  }
  return asked;
}

void Panel::read_log(int rows) {
  view_.log.clear();
  if (!view_.selected) return;
  const std::string& id = feed_.model().runs[*view_.selected].id;
  view_.log = last_lines(results::run_folder(feed_.workspace(), id) / results::kLogFile,
                         static_cast<std::size_t>(std::max(1, rows)), kLogBytes);
  for (std::string& line : view_.log)
    line.erase(0, line.rfind('\r') + 1);  // keeps what overwrote the line
}

}  // namespace runner
