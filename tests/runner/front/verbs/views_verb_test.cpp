// The verbs that show the views of a sweep's file, and gc, run as a program.
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "runner/front/views/gnuplot.h"
#include "runner/sweeps/language/search.h"
#include "tests/runner/front/lcsm_test.h"
#include "tests/source_folder.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSweep = R"toml(title = "Twelve gates"
question = "Which gate?"
paper = "lcsm/table4-o-types"
[[table]]
rows = "model.code"
values = "valid.ppl"
[[table]]
rows = "model.code"
values = "test.ppl"
[[figure]]
x = "step"
y = "valid.ppl"
series = "model.code"
[[claim]]
claim = "1-1-1-0 < 1-0-1-0 in valid.ppl"
)toml";

class ViewsVerbs : public LcsmTest {
 protected:
  void SetUp() override {
    results::marked_runs(scratch.path());
    sweep = (scratch.path() / "marks.toml").string();
    results::write_text(sweep, kSweep);
  }

  std::string sweep;
};

// The text in one line, without the rule below the head of a table in a terminal.
std::string in_one_line(const std::string& text) {
  std::istringstream words(text);
  std::string all;
  for (std::string word; words >> word;)
    if (!word.starts_with("\u2500")) all += word + " ";
  return all;
}

}  // namespace

// Its first block, from runs with the quickstart's accuracies. The three validation accuracies of
// 1-3-1-2 are made up: they have the mean and the deviation that are shown.
TEST_F(ViewsVerbs, TheReadmeShowsTheTableOfTheQuickstart) {
  if (!fs::exists(source_folder() / "README.md")) GTEST_SKIP() << "no source tree";
  const std::map<std::string, std::array<std::array<double, 2>, 3>> valid_and_test = {
      {"1-3-1-2", {{{0.9335, 0.9665}, {0.9395, 0.9665}, {0.969, 0.9275}}}},
      {"1-3-1-2@gate=frozen", {{{0.5475, 0.5375}, {0.564, 0.5425}, {0.5575, 0.548}}}},
      {"1-10-1-2", {{{0.5075, 0.5125}, {0.5035, 0.5105}, {0.501, 0.508}}}}};
  int number = 900;
  for (const auto& [code, seeds] : valid_and_test)
    for (std::size_t seed = 0; seed < 3; ++seed) {
      const auto [valid, test] = seeds[seed];
      results::write_run(scratch.path(), {.number = ++number,
                                          .code = code,
                                          .sweep = "quickstart",
                                          .seed = static_cast<std::int64_t>(seed) + 1,
                                          .valid = {valid + 0.001, valid},
                                          .test = test,
                                          .more = {{"task.valid", std::int64_t{1000}},
                                                   {"task.test", std::int64_t{1000}}},
                                          .metric = "accuracy",
                                          .tested_at = 100});
    }
  const std::string page = results::read_text(source_folder() / "README.md"), fence = "```text\n";
  const std::size_t first = page.find(fence) + fence.size();
  const std::string shown = page.substr(first, page.find("```", first) - first);
  EXPECT_EQ(in_one_line(lcsm({"table", "quickstart"}).out), in_one_line(shown));
}

TEST_F(ViewsVerbs, TableShowsTheTablesAndClaimsOfTheFile) {
  const Ran all = lcsm({"table", sweep});
  EXPECT_EQ(all.status, 0) << all.err;
  EXPECT_TRUE(has(all.out, "valid.ppl") && has(all.out, "test.ppl")) << all.out;
  EXPECT_TRUE(has(all.out, "supported: 1-1-1-0 < 1-0-1-0 in valid.ppl")) << all.out;
  const Ran second = lcsm({"table", sweep, "--number", "2"});
  EXPECT_TRUE(has(second.out, "test.ppl") && !has(second.out, "\nmodel.code  valid.ppl"));
  const Ran own = lcsm({"table", sweep, "--values", "valid.ppl@200"});
  EXPECT_TRUE(has(own.out, "valid.ppl@200")) << own.out;
  // A claim of the file, given once more, is no second hypothesis.
  EXPECT_EQ(lcsm({"table", sweep, "--claim", "1-1-1-0 < 1-0-1-0 in valid.ppl"}).out, all.out);
}

