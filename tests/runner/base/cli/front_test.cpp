// The command line, run as a program.
#include "runner/base/cli/front.h"

#include <gtest/gtest.h>

#include <regex>

#include "runner/base/process/exit_code.h"
#include "tests/runner/run_program.h"

namespace runner {
namespace {

class Front : public testing::Test {
 protected:
  void SetUp() override {
    lcsm_ = program_beside("lcsm");
    sample_ = program_beside("lcsm_front_sample");
    if (lcsm_.empty() || sample_.empty()) GTEST_SKIP() << "lcsm or lcsm_front_sample was not built";
  }
  Ran lcsm(Words words) const { return run(lcsm_, std::move(words)); }
  Ran sample(Words words) const { return run(sample_, std::move(words)); }
  // A line for a shell, in which $0 is the sample.
  Ran shell(const std::string& line) const {
    return run_program({"bash", "-c", line, sample_.string()});
  }

  std::filesystem::path lcsm_, sample_;

 private:
  static Ran run(const std::filesystem::path& program, Words words) {
    words.insert(words.begin(), program.string());
    return run_program(words);
  }
};

void expect_refused(const Ran& ran, const std::string& sentence) {
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(ran.out, "");
  EXPECT_EQ(ran.err, sentence + "\n");
}

}  // namespace

TEST_F(Front, PrintsItsVersion) {
  const Ran ran = lcsm({"--version"});
  EXPECT_EQ(ran.status, 0);
  EXPECT_TRUE(std::regex_match(ran.out, std::regex("lcsm \\d+\\.\\d+\\.\\d+( \\(.+\\))?\n")))
      << ran.out;
}

TEST_F(Front, HelpShowsTheExitCodesAndGoesToStdout) {
  const Ran ran = lcsm({"--help"});
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(ran.err, "");
  for (const ExitCodeRow& row : kExitCodes)
    EXPECT_NE(ran.out.find("\n  " + std::to_string(static_cast<int>(row.code)) + "  " +
                           std::string(row.meaning)),
              std::string::npos)
        << ran.out;
}

TEST_F(Front, HelpVerbIsVerbHelp) {
  EXPECT_EQ(sample({"help"}).out, sample({"--help"}).out);
  EXPECT_EQ(sample({"help", "codes"}).out, sample({"codes", "--help"}).out);
  EXPECT_NE(sample({"help", "codes"}).out.find("Examples:\n  lcsm codes"), std::string::npos);
  expect_refused(sample({"help", "cdoes"}), "lcsm: unknown verb 'cdoes'; did you mean 'codes'?");
}

TEST_F(Front, EveryVerbOfLcsmHasExamples) {
  const std::string verbs = lcsm({"__complete", "fish", ""}).out;
  for (std::size_t at = 0; at < verbs.size(); at = verbs.find('\n', at) + 1) {
    const std::string verb = verbs.substr(at, verbs.find_first_of("\t\n", at) - at);
    if (verb == "help") continue;
    const Ran ran = lcsm({verb, "--help"});
    EXPECT_EQ(ran.status, 0) << verb;
    EXPECT_NE(ran.out.find("Examples:"), std::string::npos) << "lcsm " << verb << " --help";
  }
}

TEST_F(Front, WithoutAVerbItListsThemAndFails) {
  const Ran ran = sample({});
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(ran.out, "");
  EXPECT_NE(ran.err.find("\n  codes  List the codes\n"), std::string::npos) << ran.err;
  expect_refused(sample({"--"}), "lcsm: no verb given; see 'lcsm --help'");
}

TEST_F(Front, SuggestsWhatWasMeant) {
  expect_refused(sample({"cdoes"}), "lcsm: unknown verb 'cdoes'; did you mean 'codes'?");
  expect_refused(sample({"fl"}), "lcsm: unknown verb 'fl'; did you mean 'flood'?");
  expect_refused(sample({"xyzzy"}), "lcsm: unknown verb 'xyzzy'; see 'lcsm --help'");
  expect_refused(sample({""}), "lcsm: unknown verb ''; see 'lcsm --help'");
  expect_refused(sample({"--versoin"}),
                 "lcsm: unknown option '--versoin'; did you mean '--version'?");
  expect_refused(sample({"codes", "--jsno=3"}),
                 "lcsm codes: unknown option '--jsno'; did you mean '--json'?");
  expect_refused(sample({"codes", "-x"}),
                 "lcsm codes: unknown option '-x'; see 'lcsm codes --help'");
  expect_refused(sample({"--json", "codes"}),
                 "lcsm codes: --json goes after the verb: 'lcsm codes --json ...'");
  expect_refused(sample({"flood", "more"}),
                 "lcsm flood: unexpected word 'more'; see 'lcsm flood --help'");
}

TEST_F(Front, BadValuesAreReportedWithWhatIsExpected) {
  const std::string see = "; see 'lcsm codes --help'";
  expect_refused(sample({"codes", "--d"}), "lcsm codes: --d needs a value: INT" + see);
  expect_refused(sample({"codes", "--k", "x"}),
                 "lcsm codes: --k: expected an integer, got 'x'" + see);
  expect_refused(sample({"codes", "--d", "9999"}),
                 "lcsm codes: --d: expected an integer from 1 to 4096, got '9999'" + see);
  expect_refused(sample({"codes", "--scale", "latpop"}),
                 "lcsm codes: --scale: expected one of paper, laptop, got 'latpop'; did you mean "
                 "'laptop'?");
  expect_refused(sample({"fail"}),
                 "lcsm fail: missing argument CODE: which; see 'lcsm fail --help'");
}

TEST_F(Front, ExceptionsBecomeAMessageAndAnExitCode) {
  for (const ExitCodeRow& row : kExitCodes) {
    const int code = static_cast<int>(row.code);
    const Ran ran = sample({"fail", std::to_string(code)});
    EXPECT_EQ(ran.status, code);
    EXPECT_EQ(ran.out, "before\n");
    EXPECT_EQ(ran.err, "lcsm fail: failed as asked\n");
  }
  EXPECT_EQ(sample({"fail", "100"}).status, 2);
  EXPECT_EQ(sample({"fail", "100"}).err, "lcsm fail: expected a, got b\n");
  EXPECT_EQ(sample({"fail", "101"}).status, 1);
  EXPECT_EQ(sample({"fail", "102"}).status, 4);
}

TEST_F(Front, AClosedPipeEndsItQuietly) {
  const Ran ran = shell("\"$0\" flood | head -1; echo ${PIPESTATUS[0]}");
  EXPECT_EQ(ran.out, "line 0\n141\n");
  EXPECT_EQ(ran.err, "");
  EXPECT_EQ(shell("trap '' PIPE; \"$0\" flood | head -1").err, "") << "started with it ignored";
}

TEST_F(Front, AFullDiskIsAnError) {
  for (const char* words : {"flood", "--version", "codes --help", "fail 1"}) {
    const Ran ran = shell("\"$0\" " + std::string(words) + " > /dev/full");
    EXPECT_EQ(ran.status, 4) << words;
    EXPECT_NE(ran.err.find("lcsm: the output could not be written"), std::string::npos) << ran.err;
  }
  EXPECT_EQ(shell("\"$0\" --version >&-").status, 4) << "stdout is closed";
}

TEST_F(Front, ALimitToTheSizeOfFilesIsAnError) {
  const runner::ScratchFolder scratch;
  const std::string file = (scratch.path() / "out").string();
  const Ran ran = shell("ulimit -f 1; \"$0\" flood > " + file);
  EXPECT_EQ(ran.status, 4) << ran.err;
  EXPECT_NE(ran.err.find("the output could not be written"), std::string::npos) << ran.err;
}

TEST_F(Front, ColourAndRulesOnATerminalOnly) {
  const Words codes = {sample_.string(), "codes", "ssm"};
  const Ran screen = run_on_terminal(codes, {"LANG=C.UTF-8"});
  std::string rule = "────  ";
  for (int i = 0; i < 66; ++i) rule += "─";
  EXPECT_EQ(screen.out,
            "\033[1mcode  meaning\033[0m\n" + rule + "\n" +
                "ssm   σ(p_d)^(1/τ), of which this line tells much more than fits into 80\n");
  const Ran no_colour = run_on_terminal(codes, {"LANG=C.UTF-8", "NO_COLOR=1"});
  EXPECT_EQ(no_colour.out.find('\033'), std::string::npos);
  const Ran ascii = run_on_terminal(codes, {"LANG=C"});
  EXPECT_EQ(ascii.out.find("─"), std::string::npos);
  const Ran pipe = run_program(codes, {"LANG=C.UTF-8"});
  EXPECT_EQ(pipe.out,
            "code  meaning\n"
            "ssm   σ(p_d)^(1/τ), of which this line tells much more than fits into 80\n");
}

TEST_F(Front, HelpFitsEightyColumns) {
  for (const Words& words : {Words{"--help"}, Words{"codes", "--help"}}) {
    const std::string page = sample(words).out;
    for (std::size_t at = 0; at < page.size(); at = page.find('\n', at) + 1)
      EXPECT_LE(page.find('\n', at) - at, 80u) << page;
  }
}

}  // namespace runner
