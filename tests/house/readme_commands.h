// The commands in a README and the output shown for them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace house {

struct ReadmeCommand {
  int line = 0;
  std::string command;
  bool shows_output = false;  // of a ```console block
  std::string output;         // each line ended by a newline
};

// The commands of ```sh blocks (every line) and ```console blocks (every "$ " line, with the lines
// below as its output); for a ```toml block that starts with "# FILE.toml", a command that writes
// this file.
std::vector<ReadmeCommand> commands_of(std::string_view readme);

// True if both are equal line by line; a line "..." in `shown` stands for any number of lines.
bool same_output(std::string_view shown, std::string_view printed);

// The reason why a README's command is not run here; "" = it runs.
std::string exempt_because(std::string_view command);

}  // namespace house
