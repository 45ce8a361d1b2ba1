#include "runner/front/panel/screen.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <system_error>

#include "runner/base/process/process_facts.h"

namespace runner {
namespace {

// Alternate screen, no cursor, no line wrapping; and back. Clears the screen first: if the width
// has changed, tmux would push its wide lines into the main screen.
constexpr char kEnter[] = "\033[?1049h\033[?25l\033[?7l\033[2J";
constexpr char kLeave[] = "\033[0m\033[?7h\033[?25h\033[2J\033[?1049l";

// State for signal handlers; set while a screen exists.
volatile std::sig_atomic_t taken = 0;  // the terminal is in our mode
int terminal_handle = -1;
termios before{};
const ScreenGuard* guard = nullptr;

// Async-signal-safe. Waits only briefly for a terminal that accepts nothing.
void give_back() {
  if (taken == 0) return;
  taken = 0;
  const int kept = errno;
  pollfd room{terminal_handle, POLLOUT, 0};
  poll(&room, 1, 500);
  tcsetattr(terminal_handle, TCSANOW, &before);
  (void)!write(terminal_handle, kLeave, sizeof kLeave - 1);
  guard->tell(false);
  errno = kept;
}

void end_by(int number) {
  give_back();
  signal(number, SIG_DFL);
  raise(number);
}

// Ctrl-Z: the shell gets its terminal back; `is_ours` takes it over again after `fg`.
void stop_by(int) {
  give_back();
  raise(SIGSTOP);
}

// Redraws everything, since another program may have used the terminal meanwhile.
void go_on(int) { taken = 0; }

constexpr std::array kDeadly = {SIGINT,  SIGTERM, SIGHUP, SIGQUIT, SIGABRT,
                                SIGSEGV, SIGBUS,  SIGFPE, SIGILL};
std::array<struct sigaction, kDeadly.size()> deadly_before{};
struct sigaction stop_before = {}, continue_before = {};

void listen() {
  struct sigaction action = {};
  action.sa_handler = end_by;
  for (std::size_t i = 0; i < kDeadly.size(); ++i) {
    sigaction(kDeadly[i], &action, &deadly_before[i]);
    if (deadly_before[i].sa_handler == SIG_IGN) signal(kDeadly[i], SIG_IGN);  // as under nohup
  }
  action.sa_handler = stop_by;
  action.sa_flags = SA_RESTART;
  sigaction(SIGTSTP, &action, &stop_before);
  action.sa_handler = go_on;
  sigaction(SIGCONT, &action, &continue_before);
}

void listen_no_more() {
  for (std::size_t i = 0; i < kDeadly.size(); ++i)
    sigaction(kDeadly[i], &deadly_before[i], nullptr);
  sigaction(SIGTSTP, &stop_before, nullptr);
  sigaction(SIGCONT, &continue_before, nullptr);
}

bool in_foreground(int descriptor) { return tcgetpgrp(descriptor) == getpgrp(); }

}  // namespace

bool can_hold_panel(int descriptor) {
  const std::string term = environment_variable("TERM");
  return isatty(descriptor) == 1 && !term.empty() && term != "dumb" && in_foreground(descriptor);
}

PanelScreen::PanelScreen(int descriptor) {
  std::array<char, 256> name{};
  if (ttyname_r(descriptor, name.data(), name.size()) == 0)
    file_ = lcsm::OpenFile(name.data(), O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  if (!file_.is_open() || tcgetattr(file_.handle(), &before) != 0)
    throw std::system_error(errno, std::generic_category(), "cannot open the terminal");
  terminal_handle = file_.handle();
  guard_.emplace(terminal_handle, before, kLeave);
  guard = &*guard_;
  listen();
  enter();
}

PanelScreen::~PanelScreen() {
  pending_.clear();
  // A terminal without a foreground has lost its session; another program may still show it.
  if (in_foreground(file_.handle()) || tcgetpgrp(file_.handle()) < 0) give_back();
  taken = 0;
  guard->tell(false);
  listen_no_more();
  terminal_handle = -1;
}

// Keys one by one, without echo; Ctrl-C and Ctrl-Z remain signals, Ctrl-S does not stop output.
void PanelScreen::enter() {
  termios ours = before;
  ours.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  ours.c_iflag &= ~static_cast<tcflag_t>(IXON);
  ours.c_cc[VMIN] = 0;
  ours.c_cc[VTIME] = 0;
  taken = 1;
  guard->tell(true);
  tcsetattr(file_.handle(), TCSANOW, &ours);
  pending_ = kEnter;
  whole_ = true;
}

bool PanelScreen::is_ours() {
  if (!in_foreground(file_.handle())) return false;
  if (taken == 0) enter();
  return true;
}

std::string PanelScreen::typed() {
  std::array<char, 64> buffer;
  const ssize_t got = read(file_.handle(), buffer.data(), buffer.size());
  return got > 0 ? std::string(buffer.data(), static_cast<std::size_t>(got)) : "";
}

ScreenSize PanelScreen::size() const {
  winsize size{};
  if (ioctl(file_.handle(), TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0)
    return {};
  return {size.ws_col, size.ws_row};
}

void PanelScreen::forget() { whole_ = true; }

bool PanelScreen::flush() {
  while (!pending_.empty()) {
    const ssize_t put = write(file_.handle(), pending_.data(), pending_.size());
    if (put <= 0) return false;
    pending_.erase(0, static_cast<std::size_t>(put));
  }
  return true;
}

void PanelScreen::show(const std::vector<std::string>& lines) {
  if (!flush()) return;
  const ScreenSize now = size();
  if (whole_ || now != shown_size_) {
    pending_ += "\033[0m\033[2J";
    shown_.clear();
  }
  whole_ = false;
  shown_size_ = now;
  for (std::size_t i = 0; i < std::max(lines.size(), shown_.size()); ++i) {
    const std::string line = i < lines.size() ? lines[i] : "";
    if (line == (i < shown_.size() ? shown_[i] : "")) continue;
    pending_ += "\033[" + std::to_string(i + 1) + ";1H\033[K" + line + "\033[0m";
  }
  shown_ = lines;
  flush();
}

}  // namespace runner