TEST_F(ViewsVerbs, WithoutAFigureInTheFileOneOfTheStepsIsDrawn) {
  const Ran csv = lcsm({"figure", "marks", "--format", "csv"});
  EXPECT_EQ(csv.status, 0) << csv.err;
  EXPECT_TRUE(has(csv.out, ",step,valid.ppl,")) << csv.out;
  EXPECT_TRUE(has(lcsm({"figure", "marks", "--number", "1"}).err, "got 0"));
}

TEST_F(ViewsVerbs, TableNeedsANumberWhereAFormatHoldsOne) {
  const Ran both = lcsm({"table", sweep, "--format", "json"});
  EXPECT_EQ(both.status, 2);
  EXPECT_TRUE(has(both.err, "expected --number 1 to 2, one of the sweep's tables")) << both.err;
  const auto json =
      nlohmann::json::parse(lcsm({"table", sweep, "--format", "json", "--number", "1"}).out);
  EXPECT_EQ(json["claims"][0]["verdict"], "supported");
  EXPECT_EQ(lcsm({"table", sweep, "--number", "3"}).status, 2);
}

TEST_F(ViewsVerbs, OptionsChangeTheTableOfTheFile) {
  results::write_text(sweep,
                      "title = 'Twelve gates'\n[[table]]\ntitle = 'Mine'\n"
                      "rows = 'model.code'\nvalues = ['valid.ppl', 'test.ppl']\n"
                      "baseline = '1-1-1-0'\nprecision = 1\n");
  const Ran sorted = lcsm({"table", sweep, "--sort", "test.ppl"});
  EXPECT_TRUE(sorted.out.starts_with("Mine\n\n")) << sorted.err;
  EXPECT_TRUE(has(sorted.out, "minus baseline") && has(sorted.out, "24.1 +- 0.1*")) << sorted.out;
  EXPECT_LT(sorted.out.find("\n1-1-1-0"), sorted.out.find("\n1-0-1-0"));
  const Ran fewer = lcsm({"table", sweep, "--values", "valid.ppl"});
  EXPECT_TRUE(has(fewer.out, "minus baseline") && !has(fewer.out, "test.ppl")) << fewer.out;
  const Ran seeds = lcsm({"table", sweep, "--columns", "seed", "--values", "valid.ppl"});
  EXPECT_TRUE(has(seeds.out, "seed=1 valid.ppl")) << seeds.out << seeds.err;
  const Ran other = lcsm({"table", sweep, "--rows", "optim.lr", "--values", "valid.ppl"});
  EXPECT_TRUE(has(other.out, "optim.lr") && !has(other.out, "minus baseline")) << other.out;
  const Ran usual = lcsm({"table", sweep, "--values", ""});
  EXPECT_TRUE(has(usual.out, "valid.ppl") && has(usual.out, "test.ppl")) << usual.err;
}

TEST_F(ViewsVerbs, TableComparesModelsOfOneSizeOnRequest) {
  int number = 900;
  for (const double params : {1000, 1200})
    for (const int seed : {1, 2, 3})
      results::write_run(scratch.path(), {.number = ++number,
                                          .code = params > 1000 ? "1-1-1-0" : "1-0-1-0",
                                          .sweep = "sized",
                                          .seed = seed,
                                          .valid = {20 + params / 1000 + 0.01 * seed * seed},
                                          .params = params});
  const auto is_matched = [&](const Words& more) {
    Words words = {"table", "sized", "--claim", "1-1-1-0 > 1-0-1-0 of model.code"};
    words.insert(words.end(), more.begin(), more.end());
    const Ran ran = lcsm(words);
    EXPECT_EQ(ran.status, 0) << ran.err;
    return has(ran.out, "whose numbers of parameters differ by at most 10 % are compared\n") &&
           has(ran.out, "1-1-1-0 and 1-0-1-0 are not of one size");
  };
  EXPECT_FALSE(is_matched({}));
  EXPECT_FALSE(is_matched({"--matched", "0.3"}));
  EXPECT_FALSE(is_matched({"--matched", "0"}));
  EXPECT_TRUE(is_matched({"--matched", "0.1"}));
  EXPECT_EQ(lcsm({"table", "sized", "--matched", "5"}).status, 2);
}

