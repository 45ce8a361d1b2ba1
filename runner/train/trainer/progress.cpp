#include "runner/train/trainer/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "runner/base/process/stderr_text.h"

namespace runner {
namespace {

std::string time_text(double seconds) {
  const auto s = static_cast<std::int64_t>(std::ceil(seconds));
  if (s < 60) return fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{} min {:02} s", s / 60, s % 60);
  if (s < 86400) return fmt::format("{} h {:02} min", s / 3600, s / 60 % 60);
  return fmt::format("{} d {:02} h", s / 86400, s / 3600 % 24);
}

std::string rate_text(double rate) {
  for (const char* unit : {"", " k", " M"}) {
    if (rate < 1000) return fmt::format("{:.3g}{}", rate, unit);
    rate /= 1000;
  }
  return fmt::format("{:.3g} G", rate);
}

std::size_t terminal_width() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace

std::string progress_text(const ProgressFacts& facts, std::int64_t first_step, double seconds) {
  std::string text = fmt::format("step {}", facts.step);
  if (facts.steps > 0) text += fmt::format("/{}", facts.steps);
  text += fmt::format(", loss {:.4g}", facts.loss);
  if (!facts.metric.empty()) text += ", " + facts.metric;
  const auto done = static_cast<double>(facts.step - first_step);
  if (seconds <= 0 || done <= 0) return text;
  text += fmt::format(", {} tokens/s", rate_text(facts.tokens / seconds));
  if (facts.steps > 0)
    text += fmt::format(", {} left",
                        time_text(seconds / done * static_cast<double>(facts.steps - facts.step)));
  return text;
}

void Progress::show(const ProgressFacts& facts) {
  if (first_step_ < 0) first_step_ = facts.step - 1;
  const auto now = Clock::now();
  if (now - last_ < every_) return;
  last_ = now;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  std::string text = progress_text(facts, first_step_, seconds);
  if (!on_terminal_) {
    print_stderr(text + "\n");
    return;
  }
  text.resize(std::min(text.size(), terminal_width() - 1));
  print_stderr("\r\033[K" + text);
  shown_ = true;
}

void Progress::clear() {
  if (shown_) print_stderr("\r\033[K");
  shown_ = false;
}

}  // namespace runner
