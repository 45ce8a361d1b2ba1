#include "runner/base/cli/help.h"

#include <gtest/gtest.h>

namespace runner {

TEST(Help, IsAPageOfAVerb) {
  Verb program("lcsm", "");
  std::vector<std::string> codes, axes;
  int jobs = 2;
  bool json = false;
  std::string sweep;
  Verb& verb = program.verb("run", "Run it");
  verb.argument("sweep", &sweep, "Which").required();
  verb.argument("code", &codes, "Codes");
  verb.flag("-j,--json", &json, "As JSON");
  verb.option("--jobs", &jobs, "Runs at the same time").default_shown();
  verb.option("--axes", &axes, "x, y, or both").type("AXES");
  verb.footer("Examples:\n  lcsm run quickstart");
  EXPECT_EQ(help_text(verb, 40), R"(Run it

Usage: lcsm run [OPTIONS] SWEEP [CODE...]

Arguments:
  SWEEP      Which
  [CODE...]  Codes

Options:
  -h, --help   Show this help
  -j, --json   As JSON
  --jobs INT   Runs at the same time
               (default: 2)
  --axes AXES  x, y, or both

Examples:
  lcsm run quickstart
)");
}

TEST(Help, WrapsTheFooter) {
  Verb program("lcsm", "");
  program.footer(
      "Examples:\n  lcsm run a         train what is missing\n"
      "  lcsm run quickstart-of-a-long-name --jobs 2\n  o = 'p_k'  # a comment of a file stays\n\n"
      "A paragraph of two\nlines is joined first.\nCodes:\n  0  done\nAnother one.");
  const std::string page = help_text(program, 34);
  EXPECT_EQ(page.substr(page.find("Examples")), R"(Examples:
  lcsm run a         train what is
                     missing
  lcsm run quickstart-of-a-long-name --jobs 2
  o = 'p_k'  # a comment of a file stays

A paragraph of two lines is joined
first.
Codes:
  0  done
Another one.
)");
}

TEST(Help, OfAProgramListsItsVerbs) {
  Verb program("lcsm", "What it is");
  program.version("lcsm 1.0");
  program.verb("run", "Run it");
  EXPECT_EQ(help_text(program, 0), R"(What it is

Usage: lcsm VERB [OPTIONS]

Verbs:
  run  Run it

Options:
  -h, --help  Show this help
  --version   Show the version and its commit
)");
}

TEST(Help, NamesTheChoicesOfAnOption) {
  std::string size = "paper";
  Verb program("lcsm", "What it is");
  program.option("--size", &size, "The size").choices({{"paper"}, {"laptop"}}).default_shown();
  EXPECT_NE(help_text(program, 0).find("The size (default: paper): paper, laptop\n"),
            std::string::npos);
}

TEST(Help, GroupsItsVerbs) {
  Verb program("lcsm", "What it is");
  program.group("Define");
  program.verb("codes", "List codes");
  program.group("Run");
  program.verb("plan", "Plan it");
  program.verb("run", "Run it");
  program.group("");
  program.verb("element", "Hidden");
  EXPECT_EQ(help_text(program, 0), R"(What it is

Usage: lcsm VERB [OPTIONS]

Define:
  codes  List codes

Run:
  plan   Plan it
  run    Run it

Options:
  -h, --help  Show this help
)");
  EXPECT_NE(program.find("element"), nullptr);
}

}  // namespace runner