TEST_F(ViewsVerbs, TableRefusesAClaimAboutValuesThatNoRunHas) {
  for (const std::string claim : {"1-1-1-1 < 1-0-1-0", "1-1-1-1 is best of model.code"}) {
    const Ran ran = lcsm({"table", sweep, "--claim", claim});
    EXPECT_EQ(ran.status, 2);
    EXPECT_TRUE(has(ran.err, "lcsm table: --claim '" + claim + "': expected ")) << ran.err;
    EXPECT_TRUE(has(ran.err, "1-1-1-0") && ran.out.empty()) << ran.out;
  }
}

TEST_F(ViewsVerbs, TableRefusesAClaimThatItWouldNotPrint) {
  const Words words = {"table", sweep, "--number", "1", "--claim", "1-1-1-0 < 1-0-1-0 in test.ppl"};
  for (const Words& more : {Words{"--format", "csv"}, Words{"--check", "table.csv"},
                            Words{"--cell", "1-1-1-0,valid.ppl"}}) {
    Words both = words;
    both.insert(both.end(), more.begin(), more.end());
    const Ran ran = lcsm(both);
    EXPECT_EQ(ran.status, 2);
    EXPECT_TRUE(has(ran.err, "lcsm table: --claim: expected ") && ran.out.empty()) << ran.err;
  }
  EXPECT_TRUE(has(lcsm(words).out, "1-1-1-0 < 1-0-1-0 in test.ppl"));
}

// A paper's rows have their own recipes: a claim about them needs `across` to be decided.
TEST_F(ViewsVerbs, ClaimsOfTheBuiltInSweepsMayCompareTheirRuns) {
  for (const SweepText& known : known_sweeps()) {
    const Ran ran = lcsm({"table", known.name, "--scale", "paper"});
    EXPECT_FALSE(has(ran.out, "or allow it with across")) << known.name << "\n" << ran.out;
  }
}

TEST_F(ViewsVerbs, SeedsAsColumnsHaveNoMeanUnlessItIsAskedFor) {
  results::write_text(sweep, "[[table]]\nrows = 'model.code'\ncolumns = 'optim.lr'\nmean = true\n");
  EXPECT_TRUE(has(lcsm({"table", sweep}).out, "  mean valid.ppl"));
  const Ran seeds = lcsm({"table", sweep, "--columns", "seed"});
  EXPECT_EQ(seeds.status, 0) << seeds.err;
  EXPECT_FALSE(has(seeds.out, "mean valid.ppl"));
  EXPECT_EQ(lcsm({"table", sweep, "--columns", "seed", "--mean"}).status, 2);
}

TEST_F(ViewsVerbs, TableSelectsForItsClaimsToo) {
  const Ran ran = lcsm({"table", sweep, "--select", "valid.ppl@200", "--number", "2"});
  EXPECT_TRUE(has(ran.out, "optim.lr chosen by the mean over seeds of valid.ppl@200, ")) << ran.out;
  EXPECT_EQ(lcsm({"table", sweep, "--tune", "seed", "--claim", "1-1-1-0 is best"}).status, 2);
}

TEST_F(ViewsVerbs, ValuesHaveTheNamesThatTheFileGivesThem) {
  results::write_text(sweep, std::string(kSweep) +
                                 "[names]\n\"1-1-1-0\" = \"Mine & yours\"\n"
                                 "\"1-0-1-0\" = \"Fixed\"\noptim.lr = \"rate\"\n"
                                 "model.code = \"Gate\"\n"
                                 "\"valid.ppl\" = \"perplexity\"\n");
  const Ran text = lcsm({"table", sweep, "--number", "1", "--sort", "valid.ppl"});
  EXPECT_TRUE(has(text.out, "\nGate ") && has(text.out, " perplexity ")) << text.out << text.err;
  EXPECT_TRUE(has(text.out, "\nMine & yours ") && !has(text.out, "\n1-1-1-0 ")) << text.out;
  EXPECT_TRUE(has(text.out, "rate chosen by the mean over seeds of perplexity\n")) << text.out;
  EXPECT_TRUE(has(text.out, "supported: 1-1-1-0 < 1-0-1-0")) << "claims have their own words";
  EXPECT_TRUE(has(text.out, "optim.lr chosen by the mean over seeds of valid.ppl")) << text.out;
  const Words tex = {"table", sweep, "--number", "1", "--format", "tex"};
  EXPECT_TRUE(has(lcsm(tex).out, "\nMine \\& yours & "));
  const Ran csv = lcsm({"table", sweep, "--number", "1", "--format", "csv"});
  EXPECT_TRUE(has(csv.out, "model.code,value,") && has(csv.out, "\n1-1-1-0,valid.ppl,"));
  const Ran figure = lcsm({"figure", sweep, "--format", "text"});
  EXPECT_TRUE(has(figure.out, "Mine & yours") && has(figure.out, "perplexity")) << figure.out;
  EXPECT_TRUE(has(lcsm({"figure", sweep, "--format", "csv"}).out, ",1-1-1-0,100,"));
  for (const char* cell : {"1-1-1-0,valid.ppl", "Mine & yours,perplexity"})
    EXPECT_EQ(lcsm({"table", sweep, "--number", "1", "--cell", cell}).status, 0) << cell;
  const Ran none = lcsm({"table", sweep, "--number", "1", "--cell", "nobody"});
  EXPECT_TRUE(has(none.err, ", such as Fixed,perplexity, got 'nobody'")) << none.err;
  const Ran baseline = lcsm({"table", sweep, "--number", "1", "--baseline", "Mine & yours"});
  EXPECT_TRUE(has(baseline.out, " minus baseline ")) << baseline.out << baseline.err;
}

