// fold.cpp, event_folder.cpp, run_rows.cpp: from run folders to rows.
#include "results/store/fold.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cmath>
#include <fstream>

#include "results/events/event_text.h"
#include "results/events/run_notes.h"
#include "results/store/store.h"
#include "tests/results/fixture.h"
#include "tests/results/store/dump.h"

namespace results {
namespace {

namespace fs = std::filesystem;

class Folding : public testing::Test {
 protected:
  std::string ask(const std::string& sql) const { return answer(scratch.path(), sql); }
  fs::path events(int number) const {
    return run_folder(scratch.path(), run_id(number)) / kEventFile;
  }
  // The database built from the run folders alone.
  std::string rebuilt() const {
    rebuild(scratch.path());
    return dump(scratch.path());
  }
  std::string place(int number) const { return "runs/" + run_id(number) + "/events.jsonl"; }

  Scratch scratch;
};

// Three attempts: the second resumes after step 200, the third starts from scratch.
void write_rewound(const fs::path& workspace, bool third) {
  EventWriter writer(write_run(workspace, {.test = std::nan(""), .status = ""}), counting_clock());
  writer.append(AttemptLine{200, 4, {}});
  writer.append(MetricsLine{300, {{"valid.ppl", 20}}});
  if (!third) return;
  writer.append(AttemptLine{0, 0, {}});
  writer.append(MetricsLine{100, {{"valid.ppl", 40}}});
}

}  // namespace

TEST_F(Folding, EveryTableHasItsRows) {
  write_run(scratch.path(), {.sweep = "s", .message = "fine"});
  const FoldReport report = fold(scratch.path());
  EXPECT_EQ(report.runs, 1);
  EXPECT_EQ(report.metric_rows, 7);
  EXPECT_EQ(ask("SELECT id, status, steps, attempts, code, lr, seconds, message FROM overview"),
            run_id(1) + "|done|300|1|1-1-1-0|0.001|5.0|fine\n");
  EXPECT_EQ(ask("SELECT metric, last, last_step, lowest, lowest_step, highest FROM outcomes"),
            "test.ppl|24.5|300|24.5|300|24.5\n"
            "train.loss|3.1780538303479458|300|3.1780538303479458|300|3.4011973816621555\n"
            "valid.ppl|24.0|300|24.0|300|30.0\n");
  EXPECT_EQ(ask("SELECT * FROM members"), "s|" + run_id(1) + "||\n");
  EXPECT_EQ(ask("SELECT name, value FROM environments"), "commit|c0ffee\nhost|here\n");
}

TEST_F(Folding, KeepsTheTypesOfParameters) {
  write_run(scratch.path(),
            {.more = {{"a.flag", true}, {"a.list", List{"[1,2]"}}, {"a.real", 2.0}}});
  fold(scratch.path());
  EXPECT_EQ(ask("SELECT key, value, type, typeof(value) FROM settings WHERE key LIKE 'a.%'"),
            "a.flag|1|boolean|integer\na.list|[1,2]|list|text\na.real|2.0|real|real\n");
}

TEST_F(Folding, TwiceIsTheSameAsOnce) {
  write_run(scratch.path(), {});
  fold(scratch.path());
  const std::string before = dump(scratch.path());
  const FoldReport again = fold(scratch.path());
  EXPECT_EQ(again.changed, 0);
  EXPECT_EQ(dump(scratch.path()), before);
}

TEST_F(Folding, ContinuesWhereItStopped) {
  const fs::path folder = write_run(scratch.path(), {.status = ""});
  EXPECT_EQ(fold(scratch.path()).metric_rows, 7);
  EventWriter(folder, counting_clock()).append(MetricsLine{400, {{"valid.ppl", 10}}});
  EXPECT_EQ(fold(scratch.path()).metric_rows, 1);
  EXPECT_EQ(ask("SELECT lowest, highest, rows FROM summaries WHERE metric = 'valid.ppl'"),
            "10.0|30.0|4\n");
  const std::string live = dump(scratch.path());
  EXPECT_EQ(rebuilt(), live);
}

TEST_F(Folding, ANewAttemptDiscardsWhatFollowedItsCheckpoint) {
  write_rewound(scratch.path(), false);
  fold(scratch.path());
  EXPECT_EQ(ask("SELECT step, value, attempt FROM history WHERE metric = 'valid.ppl'"),
            "100|30.0|1\n200|25.0|1\n300|20.0|2\n");
  EXPECT_EQ(ask("SELECT count(*) FROM metrics WHERE metric = 'valid.ppl'"), "4\n");
}

TEST_F(Folding, AnAttemptFromTheStartDiscardsAll) {
  write_rewound(scratch.path(), true);
  fold(scratch.path());
  EXPECT_EQ(ask("SELECT step, value FROM history WHERE metric = 'valid.ppl'"), "100|40.0\n");
  EXPECT_EQ(ask("SELECT rows, highest, steps FROM summaries JOIN runs USING (run)"),
            "1|40.0|100\n");
}

// Folding after every line gives the rows of one fold at the end.
TEST_F(Folding, InAnyNumberOfStepsIsTheSame) {
  write_rewound(scratch.path(), true);
  const std::string text = read_text(events(1)), whole = rebuilt();
  for (std::size_t end = text.find('\n'); end != std::string::npos;
       end = text.find('\n', end + 1)) {
    write_text(events(1), text.substr(0, end + 1));
    fold(scratch.path());
  }
  EXPECT_EQ(dump(scratch.path()), whole);
}

TEST_F(Folding, RefusesABadRunAndFoldsTheOthers) {
  for (const int number : {1, 2, 3}) write_run(scratch.path(), {.number = number});
  fold(scratch.path());
  std::string text = read_text(events(2));
  text[text.find("\"step\":100") + 8] ^= 1;
  write_text(events(2), text);
  const FoldReport report = fold(scratch.path());
  ASSERT_EQ(report.refused.size(), 1u);
  EXPECT_TRUE(report.refused[0].starts_with(place(2) + ":3: expected the checksum "));
  EXPECT_EQ(ask("SELECT substr(id, 8, 1) FROM runs ORDER BY id"), "1\n3\n");
  EXPECT_EQ(fold(scratch.path()).refused, report.refused);  // not read again, but still reported
  const std::string live = dump(scratch.path());
  EXPECT_EQ(rebuilt(), live);
}

TEST_F(Folding, ARepairedRunIsFolded) {
  write_run(scratch.path(), {});
  const std::string text = read_text(events(1));
  write_text(events(1), "nonsense\n" + text);
  EXPECT_EQ(fold(scratch.path()).refused.size(), 1u);
  write_text(events(1), text);
  EXPECT_TRUE(fold(scratch.path()).refused.empty());
  EXPECT_EQ(ask("SELECT count(*) FROM runs"), "1\n");
  const std::string whole = dump(scratch.path());
  const std::string begun = text.substr(0, text.find("\n", text.find("\"step\":100")) + 1);
  write_text(events(1), begun);
  EXPECT_TRUE(fold(scratch.path()).refused.empty());
  write_text(events(1), begun + "nonsense\nmore\n");  // after lines that were folded
  EXPECT_EQ(fold(scratch.path()).refused.size(), 1u);
  EXPECT_EQ(ask("SELECT count(*) FROM runs"), "0\n");
  write_text(events(1), text);
  EXPECT_TRUE(fold(scratch.path()).refused.empty());
  EXPECT_EQ(dump(scratch.path()), whole);
}

TEST_F(Folding, RefusesForgedIdentities) {
  fs::rename(write_run(scratch.path(), {.number = 1}), run_folder(scratch.path(), run_id(2)));
  FoldReport report = fold(scratch.path());
  ASSERT_EQ(report.refused.size(), 1u);
  EXPECT_EQ(report.refused[0],
            place(2) + ":1: expected run " + run_id(2) + ", the folder's name, got " + run_id(1));
  const fs::path folder = run_folder(scratch.path(), run_id(3));
  fs::create_directory(folder);
  EventWriter(folder, RunLine{run_id(3), "{\"seed\":1}", {}});
  report = fold(scratch.path(), {.id_of = [](std::string_view) { return run_id(4); }});
  EXPECT_EQ(report.refused[1], place(3) + ":1: expected run " + run_id(4) +
                                   ", the hash of its identity, got " + run_id(3));
}

TEST_F(Folding, WarnsOfATornLine) {
  write_run(scratch.path(), {});
  const std::string text = read_text(events(1));
  write_text(events(1), text.substr(0, text.size() - 5));
  const FoldReport report = fold(scratch.path());
  ASSERT_EQ(report.warnings.size(), 1u);
  EXPECT_TRUE(report.warnings[0].starts_with(place(1) + ":7: a torn last line of "));
  EXPECT_EQ(ask("SELECT status FROM runs"), "running\n");
}

// A power failure may lose lines that were never synced, and others may be written in their place.
TEST_F(Folding, FollowsAFileThatLostLinesAndGrewAgain) {
  const fs::path folder = write_run(scratch.path(), {});
  fold(scratch.path());
  std::string text = read_text(events(1));
  text.resize(text.find("\"step\":200"));
  text.resize(text.rfind('\n') + 1);
  write_text(events(1), text);
  {
    EventWriter writer(folder, counting_clock());
    for (int step = 101; step < 130; ++step) writer.append(MetricsLine{step, {{"valid.ppl", 1}}});
  }
  fold(scratch.path());
  EXPECT_EQ(ask("SELECT rows FROM summaries WHERE metric = 'valid.ppl'"), "30\n");
}

TEST_F(Folding, DropsARemovedFolder) {
  write_run(scratch.path(), {.number = 1, .sweep = "s"});
  write_run(scratch.path(), {.number = 2});
  fold(scratch.path());
  fs::remove_all(run_folder(scratch.path(), run_id(1)));
  EXPECT_EQ(fold(scratch.path()).removed, 1);
  EXPECT_EQ(ask("SELECT (SELECT count(*) FROM runs) || (SELECT count(*) FROM sweeps)"), "10\n");
}

TEST_F(Folding, SeesASweepThatWasAddedLater) {
  const fs::path folder = write_run(scratch.path(), {.sweep = "a"});
  fold(scratch.path());
  write_mark(folder, {"b", "", ""});
  fold(scratch.path());
  EXPECT_EQ(ask("SELECT sweep FROM sweeps"), "a\nb\n");
}

TEST_F(Folding, SeesTagsAndNotesThatWereAddedAndRemovedLater) {
  const fs::path folder = write_run(scratch.path(), {.sweep = "a"});
  fold(scratch.path());
  add_tag(folder, "good");
  add_tag(folder, "best");
  write_text(folder / kNotesFolder / "1.txt", "first");
  write_text(folder / kNotesFolder / "2.txt", "second");
  fold(scratch.path());
  EXPECT_EQ(ask("SELECT tags, note FROM overview"), "best, good|first\nsecond\n");
  EXPECT_EQ(rebuilt(), dump(scratch.path()));
  remove_tag(folder, "good");
  fold(scratch.path());
  EXPECT_EQ(ask("SELECT tags, note FROM overview"), "best|first\nsecond\n");
}

TEST_F(Folding, ARunThatNobodyWritesIsInterrupted) {
  const fs::path folder = write_run(scratch.path(), {.status = ""});
  fold(scratch.path());
  EXPECT_EQ(ask("SELECT status FROM overview"), "interrupted\n");
  {
    const EventWriter writer(folder, counting_clock());
    fold(scratch.path());
    EXPECT_EQ(ask("SELECT status FROM overview"), "running\n");
  }
  fold(scratch.path());
  EXPECT_EQ(ask("SELECT status FROM overview"), "interrupted\n");
  EXPECT_EQ(rebuilt(), dump(scratch.path()));
}

TEST_F(Folding, NamesAMarkThatCannotBeRead) {
  const fs::path folder = write_run(scratch.path(), {.sweep = "a"});
  write_text(folder / kMarksFolder / "a.json", "{}");
  const FoldReport report = fold(scratch.path());
  ASSERT_EQ(report.warnings.size(), 1u);
  EXPECT_NE(report.warnings[0].find("sweeps/a.json: expected a JSON object"), std::string::npos);
}

TEST_F(Folding, ReadsAMarkThatCouldNotBeOpenedAgain) {
  const fs::path folder = write_run(scratch.path(), {.sweep = "a"});
  const fs::path mark = folder / kMarksFolder / "a.json", aside = folder / "a.json";
  fs::rename(mark, aside);
  fs::create_symlink(mark, mark);
  const FoldReport report = fold(scratch.path());
  ASSERT_EQ(report.warnings.size(), 1u);
  EXPECT_NE(report.warnings[0].find("Too many levels of symbolic links"), std::string::npos);
  fs::rename(aside, mark);
  EXPECT_TRUE(fold(scratch.path()).warnings.empty());
  EXPECT_EQ(ask("SELECT sweep FROM members"), "a\n");
}

TEST_F(Folding, RefusesWhatCannotBeReadAndFoldsTheOthers) {
  for (const int number : {1, 2, 3, 4, 5}) write_run(scratch.path(), {.number = number});
  for (const int number : {1, 2, 3, 4}) fs::rename(events(number), events(number).string() + "~");
  fs::create_directory(events(1));
  fs::create_symlink(events(2), events(2));
  ASSERT_EQ(mkfifo(events(3).c_str(), 0600), 0);
  const FoldReport report = fold(scratch.path());
  ASSERT_EQ(report.refused.size(), 3u);  // run 4 has no events
  EXPECT_EQ(report.refused[0], place(1) + ": cannot be read: not a regular file");
  EXPECT_EQ(report.refused[1], place(2) + ": cannot be read: Too many levels of symbolic links");
  EXPECT_EQ(report.refused[2], place(3) + ": cannot be read: not a regular file");
  EXPECT_EQ(ask("SELECT substr(id, 8, 1) FROM runs"), "5\n");
  for (const int number : {1, 2, 3, 4}) {
    fs::remove(events(number));
    fs::rename(events(number).string() + "~", events(number));
  }
  EXPECT_TRUE(fold(scratch.path()).refused.empty());
  EXPECT_EQ(ask("SELECT count(*) FROM runs"), "5\n");
}

// Enough runs for several threads to examine their files.
TEST_F(Folding, OfManyRunsEachCountsOnce) {
  constexpr int kRuns = 1003;
  for (int i = 1; i <= kRuns; ++i)
    write_run(scratch.path(), {.number = i, .sweep = "s", .valid = {static_cast<double>(i)}});
  EXPECT_EQ(fold(scratch.path()).changed, kRuns);
  EXPECT_EQ(ask("SELECT count(*), sum(last) FROM outcomes WHERE metric = 'valid.ppl'"),
            "1003|503506.0\n");
  EXPECT_EQ(ask("SELECT count(*) FROM members"), "1003\n");
  fs::remove_all(run_folder(scratch.path(), run_id(17)));
  write_run(scratch.path(), {.number = kRuns + 1});
  const FoldReport again = fold(scratch.path());
  EXPECT_EQ(again.runs, kRuns);
  EXPECT_EQ(again.removed, 1);
  EXPECT_EQ(dump(scratch.path()), rebuilt());
}

TEST_F(Folding, AWorkspaceWithoutRunsIsEmpty) { EXPECT_EQ(fold(scratch.path()).runs, 0); }

TEST_F(Folding, RebuildReplacesADamagedDatabase) {
  write_run(scratch.path(), {});
  fold(scratch.path());
  const std::string before = dump(scratch.path());
  write_text(scratch.path() / kDatabaseFile, "no database");
  EXPECT_THROW(fold(scratch.path()), DatabaseError);
  EXPECT_EQ(rebuilt(), before);
}

// It may be another program's: nobody can tell before it can be read.
TEST_F(Folding, RebuildKeepsADatabaseThatIsLocked) {
  write_run(scratch.path(), {});
  const fs::path file = scratch.path() / kDatabaseFile;
  Database foreign(file, Database::Mode::kWrite);
  foreign.run("CREATE TABLE theirs (x); BEGIN EXCLUSIVE");
  EXPECT_THROW(rebuild(scratch.path(), {.patience = kNoPatience}), std::runtime_error);
  foreign.run("COMMIT");
  EXPECT_EQ(Database(file, Database::Mode::kRead).text("SELECT name FROM sqlite_master"), "theirs");
}

}  // namespace results
