// The verbs that read and fold results, run as a program: query, show, diff, log, export,
// rebuild, merge.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/runner/front/lcsm_test.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

const std::string kHostile = "=x\x1b[2J\n<script>|\\input{x}";

class ResultsVerbs : public LcsmTest {
 protected:
  void SetUp() override {
    results::golden_runs(scratch.path());
    results::write_run(scratch.path(), {.number = 17,
                                        .code = "1-9-1-0",
                                        .status = "failed",
                                        .message = kHostile,
                                        .more = {{"note", kHostile}}});
  }
};

}  // namespace

TEST_F(ResultsVerbs, QueryAnswersInEveryFormat) {
  const std::string sql = "SELECT code, count(*) AS n FROM overview GROUP BY code";
  const Ran text = lcsm({"query", sql});
  EXPECT_EQ(text.out, "code     n\n1-1-1-0  3\n1-9-1-0  1\n");
  EXPECT_TRUE(has(text.err, "refused: runs/00000004"));  // reported, and the others are shown
  EXPECT_EQ(lcsm({"query", sql, "--format", "csv"}).out, "code,n\n1-1-1-0,3\n1-9-1-0,1\n");
  EXPECT_TRUE(has(lcsm({"query", sql, "--format", "md"}).out, "| 1-9-1-0 | 1 |"));
  const auto json = nlohmann::json::parse(lcsm({"query", sql, "--format", "json"}).out);
  EXPECT_EQ(json["schema"], "lcsm.query/1");
  EXPECT_EQ(json["rows"][1][0], "1-9-1-0");
}

TEST_F(ResultsVerbs, QueryRefusesToWrite) {
  const Ran ran = lcsm({"query", "DELETE FROM runs"});
  EXPECT_EQ(ran.status, 2);
  EXPECT_TRUE(has(ran.err, "lcsm query: expected a statement that only reads"));
  EXPECT_EQ(lcsm({"query", "SELECT count(*) FROM runs", "--format", "csv"}).out, "count(*)\n4\n");
}

TEST_F(ResultsVerbs, QueryFoldsNewEvents) {
  lcsm({"rebuild"});
  results::write_run(scratch.path(), {.number = 18});
  EXPECT_TRUE(has(lcsm({"query", "SELECT id FROM runs"}).out, results::run_id(18)));
}

TEST_F(ResultsVerbs, ShowPrintsAllOfARun) {
  const Ran ran = lcsm({"show", "00000001"});
  for (const char* part :
       {"done at step 300: fine", "sweeps    golden", "valid.ppl", "optim.lr", "commit", "c0ffee"})
    EXPECT_TRUE(has(ran.out, part)) << part;
  const auto json = nlohmann::json::parse(lcsm({"show", "00000001", "--json"}).out);
  EXPECT_EQ(json["schema"], "lcsm.run/1");
  EXPECT_EQ(json["parameters"]["model.code"], "1-1-1-0");
  EXPECT_EQ(lcsm({"show", "ffff"}).status, 2);
}

TEST_F(ResultsVerbs, ShowListsFilesThatAreThere) {
  const std::string gone = lcsm({"show", "00000003"}).out;
  EXPECT_EQ(gone.find("checkpoints/200"), std::string::npos) << gone;
  fs::create_directories(results::run_folder(scratch.path(), results::run_id(3)) /
                         "checkpoints/200");
  EXPECT_NE(lcsm({"show", "00000003"}).out.find("checkpoints/200"), std::string::npos);
}

TEST_F(ResultsVerbs, DiffShowsWhatDiffers) {
  EXPECT_EQ(lcsm({"diff", "00000001", "00000002", "--format", "csv"}).out,
            "part,key,00000001,00000002\nrun,status,done,diverged\n");
}

TEST_F(ResultsVerbs, LogIsInOrder) {
  EXPECT_EQ(lcsm({"log", "00000002"}).out,
            "1970-01-01T00:16:41Z  1  begins       from step 0\n"
            "1970-01-01T00:16:46Z  1  diverged     at step 300: NaN\n");
  EXPECT_EQ(lcsm({"log", "00000002", "--stderr"}).status, 3);
}