TEST_F(ViewsVerbs, NamesThatNoRunHasAreRefused) {
  const std::vector<std::pair<Words, const char*>> wrong = {
      {{"table", sweep, "--rows", "model.cod"}, "did you mean 'model.code'?"},
      {{"table", sweep, "--columns", "optim.lrr"}, "did you mean 'optim.lr'?"},
      {{"table", sweep, "--tune", "optim.wd"}, "did you mean 'optim.decay'?"},
      {{"table", sweep, "--values", "test.acc"}, "their metrics are"},
      {{"table", sweep, "--where", "model.cod=1-1-1-0"}, "did you mean 'model.code'?"},
      {{"table", sweep, "--sort", "valid.pl"}, "did you mean 'valid.ppl'?"},
      {{"table", sweep, "--baseline", "1-1-10"}, "did you mean '1-1-1-0'?"},
      {{"table", sweep, "--select", "valid.pl"}, "did you mean 'valid.ppl'?"},
      {{"table", sweep, "--across", "optim.step"}, "did you mean 'optim.steps'?"},
      {{"table", sweep, "--statistic", "iqr"}, "did you mean 'iqm'?"},
      {{"figure", sweep, "--x", "task.lenght", "--y", "valid.ppl"}, "task.length"},
      {{"figure", sweep, "--series", "model.cod"}, "did you mean 'model.code'?"},
      {{"figure", sweep, "--facets", "model.cod"}, "did you mean 'model.code'?"},
      {{"figure", sweep, "--y", "valid.pl"}, "did you mean 'valid.ppl'?"},
      {{"figure", sweep, "--kind", "heatmp"}, "did you mean 'heatmap'?"},
      {{"figure", sweep, "--kind", "heatmap"}, "expected a parameter as x"},
      {{"figure", sweep, "--kind", "scatter", "--x", "test.pl"}, "did you mean 'test.ppl'?"},
      {{"figure", sweep, "--kind", "parallel", "--x", "step"}, "expected no x"},
      {{"figure", sweep, "--kind", "importance", "--log", "x"}, "expected only y"},
      {{"table", "mark"}, "did you mean 'marks'?"},
      {{"figure", "mark", "--y", "valid.ppl"}, "did you mean 'marks'?"},
      {{"report", "mark"}, "did you mean 'marks'?"},
      {{"export", "--sweep", "mark"}, "did you mean 'marks'?"}};
  for (const auto& [words, meant] : wrong) {
    const Ran ran = lcsm(words);
    EXPECT_EQ(ran.status, 2) << words[0] << " " << words.back() << "\n" << ran.out;
    EXPECT_TRUE(has(ran.err, meant)) << words[0] << " " << words.back() << ": " << ran.err;
  }
}

// Exit code 1 would mean a stale table.
TEST_F(ViewsVerbs, AMissingFileIsWrongUsageOfEveryVerb) {
  for (const Words& words : std::vector<Words>{{"table", "tinny.toml", "--check", "ok.md"},
                                               {"table", "marks", "tinny.toml"},
                                               {"figure", "tinny.toml"},
                                               {"report", "tinny.toml"},
                                               {"export", "tinny.toml"},
                                               {"plan", "tinny.toml"},
                                               {"run", "tinny.toml"},
                                               {"status", "tinny.toml"},
                                               {"explain", "tinny.toml"},
                                               {"cancel", "tinny.toml"}}) {
    const Ran ran = lcsm(words);
    EXPECT_EQ(ran.status, 2) << words[0] << ": " << ran.err;
    EXPECT_TRUE(has(ran.err, "'tinny.toml' cannot be read: No such file")) << ran.err;
  }
}

