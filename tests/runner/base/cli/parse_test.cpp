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
  std::optional<std::string> formula;
  std::vector<std::string> codes, axes, settings, models;
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
    run.option("--small", &values.scale, "Minutes").sets("laptop");
    run.option("--file", &values.file, "A file").existing_file();
    run.option("--try", &values.formula, "A formula").type("FORMULA");
    run.option("--axes", &values.axes, "Axes").separated_by(',');
    run.option("--set", &values.settings, "A value").type("KEY=VALUE");
    Verb& bench = program.verb("bench", "Measure");
    Verb& step = bench.verb("step", "A step");
    step.option("--task", &values.file, "Which").required();
    step.option("--models", &values.models, "Which");
  }

  Parsed parse(const Words& words) { return runner::parse(program, words); }
  // The error for the words after `lcsm run`.
  std::string refused(Words words) {
    words.insert(words.begin(), "run");
    const Parsed parsed = parse(words);
    constexpr std::string_view kWho = "lcsm run: ", kSee = "; see 'lcsm run --help'";
    if (!parsed.mistake.starts_with(kWho)) return "accepted";
    const std::string what = parsed.mistake.substr(kWho.size());
    return what.ends_with(kSee) ? what.substr(0, what.size() - kSee.size()) : what;
  }
};

}  // namespace

TEST(Parse, AFlagMayStandForAValue) {
  Sample sample;
  ASSERT_EQ(sample.parse({"run", "--small", "ssm"}).what, What::kRun);
  EXPECT_EQ(sample.values.scale, "laptop");
  EXPECT_EQ(sample.values.codes, Words{"ssm"}) << "it takes no value";
  EXPECT_EQ(Sample().parse({"run"}).what, What::kRun);
  EXPECT_EQ(Sample().values.scale, "paper");
}

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

TEST(Parse, TakesOneValueAtATimeBesideArguments) {
  Sample sample;
  ASSERT_EQ(sample.parse({"run", "--set", "a=1", "--axes", "x,y", "ssm", "--set", "b=2"}).what,
            What::kRun);
  EXPECT_EQ(sample.values.settings, (Words{"a=1", "b=2"}));
  EXPECT_EQ(sample.values.axes, (Words{"x", "y"}));
  EXPECT_EQ(sample.values.codes, Words{"ssm"});
  ASSERT_EQ(sample.parse({"bench", "step", "--task", "f", "--models", "a", "b"}).what, What::kRun);
  EXPECT_EQ(sample.values.models, (Words{"a", "b"}));
}

TEST(Parse, RefusesValues) {
  Sample sample;
  EXPECT_EQ(sample.refused({"--scale", "latpop"}),
            "--scale: expected one of paper, laptop, got 'latpop'; did you mean 'laptop'?");
  for (const char* jobs : {"9", "0", "x", "1.5", "", "99999999999999999999", "3x"})
    EXPECT_EQ(sample.refused({std::string("--jobs=") + jobs, "y"}),
              *jobs == '\0'
                  ? "--jobs: expected an integer from 1 to 8, got 'y'"
                  : "--jobs: expected an integer from 1 to 8, got '" + std::string(jobs) + "'");
  EXPECT_EQ(sample.refused({"--vocab", "x"}), "--vocab: expected an integer, got 'x'");
  EXPECT_EQ(sample.refused({"--budget", "2"}),
            "--budget: expected a number from 0 to 1.5, got '2'");
  for (const char* tau : {"0", "-1", "nan"})
    EXPECT_EQ(sample.refused({"--try", "x", "--tau", tau}),
              "--tau: expected a positive number, got '" + std::string(tau) + "'");
  EXPECT_EQ(sample.refused({"--file", "/no/such/file"}), "--file: no such file: /no/such/file");
  EXPECT_EQ(sample.refused({"--file", "/tmp"}), "--file: expected a file, got the folder /tmp");
  EXPECT_EQ(sample.refused({"--tau", "1"}), "--tau requires --try");
}

TEST(Parse, NamesTheOptionAtFault) {
  Sample sample;
  EXPECT_EQ(sample.refused({"--jobs"}), "--jobs needs a value: INT");
  EXPECT_EQ(sample.refused({"--jobs", "1", "--jobs", "2"}),
            "--jobs: expected it once, got it several times");
  EXPECT_EQ(sample.refused({"--json=3x"}), "--json takes no value");
  EXPECT_EQ(sample.refused({"--x"}), "unknown option '--x'");
  EXPECT_EQ(sample.parse({"bench", "step"}).mistake,
            "lcsm bench step: missing option --task: which; see 'lcsm bench step --help'");
  EXPECT_EQ(sample.parse({"bench", "step", "--task", "a", "b"}).mistake,
            "lcsm bench step: unexpected word 'b'; see 'lcsm bench step --help'");
  EXPECT_EQ(sample.parse({"bench", "stp"}).mistake,
            "lcsm bench: unknown verb 'stp'; did you mean 'step'?");
  EXPECT_EQ(sample.parse({"bench"}).mistake, "lcsm bench: no verb given; see 'lcsm bench --help'");
  EXPECT_EQ(sample.parse({}).mistake, "lcsm: no verb given; see 'lcsm --help'");
}

TEST(Parse, AnswersTheWordsOfOtherProgramsAndHidesAVerb) {
  Sample sample;
  sample.program.group("");
  sample.program.verb("inner", "Not for people");
  static constexpr Verb::Synonyms kWords[] = {{"start launch", "run"}, {"measure", "bench run"}};
  EXPECT_EQ(sample.parse({"launch"}).mistake, "lcsm: unknown verb 'launch'; see 'lcsm --help'");
  sample.program.synonyms(kWords);
  EXPECT_EQ(sample.parse({"launch"}).mistake, "lcsm: unknown verb 'launch'; did you mean 'run'?");
  EXPECT_EQ(sample.parse({"measure"}).mistake,
            "lcsm: unknown verb 'measure'; did you mean 'bench' or 'run'?");
  EXPECT_EQ(sample.parse({"inne"}).mistake, "lcsm: unknown verb 'inne'; see 'lcsm --help'");
  EXPECT_EQ(sample.parse({"inner"}).mistake, "");
}

TEST(Parse, TakesAnArgumentWithTheNameOfAVerb) {
  Sample sample;
  EXPECT_EQ(sample.parse({"run", "bench", "--jobs", "3", "run"}).mistake, "");
  EXPECT_EQ(sample.values.codes, (Words{"bench", "run"}));
}

TEST(Parse, NamesTheInnermostVerb) {
  Sample sample;
  EXPECT_EQ(sample.parse({"bench", "step", "--task", "a"}).verb->call_name(), "lcsm bench step");
  const Parsed help = sample.parse({"bench", "step", "--help"});
  EXPECT_EQ(help.what, What::kHelp);
  EXPECT_EQ(help.verb->call_name(), "lcsm bench step");
}

}  // namespace runner