TEST_F(ResultsVerbs, ExportIsARowARun) {
  EXPECT_TRUE(has(lcsm({"export"}).out, "model.code,model.family,note,optim.lr"));
  const std::string lines = lcsm({"export", "--sweep", "golden", "--format", "jsonl"}).out;
  EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 2);
  EXPECT_EQ(lcsm({"export", "golden", "--format", "jsonl"}).out, lines) << "of no file";
  EXPECT_EQ(lcsm({"export", "--sweep", "absent"}).status, 2);
}

TEST_F(ResultsVerbs, ExportCurvesIsARowAValue) {
  const std::string csv = lcsm({"export", "00000001", "00000002", "--curves"}).out;
  EXPECT_TRUE(csv.starts_with("id,metric,step,value,time\n" + results::run_id(1) +
                              ",train.loss,100,3.4011973816621555,1002\n"))
      << csv;
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 15);
  EXPECT_TRUE(has(lcsm({"export", "--curves"}).out, "id,model.code,note,metric,step,value,time"));
  const Ran json = lcsm({"export", "00000003", "--curves", "--format", "jsonl"});
  EXPECT_TRUE(has(json.out, "\"metric\":\"valid.ppl\",\"step\":300,\"value\":\"nan\",\"time\":"))
      << json.out << json.err;
}

TEST_F(ResultsVerbs, ExportIntoAFileOrAFolder) {
  const ScratchFolder out;
  const fs::path file = out.path() / "curves.csv", boards = out.path() / "boards";
  EXPECT_EQ(lcsm({"export", "--curves", "--out", file.string()}).out, "");
  EXPECT_EQ(read_file(file), lcsm({"export", "--curves"}).out);
  const Words words = {"export", "--sweep", "golden", "--format", "tensorboard"};
  for (const char* option : {"--out", "--output"}) {
    Words with = words;
    with.insert(with.end(), {option, boards.string()});
    EXPECT_TRUE(has(lcsm(with).err, "2 runs written: tensorboard --logdir " + boards.string()));
  }
  for (const char* run : {"00000001", "00000002"})
    EXPECT_TRUE(fs::exists(boards / run / "events.out.tfevents.0000001000.lcsm")) << run;
}

TEST_F(ResultsVerbs, ExportRefusesWhatDoesNotFit) {
  const ScratchFolder out;
  std::ofstream(out.path() / "file");
  const std::string file = (out.path() / "file").string();
  const std::vector<std::pair<Words, std::string>> wrong = {
      {{"--format", "tensorboard"}, "expected one with --out DIR, got none"},
      {{"--format", "tensorboard", "--out", file}, "expected a folder as --out, got the file"},
      {{"--curves", "--metrics", "lowest"}, "curves are exported whole: omit it"},
      {{"00000001", "--sweep", "golden"}, "expected RUN|SWEEP or --sweep, got both"},
      {{"ffff"}, "got 'ffff'"},
      {{"seed=9"}, "no run has seed = 9"}};
  for (const auto& [words, reason] : wrong) {
    Words all = {"export"};
    all.insert(all.end(), words.begin(), words.end());
    const Ran ran = lcsm(all);
    EXPECT_EQ(ran.status, 2) << reason;
    EXPECT_TRUE(has(ran.err, reason)) << ran.err;
  }
  EXPECT_EQ(lcsm({"export", "--out", file + "/x"}).status, 4);
  EXPECT_EQ(lcsm({"export", "--format", "tensorboard", "--out", file + "/x"}).status, 4);
}

TEST_F(ResultsVerbs, ShowPrintsTheDiffThatWasKept) {
  const std::string diff = "diff --git a/x b/x\n+\x1b[2J\n";
  results::write_run(scratch.path(), {.number = 18, .diff = diff});
  EXPECT_EQ(lcsm({"show", "00000012", "--diff"}).out, diff);
  const std::string page = lcsm({"show", "00000012"}).out;
  EXPECT_TRUE(has(page, "\ndiff      " + scratch.path().string())) << page;
  const auto json = nlohmann::json::parse(lcsm({"show", "00000012", "--json"}).out);
  EXPECT_EQ(results::read_text(json["diff"].get<std::string>()), diff);
  EXPECT_EQ(lcsm({"show", "00000012", "--diff", "--json"}).status, 2);
  const Ran none = lcsm({"show", "00000001", "--diff"});
  EXPECT_EQ(none.status, 3);
  EXPECT_TRUE(has(none.err, "none were stored")) << none.err;
}