// Not all runs of the workspace.
TEST_F(ViewsVerbs, ExportOfASweepWhoseDataIsGoneSaysSo) {
  results::write_text(sweep,
                      "base.model.code = '1-1-1-0'\n"
                      "base.task = { name = 'text', path = 'gone.txt' }\n");
  const Ran ran = lcsm({"export", sweep});
  EXPECT_NE(ran.status, 0);
  EXPECT_EQ(ran.out, "");
  const std::string gone = (std::filesystem::current_path() / "gone.txt").string();
  EXPECT_TRUE(has(ran.err, "got none at '" + gone + "'")) << ran.err;
}

TEST_F(ViewsVerbs, AMistakeInTheFileIsShownInItsLine) {
  results::write_text(sweep, "[[table]]\nrow = 1\n");
  for (const char* verb : {"table", "figure", "report"}) {
    const Ran ran = lcsm({verb, sweep});
    EXPECT_EQ(ran.status, 2) << verb;
    EXPECT_TRUE(has(ran.err, "marks.toml:2:1: unknown key 'row' in a table")) << ran.err;
  }
}

TEST_F(ViewsVerbs, FigureGivesItsNumbersAndItsScript) {
  const Ran csv = lcsm({"figure", sweep, "--format", "csv"});
  EXPECT_TRUE(csv.out.starts_with("facet,series,step,valid.ppl,low,high,n,")) << csv.err;
  // The file has no points, so no run counts as the paper's setting.
  EXPECT_TRUE(has(csv.out, ",1-1-1-0,300,24.125,24,24.25,3,,optim.lr=0.003,")) << csv.out;
  EXPECT_TRUE(has(lcsm({"figure", sweep, "--format", "gp"}).out, "set terminal svg noenhanced"));
  const std::string file = (scratch.path() / "f.csv").string();
  EXPECT_EQ(lcsm({"figure", sweep, "--out", file}).out, "");
  EXPECT_EQ(results::read_text(file), csv.out);
}

TEST_F(ViewsVerbs, OptionsChangeTheFigureOfTheFile) {
  const auto script = [&](Words more) {
    more.insert(more.begin(), {"figure", sweep, "--format", "gp"});
    const Ran ran = lcsm(more);
    EXPECT_EQ(ran.status, 0) << ran.err;
    return ran.out;
  };
  const std::string usual = script({});
  EXPECT_TRUE(has(usual, "'1-1-1-0'") && has(usual, "'1-0-1-0'")) << usual;
  EXPECT_TRUE(has(script({"--title", "It's mine"}), "It's mine"));
  EXPECT_FALSE(has(script({"--where", "model.code=1-1-1-0"}), "'1-0-1-0'"));
  EXPECT_TRUE(has(script({"--log", "y"}), "\nset logscale y 10\n"));
  EXPECT_FALSE(has(usual, "\nset logscale y 10\n"));
  EXPECT_TRUE(has(script({"--band", "sd"}), "one standard deviation over seeds"));
  EXPECT_FALSE(has(usual, "paper: ") || has(script({"--no-published"}), "paper: "));
  EXPECT_TRUE(has(script({"--facets", "seed"}), "seed = 2"));
  EXPECT_TRUE(has(script({"--series", "seed"}), "'seed = 2'"));
  const Ran changed =
      lcsm({"figure", sweep, "--number", "1", "--y", "train.loss", "--format", "csv"});
  EXPECT_TRUE(has(changed.out, ",1-1-1-0,") && has(changed.out, "step,train.loss,")) << changed.err;
}

