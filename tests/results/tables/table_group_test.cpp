// table_group.cpp: the runs of a cell.
#include <gtest/gtest.h>

#include "results/events/event_writer.h"
#include "results/store/fold.h"
#include "results/store/store.h"
#include "results/tables/claim.h"
#include "results/tables/table_formats.h"
#include "results/tables/table_steps.h"
#include "tests/results/fixture.h"

namespace results {
namespace {

Table made(const Scratch& scratch) {
  fold(scratch.path());
  return make_table(*open_for_reading(scratch.path()), kTestRoles, {.values = {"valid.ppl"}});
}

void write(const Scratch& scratch, int number, const Values& more) {
  write_run(scratch.path(),
            {.number = number, .seed = number, .valid = {20.0 + number}, .more = more});
}

// A key that a run lacks was added after the run was trained.
TEST(TableGroup, RunsOfAnOlderVersionBelongToTheSameCell) {
  const Scratch scratch;
  write(scratch, 2, {});
  write(scratch, 10, {{"eval.examples", std::int64_t{0}}});
  const Table table = made(scratch);
  ASSERT_EQ(table.rows.size(), 1u);
  EXPECT_EQ(table.cells[0][0].statistics.mean, 26);
  EXPECT_EQ(table.cells[0][0].samples[0].seed, "2") << "in the order of the numbers";
  EXPECT_EQ(signs_of(table.cells[0][0]), "");
  write_run(scratch.path(), {.number = 11, .seed = 2, .valid = {24.0}});
  EXPECT_EQ(signs_of(made(scratch).cells[0][0]), "x") << "two runs of one seed";
  write_run(scratch.path(), {.number = 12, .code = "1-2-1-0", .seed = 3});
  const Table two = made(scratch);
  EXPECT_EQ(signs_of(two.cells[0][0]), "m,x") << "three runs, but not of the three seeds";
  EXPECT_EQ(signs_of(two.cells[1][0]), "m");
}

TEST(TableGroup, RunsThatDifferInAKeyThatTheyHaveDoNot) {
  const Scratch scratch;
  write(scratch, 1, {});
  write(scratch, 2, {{"eval.examples", std::int64_t{0}}});
  write(scratch, 3, {{"eval.examples", std::int64_t{9}}});
  EXPECT_GT(made(scratch).rows.size(), 1u);
  fold(scratch.path());
  const Table mixed = make_table(*open_for_reading(scratch.path()), kTestRoles,
                                 {.rows = {"model.code"}, .values = {"valid.ppl"}});
  EXPECT_EQ(signs_of(mixed.cells[0][0]), "x");
  EXPECT_EQ(mixed.notes.back().parts[0].text,
            "runs that differ in another parameter: eval.examples");
}

// Parameters that other tasks lack, and empty texts, distinguish the rows of a task, too.
TEST(TableGroup, RowsOfATaskAreComparedIfTheyAgreeInItsParameters) {
  const Scratch scratch;
  int number = 0;
  for (const std::string task : {"mqar", "text", "words"})
    for (const std::string code : {"1-1-1-0", "1-2-1-0"})
      for (const int seed : {1, 2, 3}) {
        const bool first = code == "1-1-1-0";
        Values more;
        if (task == "mqar") more = {{"task.pairs", std::int64_t{first ? 2 : 1}}};
        if (task == "words") more = {{"task.segments", std::string(first ? "" : "2-6")}};
        write_run(scratch.path(), {.number = ++number,
                                   .code = code,
                                   .task = task,
                                   .seed = seed,
                                   .valid = {20.0 + (first ? 0 : seed)},
                                   .more = more});
      }
  fold(scratch.path());
  const auto made_across = [&](const std::vector<std::string>& across) {
    return make_table(*open_for_reading(scratch.path()), kTestRoles,
                      {.rows = {"model.code"},
                       .columns = {"task.name"},
                       .values = {"valid.ppl"},
                       .across = across});
  };
  const Table table = made_across({});
  ASSERT_EQ(table.columns[1].labels[0], "text");
  for (const std::size_t row : {0, 1})
    for (const std::size_t column : {0, 2}) {
      EXPECT_EQ(signs_of(table.cells[row][column]), "c") << table.columns[column].labels[0];
      EXPECT_FALSE(table.cells[row][column].best);
    }
  EXPECT_TRUE(table.cells[0][1].best);
  EXPECT_EQ(signs_of(table.cells[1][1]), "");
  EXPECT_EQ(table.notes[1].parts[0].text,
            "rows that differ in task.pairs, task.segments are not compared; --across "
            "task.pairs,task.segments would allow it");
  EXPECT_TRUE(made_across({"task.pairs", "task.segments"}).cells[0][0].best);
}

// The texts of a task may change without changing ids; attempts tell them.
TEST(TableGroup, RunsOnUnlikeTextsAreToldApart) {
  const auto found = [](const std::string& first, const std::string& second) {
    const Scratch scratch;
    for (const int number : {1, 2, 3, 4})
      write_run(scratch.path(), {.number = number,
                                 .code = number < 3 ? "1-1-1-0" : "1-2-1-0",
                                 .seed = number % 2,
                                 .text = number < 4 ? first : second});
    write_run(scratch.path(), {.number = 5, .task = "words", .text = "c"});
    fold(scratch.path());
    const Table table =
        make_table(*open_for_reading(scratch.path()), kTestRoles,
                   {.rows = {"model.code"}, .columns = {"task.name"}, .values = {"valid.ppl"}});
    return signs_of(table.cells[1][0]) + ": " + note_texts(table).back();
  };
  EXPECT_EQ(found("a", "b"), "x: x runs that differ in another parameter: task.content");
  const std::string same = found("a", "a");
  EXPECT_EQ(same.find("task.content"), std::string::npos) << same;
  EXPECT_EQ(found("a", ""), same) << "an older version does not tell it";
}

// The marks of a run of 300 steps after further attempts, by another version of the program, from
// these steps on.
std::string signs_of_resumed(const std::vector<std::int64_t>& steps) {
  const Scratch scratch;
  {
    EventWriter writer(write_run(scratch.path(), {.number = 1, .status = ""}), counting_clock());
    for (const std::int64_t step : steps) {
      writer.append(AttemptLine{step, step == 0 ? 0 : 4, {{"commit", "other"}}});
      writer.append(MetricsLine{300, {{"valid.ppl", 20.0}}});
    }
    writer.append(EndLine{RunState::kDone, 300, ""});
  }
  return signs_of(made(scratch).cells[0][0]);
}

TEST(TableGroup, ARunThatAnotherVersionResumedIsMarked) {
  EXPECT_EQ(signs_of_resumed({}).find('v'), std::string::npos);
  EXPECT_NE(signs_of_resumed({200}).find('v'), std::string::npos);
  EXPECT_NE(signs_of_resumed({200, 250}).find('v'), std::string::npos);
  EXPECT_EQ(signs_of_resumed({0}).find('v'), std::string::npos) << "begun again";
  EXPECT_EQ(signs_of_resumed({200, 0}).find('v'), std::string::npos);
}

// Fine-tuned runs, each from the pretrained run of its model and seed.
TEST(TableGroup, RowsThatUnlikeProgramsTrainedAreComparedWithANote) {
  const auto found = [](const std::string& commit) {
    const Scratch scratch;
    for (const int number : {1, 2, 3, 4, 5, 6})
      write_run(scratch.path(), {.number = number,
                                 .code = number < 4 ? "1-1-1-0" : "1-2-1-0",
                                 .seed = number % 3,
                                 .valid = {number < 4 ? 20. + 0.1 * number : 30.},
                                 .commit = number < 4 ? commit : "c0ffee"});
    fold(scratch.path());
    const auto database = open_for_reading(scratch.path());
    std::string notes;
    for (const std::string statistic : {"mean", "iqm"})
      for (const std::string& note : note_texts(make_table(
               *database, kTestRoles,
               {.rows = {"model.code"}, .values = {"valid.ppl"}, .statistic = statistic})))
        if (note.find("program versions") != note.npos) notes += note + "\n";
    const ClaimSpec claim{.text = "1-1-1-0 < 1-2-1-0 in valid.ppl"};
    return notes + claim_sentence(judge_claims({compare_claim(*database, kTestRoles, claim)})[0]);
  };
  const std::string one = found("c0ffee"), two = found("decade");
  EXPECT_TRUE(one.starts_with("supported: ") && one.ends_with("n = 3)")) << one;
  const std::string note =
      "rows are compared although different program versions trained them: --cell ROW,COLUMN "
      "shows the commits\n";
  EXPECT_EQ(two, note + note + one.substr(0, one.size() - 1) + "; marks v)");
}

TEST(TableGroup, RowsOfUnlikeBatchesAreComparedWithANote) {
  const auto note = [](std::int64_t batch) {
    const Scratch scratch;
    for (const int number : {1, 2})
      write_run(scratch.path(), {.number = number,
                                 .code = number == 1 ? "1-1-1-0" : "1-2-1-0",
                                 .more = {{"optim.batch", number == 1 ? std::int64_t{9} : batch}}});
    fold(scratch.path());
    Roles roles = kTestRoles;
    roles.trained = [](std::int64_t steps, const Parameters& run) {
      const auto found = run.find("optim.batch");
      return found == run.end() ? "" : std::to_string(steps * std::stoll(found->second)) + " words";
    };
    return note_texts(make_table(
        *open_for_reading(scratch.path()), roles,
        {.rows = {"model.code"}, .values = {"valid.ppl"}, .across = {"optim.batch"}}))[1];
  };
  EXPECT_EQ(note(20),
            "rows are compared although their steps train on unlike amounts of data: 2700 words to "
            "6000 words");
  EXPECT_TRUE(note(9).starts_with("* best mean")) << note(9);
}

TEST(TableGroup, RowsOfEqualMinutesOnUnlikeMachinesAreComparedWithANote) {
  static constexpr std::array<std::string_view, 2> kBudgets = {"optim.steps", "optim.minutes"};
  Roles roles = kTestRoles;
  roles.budgets = kBudgets;
  roles.minutes = "optim.minutes";
  const auto note = [&](double minutes, const std::string& host) {
    const Scratch scratch;
    for (const int number : {1, 2})
      write_run(scratch.path(), {.number = number,
                                 .code = number == 1 ? "1-1-1-0" : "1-2-1-0",
                                 .more = {{"optim.minutes", minutes}},
                                 .host = number == 1 ? "here" : host});
    fold(scratch.path());
    return note_texts(make_table(*open_for_reading(scratch.path()), roles,
                                 {.rows = {"model.code"}, .values = {"valid.ppl"}}))[1];
  };
  const std::string unlike = note(10, "there");
  EXPECT_TRUE(
      unlike.starts_with("rows are compared although their minutes are those of unlike machines: "))
      << unlike;
  EXPECT_TRUE(unlike.find("here") < unlike.find("; ") && unlike.find("; ") < unlike.find("there"))
      << unlike;
  for (const std::string& same : {note(10, "here"), note(0, "there")})
    EXPECT_TRUE(same.starts_with("* best mean")) << same;
}

TEST(TableGroup, ASpeedIsOfTheMachineAndTheThreadsOfTheLastAttempt) {
  const auto signs = [](const std::string& began, std::int64_t threads,
                        const std::string& value = "time.tokens_per_second") {
    const Scratch scratch;
    for (const int seed : {1, 2}) {
      EventWriter writer(
          write_run(
              scratch.path(),
              {.number = seed, .seed = seed, .status = "", .host = seed == 1 ? began : "here"}),
          counting_clock());
      writer.append(AttemptLine{300,
                                6,
                                {{"commit", "c0ffee"},
                                 {"host", "here"},
                                 {"threads", seed == 1 ? threads : std::int64_t{4}}}});
      writer.append(MetricsLine{300, {{value, 100.0 * seed}}});
      writer.append(EndLine{RunState::kDone, 300, ""});
    }
    fold(scratch.path());
    return signs_of(
        make_table(*open_for_reading(scratch.path()), kTestRoles, {.values = {value}}).cells[0][0]);
  };
  EXPECT_EQ(signs("there", 4), "");
  EXPECT_EQ(signs("here", 2), "u");
  EXPECT_EQ(signs("there", 4, "time.seconds"), "u") << "the time of all attempts";
}

TEST(TableGroup, WeightsThatEachSeedStartsFromDistinguishNoRows) {
  const Scratch scratch;
  int number = 0;
  for (const char* code : {"1-1-1-0", "1-2-1-0"})
    for (int seed = 1; seed <= 3; ++seed, ++number)
      write_run(scratch.path(),
                {.number = number + 1,
                 .code = code,
                 .seed = seed,
                 .valid = {20.0 + number + seed * seed},
                 .more = {{"model.from_content", "weights " + std::to_string(number)}}});
  const Table table = made(scratch);
  EXPECT_EQ(table.row_keys, std::vector<std::string>{"model.code"});
  EXPECT_EQ(table.cells[0][0].statistics.n, 3);
  EXPECT_EQ(signs_of(table.cells[0][0]), "");
  write_run(scratch.path(), {.number = 9,
                             .code = "1-1-1-0",
                             .seed = 1,
                             .valid = {20.0},
                             .more = {{"model.from_content", "weights 9"}}});
  EXPECT_EQ(made(scratch).row_keys.size(), 2u) << "a seed that started from two weights";
}

TEST(TableGroup, WeightsThatAllSeedsStartFromDistinguishRows) {
  const Scratch scratch;
  for (int i = 0; i < 4; ++i)
    write_run(scratch.path(),
              {.number = i + 1,
               .seed = i / 2 + 1,
               .valid = {20.0 + i},
               .more = {{"model.from_content", "weights " + std::to_string(i % 2)}}});
  EXPECT_EQ(made(scratch).row_keys, std::vector<std::string>{"model.from_content"});
}

}  // namespace
}  // namespace results