TEST_F(ResultsVerbs, HostileTextIsHarmless) {
  const std::string id = results::run_id(17).substr(0, 8);
  for (const Words& words : {Words{"show", id},
                             {"log", id},
                             {"diff", id, "00000001"},
                             {"export"},
                             {"show", id, "--json"},
                             {"query", "SELECT message FROM runs", "--format", "md"}}) {
    const std::string out = lcsm(words).out;
    EXPECT_EQ(out.find('\x1b'), std::string::npos) << words[0];
    if (words.back() == "md") {
      EXPECT_EQ(out.find("<script>"), std::string::npos);
    }
  }
  EXPECT_TRUE(has(lcsm({"export"}).out, ",'=x\\x1b[2J\\n<script>|\\input{x},"));
}

TEST_F(ResultsVerbs, RebuildReportsWhatItDid) {
  const Ran ran = lcsm({"rebuild"});
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(ran.out, "4 runs, 29 metric rows\n");
  EXPECT_TRUE(has(ran.err, "events.jsonl:1: expected a line that ends in its checksum"));
  fs::remove_all(results::run_folder(scratch.path(), results::run_id(4)));
  EXPECT_EQ(lcsm({"rebuild"}).status, 0);
}

TEST_F(ResultsVerbs, ADamagedDatabaseIsReportedWithARemedy) {
  const Words count = {"query", "SELECT count(*) FROM runs", "--format", "csv"};
  const std::string runs = lcsm(count).out;
  results::write_text(scratch.path() / "results.db", "no database at all");
  const Ran ran = lcsm(count);
  EXPECT_EQ(ran.out, runs);
  EXPECT_TRUE(has(ran.err, "file is not a database; `lcsm rebuild` rebuilds it")) << ran.err;
  lcsm({"rebuild"});
  EXPECT_EQ(lcsm({"query", "SELECT 1", "--format", "csv"}).out, "1\n1\n");
}

TEST_F(ResultsVerbs, MergeCopiesRuns) {
  const ScratchFolder other;
  results::write_run(other.path(), {.number = 30});
  EXPECT_EQ(lcsm({"merge", other.path().string()}).out,
            "1 run copied, 0 already here, 0 refused\n");
  EXPECT_EQ(lcsm({"merge", other.path().string()}).out,
            "0 runs copied, 1 already here, 0 refused\n");
  EXPECT_EQ(lcsm({"merge", "/no/such/folder"}).status, 3);
}

// The run's other copy stays.
TEST_F(ResultsVerbs, ARunThatTwoPeopleFinishedIsNoFailureOfAMerge) {
  const ScratchFolder one, other;
  results::write_run(one.path(), {.number = 30, .host = "one"});
  results::write_run(other.path(), {.number = 30, .host = "other"});
  const Ran ran = lcsm({"merge", one.path().string(), other.path().string()});
  EXPECT_EQ(ran.status, 0);
  EXPECT_TRUE(has(ran.err, "finished twice: run " + results::run_id(30))) << ran.err;
}

TEST_F(ResultsVerbs, AMissingWorkspaceIsReported) {
  const Ran ran = run_lcsm({"query", "SELECT 1", "--workspace", "/no/such"});
  EXPECT_EQ(ran.status, 3);
  EXPECT_TRUE(
      has(ran.err, "expected a workspace at /no/such, got none: `lcsm run SWEEP` makes it; "));
}

TEST_F(ResultsVerbs, TheFolderAroundAWorkspaceIsNotTakenForIt) {
  const std::string around = (scratch.path() / "around").string();
  std::filesystem::create_directories(around + "/workspace/runs");
  const std::string wanted = "expected a workspace with runs/ at " + around +
                             ", got none; did you mean '" + around + "/workspace'?";
  EXPECT_TRUE(has(run_lcsm({"table", "--workspace", around}).err, wanted));
  EXPECT_TRUE(has(lcsm({"merge", around}).err, wanted));
}

TEST_F(ResultsVerbs, RunsAreCompleted) {
  const Ran ran = run_lcsm({"__complete", "zsh", "show", "0000"},
                           {"LCSM_WORKSPACE=" + scratch.path().string()});
  EXPECT_TRUE(has(ran.out, results::run_id(17)));
}

