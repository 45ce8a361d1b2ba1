#include "tests/runner/pseudo_terminal.h"

#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>

#include "runner/base/process/process_facts.h"

namespace runner {
namespace {

constexpr std::chrono::seconds kPatience{60};  // a busy host is no failure

// The first character and its length in bytes; 0: its end is missing.
std::size_t character(const std::string& text, char32_t* point) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const std::size_t bytes = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (text.size() < bytes) return 0;
  *point = bytes == 1 ? lead : lead & (0xFFu >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i)
    *point = *point << 6 | (static_cast<unsigned char>(text[i]) & 0x3Fu);
  return bytes;
}

std::string utf8(char32_t point) {
  if (point < 0x80) return {static_cast<char>(point)};
  const auto tail = [&](int shift) { return static_cast<char>(0x80 | ((point >> shift) & 0x3F)); };
  if (point < 0x800) return {static_cast<char>(0xC0 | point >> 6), tail(0)};
  return {static_cast<char>(0xE0 | point >> 12), tail(6), tail(0)};
}

}  // namespace

void TerminalPicture::resize(int, int height) { lines_.resize(static_cast<std::size_t>(height)); }

void TerminalPicture::control(const std::string& parameters, char what) {
  if (parameters == "?1049") {
    other_ = what == 'h';
    lines_.assign(lines_.size(), {});
    row_ = column_ = 0;
  }
  if (parameters == "?25") cursor_ = what == 'h';
  if (what == 'J') lines_.assign(lines_.size(), {});
  if (what == 'K') lines_[row_].resize(std::min(lines_[row_].size(), column_));
  if (what == 'H') {
    row_ = static_cast<std::size_t>(std::max(1, std::atoi(parameters.c_str()))) - 1;
    column_ = 0;
    if (row_ >= lines_.size()) lines_.resize(row_ + 1);
  }
}

void TerminalPicture::take(const std::string& bytes) {
  sent_ += bytes;
  held_ += bytes;
  while (!held_.empty()) {
    if (held_[0] == '\033') {
      const std::size_t end = held_.find_first_not_of("0123456789;?", 2);
      if (held_.size() < 2 || end == std::string::npos) return;
      control(held_.substr(2, end - 2), held_[end]);
      held_.erase(0, end + 1);
      continue;
    }
    char32_t point = 0;
    const std::size_t length = character(held_, &point);
    if (length == 0) return;
    held_.erase(0, length);
    if (point == '\n' && ++row_ == lines_.size()) {
      lines_.erase(lines_.begin());
      lines_.emplace_back();
      --row_;
    }
    if (point == '\n' || point == '\r') column_ = 0;
    if (point < 0x20) continue;
    lines_[row_].resize(std::max(lines_[row_].size(), column_ + 1), U' ');
    lines_[row_][column_++] = point;
  }
}

std::string TerminalPicture::text() const {
  std::string text;
  for (const std::u32string& line : lines_) {
    for (const char32_t point : line) text += utf8(point);
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  return text;
}

PseudoTerminal::PseudoTerminal(const Words& command, const Words& environment, int width,
                               int height) {
  winsize size{};
  size.ws_row = static_cast<unsigned short>(height);
  size.ws_col = static_cast<unsigned short>(width);
  picture_.resize(width, height);
  child_ = forkpty(&master_, nullptr, nullptr, &size);
  if (child_ == 0) become_program(command, environment);
  tcgetattr(master_, &before_);
}

PseudoTerminal::~PseudoTerminal() {
  if (child_ > 0) {
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
  }
  if (master_ >= 0) close(master_);
}

void PseudoTerminal::type(const std::string& keys) {
  (void)!write(master_, keys.data(), keys.size());
}

void PseudoTerminal::resize(int width, int height) {
  winsize size{};
  size.ws_row = static_cast<unsigned short>(height);
  size.ws_col = static_cast<unsigned short>(width);
  picture_.resize(width, height);
  ioctl(master_, TIOCSWINSZ, &size);
}

void PseudoTerminal::signal(int number) const { kill(child_, number); }

void PseudoTerminal::hang_up() {
  close(master_);
  master_ = -1;
}

bool PseudoTerminal::stops() {
  return wait_until([this](const TerminalPicture&) {
    const auto facts = facts_of_process(child_);
    return facts && facts->state == 'T';
  });
}

bool PseudoTerminal::read_some() {
  if (master_ < 0) return false;
  pollfd ready{master_, POLLIN, 0};
  if (poll(&ready, 1, 50) <= 0) return true;
  std::array<char, 65536> buffer;
  const ssize_t got = read(master_, buffer.data(), buffer.size());
  if (got > 0) picture_.take({buffer.data(), static_cast<std::size_t>(got)});
  return got > 0;
}

bool PseudoTerminal::wait_until(const std::function<bool(const TerminalPicture&)>& holds) {
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  while (!holds(picture_)) {
    const bool open = read_some();
    if (!open || std::chrono::steady_clock::now() > deadline) return holds(picture_);
  }
  return true;
}

bool PseudoTerminal::shows(const std::string& text) {
  return wait_until([&](const TerminalPicture& picture) {
    return picture.text().find(text) != std::string::npos;
  });
}

int PseudoTerminal::wait() {
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  int status = 0;
  while (waitpid(child_, &status, WNOHANG) == 0) {
    if (!read_some()) usleep(10'000);
    if (std::chrono::steady_clock::now() > deadline) kill(child_, SIGKILL);
  }
  child_ = -1;
  while (read_some()) {
    pollfd more{master_, POLLIN, 0};
    if (poll(&more, 1, 0) <= 0) break;
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

bool PseudoTerminal::modes_are_restored() const {
  termios now{};
  return tcgetattr(master_, &now) == 0 && now.c_iflag == before_.c_iflag &&
         now.c_oflag == before_.c_oflag && now.c_lflag == before_.c_lflag &&
         std::memcmp(now.c_cc, before_.c_cc, sizeof now.c_cc) == 0;
}

}  // namespace runner