TEST_F(ViewsVerbs, FigureDrawsAKindThatTheFileDoesNotHave) {
  const auto csv = [&](Words more) {
    more.insert(more.begin(), {"figure", sweep, "--format", "csv"});
    const Ran ran = lcsm(more);
    EXPECT_EQ(ran.status, 0) << ran.err;
    return ran.out.substr(0, ran.out.find('\n'));
  };
  const std::string rest = ",low,high,n,published,chosen,marks";
  EXPECT_EQ(csv({"--kind", "heatmap", "--x", "optim.lr"}),
            "facet,series,optim.lr,valid.ppl" + rest);
  EXPECT_TRUE(csv({"--kind", "scatter", "--x", "test.ppl"}).ends_with("test.ppl,valid.ppl" + rest));
  EXPECT_TRUE(csv({"--kind", "parallel"}).starts_with("facet,series,model.code,"));
  EXPECT_EQ(csv({"--kind", "importance"}), "facet,series,parameter,share of variance" + rest);
  EXPECT_TRUE(csv({"--kind", "parallel", "--number", "1"}).ends_with(",valid.ppl" + rest))
      << "the x of the file's figure does not count";
}

TEST_F(ViewsVerbs, FigureDrawsAllWithCharactersOnATerminal) {
  results::write_text(sweep,
                      std::string(kSweep) + "[[figure]]\nx = 'model.code'\ny = 'test.ppl'\n");
  const Words words = {program_beside("lcsm").string(), "figure", sweep, "--workspace",
                       scratch.path().string()};
  const Ran screen = run_on_terminal(words, {"LANG=C.UTF-8", "NO_COLOR=1"});
  EXPECT_TRUE(has(screen.out, "● 1-0-1-0") && has(screen.out, "\n1-11-1-0 ")) << screen.out;
  const Ran text = lcsm({"figure", sweep, "--format", "text", "--number", "2"});
  EXPECT_TRUE(has(text.out, "\n1-11-1-0 ") && !has(text.out, "\nvalid.ppl\n")) << text.out;
  const std::string file = (scratch.path() / "f.txt").string();
  run_on_terminal({program_beside("lcsm").string(), "figure", sweep, "--number", "2", "--out", file,
                   "--workspace", scratch.path().string()});
  EXPECT_EQ(results::read_text(file), text.out) << "a file has no colours";
  const Ran pipe = lcsm({"figure", sweep, "--format", "csv"});
  EXPECT_TRUE(pipe.out.starts_with("facet,series,step,valid.ppl")) << "one figure a file";
}

TEST_F(ViewsVerbs, FigureLeavesToGnuplotWhatCharactersCannotShow) {
  const Ran alone = lcsm({"figure", sweep, "--format", "text", "--kind", "parallel"});
  EXPECT_EQ(alone.status, 2);
  EXPECT_TRUE(has(alone.err, "use --out FILE.svg")) << alone.err;
  results::write_text(sweep,
                      std::string(kSweep) + "[[figure]]\nkind = 'parallel'\ny = 'test.ppl'\n");
  const Ran others = lcsm({"figure", sweep, "--format", "text"});
  EXPECT_EQ(others.status, 0) << others.err;
  EXPECT_TRUE(has(others.out, "valid.ppl\n"));
  EXPECT_TRUE(has(others.err, "not shown: parallel of test.ppl: use --number")) << others.err;
}

TEST_F(ViewsVerbs, AnOutputThatCannotBeWrittenHasItsOwnStatus) {
  const std::string nowhere = (scratch.path() / "none" / "f").string();
  EXPECT_EQ(lcsm({"figure", sweep, "--out", nowhere + ".csv"}).status, 4);
  EXPECT_EQ(lcsm({"report", sweep, "--out", nowhere + ".html"}).status, 4);
}

TEST_F(ViewsVerbs, AReportOfNoSweepIsOfAllRuns) {
  EXPECT_TRUE(has(lcsm({"report"}).out, "<h1>All runs</h1>"));
}

TEST_F(ViewsVerbs, ASweepWithoutRunsHasOnlyMarks) {
  results::write_text(scratch.path() / "none.toml",
                      "title = 'None yet'\n[base]\ntask.name = 'mqar'\n"
                      "[grid]\nmodel.code = ['1-1-1-0', '1-3-1-0']\n"
                      "[[figure]]\nx = 'step'\ny = 'valid.accuracy'\n");
  const std::string none = (scratch.path() / "none.toml").string();
  for (const char* verb : {"table", "figure", "report"}) {
    const Ran ran = lcsm({verb, none});
    EXPECT_EQ(ran.status, 0) << verb << ": " << ran.err;
    EXPECT_TRUE(has(ran.out, "1-3-1-0")) << verb;
  }
}

