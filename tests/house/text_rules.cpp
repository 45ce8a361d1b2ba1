#include "tests/house/rules.h"

namespace house {

Findings nothing_of_one_host(const Tree& tree) {
  // Split, so that this file follows the rule itself.
  static const std::vector<std::string> kForbidden = {
      "/ro"
      "ot/",
      "/ho"
      "me/",
      "/wo"
      "rk/",
      "/tmp/"
      "wt",
      "python"
      "hosted.org",
      "py"
      "pi.org",
      "download.py"
      "torch.org",
      "--index-"
      "url",
      "--extra-"
      "index"};
  Findings findings;
  for (const SourceFile& file : tree.files) {
    int number = 0;
    for (const std::string_view line : file.lines()) {
      ++number;
      for (const std::string& word : kForbidden)
        if (line.find(word) != std::string_view::npos)
          findings.push_back({file.path, number, "no path or address of one host", "'" + word + "'",
                              "take it from the environment, or leave it out"});
    }
  }
  return findings;
}

Findings lines_are_clean(const Tree& tree) {
  Findings findings;
  for (const SourceFile& file : tree.files) {
    int number = 0;
    const auto broken = [&](const char* expected, const char* got) {
      findings.push_back({file.path, number, expected, got, "clang-format -i, or your editor"});
    };
    for (const std::string_view line : file.lines()) {
      ++number;
      if (line.ends_with(' ')) broken("no blanks at the end", "a blank");
      if (line.ends_with('\r')) broken("lines that end in a newline", "a carriage return");
      if (line.find('\t') != std::string_view::npos) broken("blanks", "a tab");
    }
    if (!file.text.empty() && !file.text.ends_with('\n')) broken("a newline at the end", "none");
  }
  return findings;
}

std::string report(const Findings& findings) {
  std::string text;
  for (const Finding& finding : findings)
    text += finding.path + (finding.line > 0 ? ":" + std::to_string(finding.line) : "") +
            ": expected " + finding.expected + ", got " + finding.got + ": " + finding.advice +
            "\n";
  return text;
}

}  // namespace house
