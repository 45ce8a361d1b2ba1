#include "runner/base/cli/parse.h"

#include <gtest/gtest.h>

#include "tests/runner/run_program.h"

namespace runner {
namespace {

using Words = std::vector<std::string>;
using What = Parsed::What;

struct ParseValues {
  bool json = false;
  int jobs = 2;
  std::int64_t vocab = 0;
  double tau = 16, budget = 2;
  std::string scale = "paper", file;
  std::optional<std::string> formula, page;
  std::vector<std::string> codes, axes, settings;
};

// A program with a verb that has every kind of option, and one with a verb below it.
struct Sample {
  Verb program{"lcsm", "A program"};
  ParseValues values;

  Sample() {
    Verb& run = program.verb("run", "Run it");
    run.argument("code", &values.codes, "Codes");
    run.flag("-j,--json", &values.json, "As JSON");
    run.option("--jobs", &values.jobs, "Runs").range(1, 8).default_shown();
    run.option("--vocab", &values.vocab, "Words");
    run.option("--tau", &values.tau, "Temperature").positive().needs("--try");
    run.option("--budget", &values.budget, "Seconds").range(0.0, 1.5);
    run.option("--scale", &values.scale, "Size").choices({{"paper"}, {"laptop", "minutes"}});
    run.option("--file", &values.file, "A file").existing_file();
    run.option("--try", &values.formula, "A formula").type("FORMULA");
    run.option("--page", &values.page, "A page").type("[FILE]").alone_means("own.html");
    run.option("--axes", &values.axes, "Axes").separated_by(',');
    run.option("--set", &values.settings, "A value").type("KEY=VALUE").one_at_a_time();
    Verb& bench = program.verb("bench", "Measure");
    bench.verb("step", "A step").option("--task", &values.file, "Which").required();
  }

