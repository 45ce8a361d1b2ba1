#include "tests/house/readme_commands.h"

#include <algorithm>
#include <array>

namespace house {
namespace {

struct Exempt {
  std::string_view
      command;  // the whole line; if it ends in a blank, it matches every line that starts with it
  std::string_view reason;
};

constexpr std::array kExempt = {
    Exempt{"./bootstrap", "sets up and builds; the set-up tests run it"},
    Exempt{"./bootstrap test", "runs this very test"},
    Exempt{"./bootstrap kit", "packs this very test; the kit tests run it"},
    Exempt{"./bootstrap package", "builds what is being tested; the package's test runs the rest"},
    Exempt{".ci/run", "runs this very test"},
    Exempt{"git clone ", "needs a network"},
    Exempt{"cmake ", "builds what is being tested"},
    Exempt{"ctest ", "runs this very test"},
};

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

bool lines_match(const std::vector<std::string_view>& shown, std::size_t s,
                 const std::vector<std::string_view>& printed, std::size_t p) {
  if (s == shown.size()) return p == printed.size();
  if (shown[s] == "...")
    return lines_match(shown, s + 1, printed, p) ||
           (p < printed.size() && lines_match(shown, s, printed, p + 1));
  return p < printed.size() && shown[s] == printed[p] && lines_match(shown, s + 1, printed, p + 1);
}

// Adds one line of a block: a command, a continuation of the command before, or its output.
void take_line(std::string_view line, int number, bool console, std::vector<ReadmeCommand>& found,
               bool& continued) {
  const bool prompt = line.starts_with("$ ");
  if (continued) {
    found.back().command.pop_back();
    found.back().command += line;
  } else if (console && !prompt) {
    if (!found.empty()) found.back().output.append(line).append("\n");
    return;
  } else {
    if (prompt) line.remove_prefix(2);
    if (line.empty() || line.starts_with('#')) return;
    found.push_back({number, std::string(line), console, ""});
  }
  continued = found.back().command.ends_with('\\');
}

// Adds one line of a ```toml block: the first may name a file, to which the others are written.
void take_file_line(std::string_view line, int number, bool first,
                    std::vector<ReadmeCommand>& found, bool& continued) {
  if (first && line.starts_with("# ") && line.ends_with(".toml")) {
    found.push_back({number,
                     "cat > " + std::string(line.substr(2)) + " <<'END'\n" + std::string(line),
                     false, ""});
    continued = true;
  } else if (continued) {
    found.back().command.append("\n").append(line);
  }
}

}  // namespace

std::vector<ReadmeCommand> commands_of(std::string_view readme) {
  std::vector<ReadmeCommand> found;
  std::string_view block;  // the language of the fence that we are in
  bool inside = false, continued = false;
  int number = 0, start = 0;
  for (const std::string_view line : lines_of(readme)) {
    ++number;
    if (line.starts_with("```")) {
      if (block == "toml" && continued) found.back().command += "\nEND";
      inside = !inside;
      continued = false;
      block = inside ? line.substr(3) : "";
      start = number;
    } else if (block == "toml") {
      take_file_line(line, number, number == start + 1, found, continued);
    } else if (block == "sh" || block == "console") {
      take_line(line, number, block == "console", found, continued);
    }
  }
  return found;
}

bool same_output(std::string_view shown, std::string_view printed) {
  return lines_match(lines_of(shown), 0, lines_of(printed), 0);
}

std::string exempt_because(std::string_view command) {
  const std::string_view bare = command.substr(0, command.find(" #"));
  const std::size_t end = bare.find_last_not_of(' ');
  const std::string_view command_alone =
      bare.substr(0, end == std::string_view::npos ? 0 : end + 1);
  for (const Exempt& row : kExempt)
    if (command_alone == row.command ||
        (row.command.ends_with(' ') && command_alone.starts_with(row.command)))
      return std::string(row.reason);
  return "";
}

}  // namespace house