TEST_F(ViewsVerbs, FigureRejectsWhatItCannotDraw) {
  EXPECT_EQ(lcsm({"figure", sweep, "--number", "2"}).status, 2);
  EXPECT_EQ(lcsm({"figure", sweep, "--out", "f.gif"}).status, 2);
  EXPECT_EQ(lcsm({"figure", sweep, "--y", "valid.ppl", "--log", "z"}).status, 2);
  const Ran without =
      run_lcsm({"figure", sweep, "--workspace", scratch.path().string()}, {"PATH=/no/such/folder"});
  EXPECT_EQ(without.status, 3);
  EXPECT_TRUE(has(without.err, "expected gnuplot 5.4 or newer on PATH, got none: install"))
      << without.err;
}

TEST_F(ViewsVerbs, FigureDraws) {
  std::string why;
  if (!has_gnuplot(&why)) GTEST_SKIP() << why;
  const Ran svg = lcsm({"figure", sweep});
  EXPECT_TRUE(has(svg.out, "<svg") && has(svg.out, "1-11-1-0")) << svg.err;
  EXPECT_TRUE(lcsm({"figure", sweep, "--format", "png"}).out.starts_with("\x89PNG"));
}

TEST_F(ViewsVerbs, ReportIsAPage) {
  const Ran page = lcsm({"report", sweep});
  EXPECT_EQ(page.status, 0) << page.err;
  for (const char* part : {"<h1>Twelve gates</h1>", "Which gate?", "supported</b> <span",
                           "Published numbers", "c0ffee", "</html>"})
    EXPECT_TRUE(has(page.out, part)) << part;
  const std::string file = (scratch.path() / "r.html").string();
  lcsm({"report", sweep, "--out", file});
  EXPECT_EQ(results::read_text(file), page.out);
  EXPECT_EQ(lcsm({"report", sweep, "--out", (scratch.path() / "r.pdf").string()}).status, 2);
}

TEST_F(ViewsVerbs, ReportOfCurvesIsTheStillPageOfServe) {
  const Ran page = lcsm({"report", sweep, "--curves"});
  EXPECT_EQ(page.status, 0) << page.err;
  const std::string start = "id=\"data\">";
  const std::size_t begin = page.out.find(start) + start.size();
  const auto data =
      nlohmann::json::parse(page.out.substr(begin, page.out.find("</script>", begin) - begin));
  EXPECT_EQ(data["schema"], "lcsm.curves/1");
  EXPECT_EQ(data["sweep"], "marks");
  EXPECT_EQ(data["live"], false);
  EXPECT_GT(data["runs"].size(), 3u);
  EXPECT_FALSE(data["runs"][0]["curves"]["valid.ppl"].empty());
  EXPECT_TRUE(has(page.out, "data-source=\"\""));
  EXPECT_EQ(lcsm({"report", "--curves"}).status, 2) << "of which sweep?";
}

TEST_F(ViewsVerbs, ReportWithoutGnuplotOrAFileIsAPageToo) {
  const Ran page = run_lcsm({"report", "marks", "--workspace", scratch.path().string()},
                            {"PATH=/no/such/folder"});
  EXPECT_EQ(page.status, 0) << page.err;
  EXPECT_TRUE(has(page.err, "no figures: expected gnuplot"));
  EXPECT_TRUE(has(page.out, "No picture: ") && !has(page.out, "<svg"));
}

TEST_F(ViewsVerbs, GcListsAndRemovesOnlyOnRequest) {
  const fs::path checkpoints =
      results::run_folder(scratch.path(), results::run_id(101)) / "checkpoints";
  for (const char* step : {"100", "200", "300"}) fs::create_directories(checkpoints / step);
  const Ran list = lcsm({"gc"});
  EXPECT_TRUE(has(list.out, "checkpoints/100")) << list.out << list.err;
  EXPECT_TRUE(has(list.out, "nothing was changed: use --yes to remove it"));
  EXPECT_TRUE(fs::exists(checkpoints / "100"));
  EXPECT_TRUE(has(lcsm({"gc", "--yes"}).out, "MiB removed"));
  EXPECT_FALSE(fs::exists(checkpoints / "100"));
  EXPECT_TRUE(fs::exists(checkpoints / "200") && fs::exists(checkpoints / "300"));
  EXPECT_EQ(lcsm({"gc"}).out, "0.0 MiB can be removed\n");
}

}  // namespace runner