TEST_F(ResultsVerbs, TableShowsMeansAndWhereTheyComeFrom) {
  results::marked_runs(scratch.path());
  const Ran ran = lcsm({"table", "marks", "--rows", "model.code", "--values", "valid.ppl"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  for (const char* part :
       {"24.16 +- 0.31~ v", "24.23", "paper, other task", "e the best value is at the edge",
        "optim.lr chosen by the mean over seeds of valid.ppl"})
    EXPECT_TRUE(has(ran.out, part)) << part << "\n" << ran.out;
  const Ran cell = lcsm({"table", "marks", "--rows", "model.code", "--cell", "1-9-1-0,test.ppl"});
  EXPECT_TRUE(has(cell.out, "beef")) << cell.out;
  EXPECT_EQ(lcsm({"table", "marks", "--select", "test.ppl"}).status, 2);
  const Ran none = lcsm({"table", "marks", "--rows", "model.code", "--cell", "nobody"});
  EXPECT_EQ(none.status, 2);
  EXPECT_TRUE(has(none.err, "such as 1-0-1-0,valid.ppl, got 'nobody'")) << none.err;
}

TEST_F(ResultsVerbs, CellsAreNamedAsTheTableShowsThem) {
  results::marked_runs(scratch.path());
  const auto cell = [&](const std::string& place) {
    return lcsm({"table", "marks", "--rows", "model.code,seed", "--columns", "optim.lr", "--values",
                 "valid.ppl,test.ppl", "--cell", place});
  };
  const Ran one = cell("1-1-1-0,1,lr=0.001 valid.ppl");
  EXPECT_TRUE(has(one.out, "value  seed  status")) << one.out << one.err;
  EXPECT_EQ(std::ranges::count(one.out, '\n'), 2) << "the header and a run\n" << one.out;
  EXPECT_TRUE(has(one.out, "lr=0.001 valid.ppl")) << one.out;
  EXPECT_FALSE(has(cell("1-1-1-0,1,lr=0.001").out, "lr=0.01"));
  const Words asked = {"table", "marks", "--rows", "model.code", "--cell", "1-9-1-0,test.ppl"};
  const auto as = [&](const char* format) {
    Words words = asked;
    words.insert(words.end(), {"--format", format});
    return lcsm(words);
  };
  EXPECT_TRUE(has(as("json").out, "\"lcsm.cell/1\"")) << as("json").out;
  EXPECT_TRUE(as("csv").out.starts_with("value,seed,status,")) << as("csv").out;
  EXPECT_EQ(as("tex").status, 2);
  const Ran rows = cell("1-1-1-0,lr=0.001 valid.ppl");
  EXPECT_TRUE(has(rows.out, "  row\n") && has(rows.out, "  1-1-1-0,1\n") &&
              has(rows.out, "  1-1-1-0,2\n"))
      << rows.out;
}

TEST_F(ResultsVerbs, TableChecksACommittedFile) {
  results::marked_runs(scratch.path());
  const Words table = {"table", "marks", "--rows", "model.code"};
  const auto with = [&](const Words& more) {
    Words words = table;
    words.insert(words.end(), more.begin(), more.end());
    return lcsm(words);
  };
  const std::string file = (scratch.path() / "types.md").string();
  results::write_text(file, with({"--format", "md"}).out);
  EXPECT_EQ(with({"--check", file}).status, 0);
  fs::remove_all(results::run_folder(scratch.path(), results::run_id(101)));
  const Ran stale = with({"--check", file});
  EXPECT_EQ(stale.status, 1);
  EXPECT_TRUE(has(stale.out, "- | 1-0-1-0 |") && has(stale.out, "+ | 1-0-1-0 |")) << stale.out;
  for (const char* none : {"/no/such/file.md", "/proc"}) {
    const Ran ran = with({"--check", none});
    EXPECT_EQ(ran.status, 3);
    EXPECT_NE(ran.err.find(std::string("expected a file to compare with, got: ") + none),
              std::string::npos)
        << ran.err;
  }
}

TEST_F(ResultsVerbs, TableFitsATerminalOrNamesWhatItLeftOut) {
  results::marked_runs(scratch.path());
  const Ran ran =
      run_on_terminal({program_beside("lcsm").string(), "table", "marks", "--rows", "model.code",
                       "--columns", "seed", "--workspace", scratch.path().string()});
  EXPECT_TRUE(has(ran.out, "not shown: ")) << ran.out;
}

}  // namespace runner
