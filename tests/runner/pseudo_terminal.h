// A program on a pseudo-terminal: a test types into it and reads its screen.
#pragma once

#include <sys/types.h>
#include <termios.h>

#include <functional>
#include <string>
#include <vector>

#include "tests/runner/run_program.h"

namespace runner {

// The screen of a terminal; understands the sequences that our panels send.
class TerminalPicture {
 public:
  void resize(int width, int height);
  void take(const std::string& bytes);
  std::string text() const;                     // lines without blanks at their ends
  bool other_screen() const { return other_; }  // the alternate screen
  bool cursor_shown() const { return cursor_; }
  const std::string& sent() const { return sent_; }  // everything

 private:
  void control(const std::string& parameters, char what);

  std::vector<std::u32string> lines_ = std::vector<std::u32string>(24);
  std::size_t row_ = 0, column_ = 0;
  std::string held_, sent_;
  bool other_ = false, cursor_ = true;
};

class PseudoTerminal {
 public:
  explicit PseudoTerminal(const Words& command, const Words& environment = {}, int width = 80,
                          int height = 24);
  ~PseudoTerminal();  // kills the program if it still runs
  PseudoTerminal(const PseudoTerminal&) = delete;
  PseudoTerminal& operator=(const PseudoTerminal&) = delete;

  void type(const std::string& keys);
  void resize(int width, int height);
  void signal(int number) const;
  void hang_up();  // as when a connection breaks; the screen no longer changes

  // Reads until the condition holds; false if that takes too long.
  bool wait_until(const std::function<bool(const TerminalPicture&)>& holds);
  bool shows(const std::string& text);
  bool stops();  // waits until a signal has stopped the program
  int wait();    // for its end; exit status, 128 + signal

  const TerminalPicture& picture() const { return picture_; }
  bool modes_are_restored() const;

 private:
  bool read_some();

  int master_ = -1;
  pid_t child_ = -1;
  termios before_{};
  TerminalPicture picture_;
};

}  // namespace runner