  Parsed parse(const Words& words, Look look = Look::kOurs) {
    return runner::parse(program, words, look);
  }
  // The message for a rejected value of an option.
  std::string refused(Words words) {
    words.insert(words.begin(), "run");
    const Parsed parsed = parse(words);
    return parsed.what == What::kRefused ? parsed.refusal.text : "accepted";
  }
};

}  // namespace

TEST(Parse, FillsEveryKindOfTarget) {
  Sample sample;
  const Parsed parsed =
      sample.parse({"run", "1-1-1-0", "ssm", "-j", "--jobs", "3", "--vocab", "8589934592", "--try",
                    "", "--tau", "2.5", "--budget=1", "--scale", "laptop", "--axes", "x,y"});
  ASSERT_EQ(parsed.what, What::kRun);
  EXPECT_EQ(parsed.verb->call_name(), "lcsm run");
  const ParseValues& values = sample.values;
  EXPECT_EQ(values.codes, (Words{"1-1-1-0", "ssm"}));
  EXPECT_TRUE(values.json);
  EXPECT_EQ(values.jobs, 3);
  EXPECT_EQ(values.vocab, 8589934592);
  EXPECT_EQ(values.tau, 2.5);
  EXPECT_EQ(values.budget, 1);
  EXPECT_EQ(values.scale, "laptop");
  EXPECT_EQ(values.formula, "") << "given, and empty";
  EXPECT_EQ(values.axes, (Words{"x", "y"}));
}

TEST(Parse, KeepsDefaults) {
  Sample sample;
  ASSERT_EQ(sample.parse({"run"}).what, What::kRun);
  EXPECT_EQ(sample.values.jobs, 2);
  EXPECT_EQ(sample.values.scale, "paper");
  EXPECT_FALSE(sample.values.formula);
}

TEST(Parse, TakesOneValueAtATime) {
  Sample sample;
  ASSERT_EQ(sample.parse({"run", "--set", "a=1", "ssm", "--set", "b=2"}).what, What::kRun);
  EXPECT_EQ(sample.values.settings, (Words{"a=1", "b=2"}));
  EXPECT_EQ(sample.values.codes, Words{"ssm"});
}

TEST(Parse, AValueMayBeLeftOut) {
  struct Case {
    Words words;
    std::optional<std::string> page;
  };
  for (const auto& [words, page] :
       {Case{{"run", "1-1-1-0"}, {}}, Case{{"run", "--page"}, "own.html"},
        Case{{"run", "--page", "a.html"}, "a.html"}, Case{{"run", "--page=a.html"}, "a.html"},
        Case{{"run", "1-1-1-0", "--page", "--json"}, "own.html"}}) {
    Sample sample;
    EXPECT_EQ(sample.parse(words).what, What::kRun) << words.back();
    EXPECT_EQ(sample.values.page, page) << words.back();
  }
}

TEST(Parse, RefusesValues) {
  Sample sample;
  EXPECT_EQ(sample.refused({"--scale", "latpop"}),
            "expected one of paper, laptop, got 'latpop'; did you mean 'laptop'?");
  EXPECT_EQ(sample.refused({"--jobs", "9"}), "expected an integer from 1 to 8, got '9'");
  EXPECT_TRUE(sample.refused({"--budget", "2"}).starts_with("expected a number from 0."));
  EXPECT_EQ(sample.refused({"--try", "x", "--tau", "0"}), "expected a positive number, got '0'");
  EXPECT_TRUE(has(sample.refused({"--file", "/no/such/file"}), "does not exist"));
  EXPECT_TRUE(has(sample.refused({"--tau", "1"}), "requires --try"));
}

TEST(Parse, NamesTheOptionAtFault) {
  Sample sample;
  const auto fault = [&](const Words& words) {
    const Refusal refusal = sample.parse(words).refusal;
    return std::pair(refusal.kind, refusal.option == nullptr ? "" : refusal.option->name());
  };
  using Kind = Refusal::Kind;
  EXPECT_EQ(fault({"run", "--jobs"}), std::pair(Kind::kValues, std::string("--jobs")));
  EXPECT_EQ(fault({"run", "--vocab", "x"}), std::pair(Kind::kType, std::string("--vocab")));
  EXPECT_EQ(fault({"bench", "step"}), std::pair(Kind::kMissing, std::string("--task")));
  EXPECT_EQ(fault({"run", "--x"}), std::pair(Kind::kUnknownOption, std::string()));
  EXPECT_EQ(fault({"bench", "step", "--task", "a", "b"}),
            std::pair(Kind::kUnexpectedWord, std::string()));
  EXPECT_EQ(fault({}), std::pair(Kind::kNoVerb, std::string()));
}

TEST(Parse, NamesTheInnermostVerb) {
  Sample sample;
  EXPECT_EQ(sample.parse({"bench", "step", "--task", "a"}).verb->call_name(), "lcsm bench step");
  const Parsed help = sample.parse({"bench", "step", "--help"});
  EXPECT_EQ(help.what, What::kHelp);
  EXPECT_EQ(help.verb->call_name(), "lcsm bench step");
  EXPECT_EQ(sample.parse({"bench"}).what, What::kRefused) << "which of its verbs?";
}

TEST(Parse, PlainLookIsThatOfCLI11) {
  Sample sample;
  const std::string page = sample.parse({"run", "--help"}, Look::kPlain).plain;
  EXPECT_TRUE(has(page, "--jobs INT:INT in [1 - 8]=2")) << page;
  EXPECT_TRUE(has(page, "--scale TEXT:{paper,laptop}")) << page;
  EXPECT_TRUE(has(page, "--help")) << page;
  EXPECT_EQ(sample.parse({"run", "--scale", "x"}, Look::kPlain).plain,
            "--scale: x not in {paper,laptop}\nRun with --help for more information.\n");
  EXPECT_EQ(sample.parse({"run"}, Look::kPlain).plain, "");
}

}  // namespace runner
