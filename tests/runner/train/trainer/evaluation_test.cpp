#include "runner/train/trainer/evaluation.h"

#include <gtest/gtest.h>

#include <fstream>

#include "results/events/event_reader.h"
#include "results/events/event_writer.h"
#include "results/events/run_folder.h"
#include "runner/config/run/run_id.h"
#include "runner/config/toml/config_mistakes.h"
#include "runner/data/own/own_data.h"
#include "runner/data/tasks/task.h"
#include "runner/train/trainer/checkpoint.h"
#include "tests/message_of.h"
#include "tests/runner/run_program.h"
#include "tests/runner/train/trainer/small_run.h"

namespace runner {
namespace {

namespace fs = std::filesystem;
using Settings = std::vector<std::string>;

class EvaluationTest : public testing::Test {
 protected:
  std::string trained(const Settings& more = {}) {
    RunConfig config = config_of(small_run(), more);
    pin_data(config, workspace());
    EXPECT_EQ(train(config, workspace()), results::RunState::kDone);
    return run_id(config);
  }
  std::string refusal(const std::string& id, const EvaluationRequest& request) {
    return message_of([&] { evaluate_run(workspace(), id, request); });
  }
  // The last value of each metric that the run itself reported.
  std::map<std::string, double> reported(const std::string& id) {
    std::map<std::string, double> last;
    results::EventReader reader(folder(id) / results::kEventFile);
    while (const auto event = reader.next())
      if (const auto* metrics = std::get_if<results::MetricsLine>(&event->line))
        for (const auto& [name, value] : metrics->values) last[name] = value;
    return last;
  }
  fs::path folder(const std::string& id) const { return results::run_folder(workspace(), id); }
  const fs::path& workspace() const { return scratch.path(); }

 private:
  const ScratchFolder scratch;
};

}  // namespace

TEST_F(EvaluationTest, AsTrainedIsWhatTheRunReported) {
  const std::string id = trained();
  const auto wanted = reported(id);
  const results::Evaluation test = evaluate_run(workspace(), id, {});
  EXPECT_EQ(test.settings, "");
  EXPECT_EQ(evaluate_run(workspace(), id, {{"run.threads=1"}}).settings, "");
  ASSERT_EQ(test.metrics.size(), 2u);
  for (const auto& [metric, value] : test.metrics) EXPECT_EQ(value, wanted.at(metric)) << metric;
  const auto valid = evaluate_run(workspace(), id, {{}, Split::kValid, "last"});
  for (const auto& [metric, value] : valid.metrics) EXPECT_EQ(value, wanted.at(metric)) << metric;
  EXPECT_EQ(results::read_evaluations(folder(id)).size(), 2u);
}

// The run tests the weights of its best step, which need not be its last.
TEST_F(EvaluationTest, OfTheBestStepIsWhatTheRunReportedOfIt) {
  bool earlier = false;
  for (int seed = 1; seed <= 6; ++seed) {
    const std::string id =
        trained({"seed=" + std::to_string(seed), "eval.best=accuracy", "optim.steps=9",
                 "optim.schedule=inverse-sqrt", "optim.warmup=2", "optim.lr=0.1"});
    const auto wanted = reported(id);
    const results::Evaluation best = evaluate_run(workspace(), id, {});
    for (const auto& [metric, value] : best.metrics) EXPECT_EQ(value, wanted.at(metric)) << metric;
    earlier = earlier || best.step < 9;
    const results::Evaluation named =
        evaluate_run(workspace(), id, {{}, Split::kTest, std::to_string(best.step)});
    EXPECT_EQ(named.step, best.step);
    EXPECT_EQ(named.metrics, best.metrics);
  }
  EXPECT_TRUE(earlier) << "no seed tried it";
}

TEST_F(EvaluationTest, KeepsWhatDiffersAndTheStep) {
  const std::string id = trained();
  const results::Evaluation found = evaluate_run(
      workspace(), id, {{"task.pairs=3", "task.length=12", "eval.batch=2"}, Split::kTest, "last"});
  EXPECT_EQ(found.settings, "eval.batch=2 task.length=12 task.pairs=3");
  EXPECT_EQ(found.step, 7);
  EXPECT_TRUE(found.environment.contains("host"));
  EXPECT_EQ(results::read_evaluations(folder(id)).at(0), found);
  EXPECT_NE(evaluate_run(workspace(), id, {{"task.length=10"}, Split::kTest, "last"}).metrics,
            found.metrics);
}

// Two examples give another result than all.
TEST_F(EvaluationTest, OfFewerExamplesIsNotAsTrained) {
  const std::string id = trained();
  const results::Evaluation whole = evaluate_run(workspace(), id, {});
  const results::Evaluation few = evaluate_run(workspace(), id, {{"eval.examples=2"}});
  EXPECT_EQ(few.settings, "eval.examples=2");
  EXPECT_NE(few.metrics, whole.metrics);
  const auto stored = results::read_evaluations(folder(id));
  ASSERT_EQ(stored.size(), 2u);
  EXPECT_EQ(stored[0], whole);
}

TEST_F(EvaluationTest, RefusesAConfigurationThatIsNotTheRuns) {
  const std::string id = trained(), other = trained({"seed=7"});
  const fs::path file = folder(id) / results::kConfigFile;
  const std::string own = read_file(file);
  const auto with = [&](const std::string& text) {
    std::ofstream(file) << text;
    return refusal(id, {});
  };
  EXPECT_EQ(with(own), "");
  EXPECT_TRUE(has(with(read_file(folder(other) / results::kConfigFile)),
                  "expected the configuration of run " + id.substr(0, 8) + ", got that of run " +
                      other.substr(0, 8) + ": it was edited"));
  std::string edited = own;
  const std::size_t at = edited.find("1-3-1-2");
  ASSERT_NE(at, edited.npos) << own;
  EXPECT_TRUE(has(with(edited.replace(at, 7, "1-1-1-2")), "it was edited"));
}

TEST_F(EvaluationTest, LeavesTheRunAsItIs) {
  const std::string id = trained(), before = outcome_of(workspace(), config_of(small_run()));
  const std::string events = read_file(folder(id) / results::kEventFile);
  evaluate_run(workspace(), id, {{"task.length=12"}, Split::kTest, "best"});
  EXPECT_EQ(read_file(folder(id) / results::kEventFile), events);
  fs::remove_all(folder(id) / results::kEvaluationsFolder);
  EXPECT_EQ(outcome_of(workspace(), config_of(small_run())), before);
}

TEST_F(EvaluationTest, RefusesWhatWouldBeAnotherModel) {
  const std::string id = trained();
  EXPECT_TRUE(has(refusal(id, {{"model.d=8"}}), "got 'model.d': a model with another value"));
  EXPECT_TRUE(has(refusal(id, {{"task.lenght=8"}}), "did you mean 'task.length'?"))
      << refusal(id, {{"task.lenght=8"}});
  EXPECT_EQ(refusal(id, {{"eval.beam=2"}}),
            "expected a setting that has an effect, got eval.beam=2 with task.name = mqar");
  EXPECT_TRUE(has(refusal(id, {{"task.vocab=32"}}), "does not fit these examples"))
      << refusal(id, {{"task.vocab=32"}});
  EXPECT_TRUE(has(refusal(id, {{}, Split::kTest, "5"}), "expected best, last"))
      << refusal(id, {{}, Split::kTest, "5"});
  EXPECT_THROW(evaluate_run(workspace(), id, {{"task.length=2"}}), ConfigError);
}

// MEGA with turned places may attend farther than in training.
TEST_F(EvaluationTest, WithinOtherChunks) {
  const std::string id = trained({"model.system=mega-chunk@chunk=4,bias=rotary,z=4"});
  const auto wanted = reported(id);
  const auto own = evaluate_run(workspace(), id, {{"system.chunk=4"}});
  const auto longer = evaluate_run(workspace(), id, {{"system.chunk=16"}});
  EXPECT_EQ(own.settings, "system.chunk=4");
  for (const auto& [metric, value] : own.metrics) EXPECT_EQ(value, wanted.at(metric)) << metric;
  EXPECT_NE(longer.metrics, own.metrics);
}

TEST_F(EvaluationTest, RefusesChunksOfAModelWithoutAny) {
  EXPECT_NE(
      refusal(trained(), {{"system.chunk=4"}}).find("expected a system with attention within"),
      std::string::npos);
}

TEST_F(EvaluationTest, LearnedPositionsKeepTheirLength) {
  const std::string id = trained({"model.positions=learned"});
  EXPECT_TRUE(has(refusal(id, {{"task.length=12"}}), "keep the vocabulary, and the length"));
  EXPECT_EQ(refusal(id, {{"task.pairs=1"}}), "");
}

TEST_F(EvaluationTest, NeedsACheckpointAndNoTrainer) {
  const std::string id = trained();
  {
    const results::EventWriter trainer(folder(id));
    EXPECT_THROW(evaluate_run(workspace(), id, {}), results::BeingWritten);
  }
  fs::remove_all(folder(id) / "checkpoints");
  EXPECT_TRUE(has(refusal(id, {}), "expected a checkpoint of this run, got none"));
}

TEST_F(EvaluationTest, OnAnotherText) {
  const auto text = [&](const std::string& name, char letter) {
    std::ofstream file(workspace() / name);
    for (int i = 0; i < 100; ++i) file << std::string(7, letter) << "\n";
    return (workspace() / name).string();
  };
  const std::string mine = text("mine", 'a'), other = text("other", 'b');
  Settings settings = small_run();
  std::erase_if(settings, [](const std::string& s) {
    return s.starts_with("task.") && !s.starts_with("task.length");
  });
  settings.insert(settings.end(), {"task.name=text", "task.path=" + mine, "optim.steps=30",
                                   "optim.schedule=constant", "optim.warmup=0", "optim.lr=0.03",
                                   "optim.batch=2", "optim.accumulate=1"});
  RunConfig config = config_of(settings);
  pin_content(config, workspace());
  ASSERT_EQ(train(config, workspace()), results::RunState::kDone);
  const std::string id = run_id(config);
  const auto on_mine = evaluate_run(workspace(), id, {}),
             on_other = evaluate_run(workspace(), id, {{"task.path=" + other}});
  EXPECT_EQ(on_other.settings, "task.path=" + other);
  EXPECT_GT(on_other.metrics[0].second, on_mine.metrics[0].second);
  text("mine", 'c');
  EXPECT_NE(refusal(id, {}), "") << "its text was changed";
}

// With other token numbers for the words, a model would be silently wrong.
TEST_F(EvaluationTest, RefusesAnotherNumberingOfTokens) {
  const auto refused = [&](const std::string& id, const std::string& setting) {
    EXPECT_EQ(refusal(id, {{setting}}), "expected the run's own data, got " + setting +
                                            ": its tokens are numbered by what it was trained on");
  };
  std::ofstream file(workspace() / "input.txt");
  for (int i = 0; i < 100; ++i) file << "a b c\nb d a\n";
  file.close();
  const std::string path = "task.path=" + workspace().string();
  const Settings text = {"task.name=tiny-shakespeare", "task.length=2", path};
  const auto of_tokens = [&](const std::string& tokens) {
    Settings settings = text;
    settings.push_back("task.tokens=" + tokens);
    return trained(settings);
  };
  const std::string words = of_tokens("words");
  for (const char* setting : {"task.path=elsewhere", "task.tokens=ranked-words",
                              "task.name=wikitext-2", "task.data=other", "task.rarest=2"})
    refused(words, setting);
  refused(of_tokens("bytes"), "task.tokens=words");
  EXPECT_EQ(refusal(words, {{"task.length=3"}}), "");
}

TEST_F(EvaluationTest, RefusesATaskOfAnotherKind) {
  const std::string id = trained({});
  EXPECT_EQ(refusal(id, {{"task.name=mqar"}}), "");
  EXPECT_EQ(refusal(id, {{"task.name=text", "task.path=elsewhere"}}),
            "expected a task of the same kind as mqar, which the run was trained on (mqar), got "
            "task.name=text");
}

// A quarter of 40 rows to test on, a tenth of the rest to validate.
TEST_F(EvaluationTest, TheRunTellsTheSizesOfItsSplits) {
  std::ofstream file(workspace() / "rows.csv");
  file << "text,label\n";
  for (int i = 0; i < 40; ++i) file << "film " << i << (i % 3 ? ",bad\n" : ",good\n");
  file.close();
  const std::string id = trained({"task.name=classify", "task.length=8", "task.test_share=0.25",
                                  "task.path=" + (workspace() / "rows.csv").string()});
  results::EventReader reader(folder(id) / results::kEventFile);
  results::Values told;
  while (const auto event = reader.next())
    if (const auto* attempt = std::get_if<results::AttemptLine>(&event->line))
      told = attempt->environment;
  EXPECT_EQ(told["examples.test"], results::Value(std::int64_t{10}));
  EXPECT_EQ(told["examples.valid"], results::Value(std::int64_t{3}));
}

// In other data a label's number means another label. A new draw puts training examples into the
// test set.
TEST_F(EvaluationTest, RefusesOtherLabelsAndDraws) {
  const auto table = [&](const std::string& name, const std::string& good) {
    std::ofstream file(workspace() / name);
    file << "text,label\n";
    for (int i = 0; i < 40; ++i) file << "film " << i << (i % 3 ? ",bad\n" : "," + good + "\n");
    return "task.path=" + (workspace() / name).string();
  };
  const std::string id =
      trained({"task.name=classify", "task.length=8", table("mine.csv", "good")});
  EXPECT_EQ(refusal(id, {}), "");
  for (const char* task : {"task.name=lra-image", "task.name=lra-retrieval"})
    EXPECT_TRUE(has(refusal(id, {{task}}), "expected a task of the same kind")) << task;
  EXPECT_EQ(refusal(id, {{table("same.csv", "good"), "task.test_share=0.5"}}), "");
  EXPECT_EQ(
      refusal(id, {{"task.test_share=0.5"}}),
      "expected the run's own splits, got task.test_share=0.5: it would test on examples that "
      "the run was trained on; set task.path to evaluate on other data");
  EXPECT_EQ(refusal(id, {{table("other.csv", "awful")}}),
            "expected the labels of the run's own data, got 'awful' instead of 'bad'; "
            "evaluate on data with the same labels");
}

// Chunks of a segment must divide the training length, not an evaluation's length.
TEST_F(EvaluationTest, OfSegmentsHasAnyLength) {
  std::ofstream file(workspace() / "input.txt");
  for (int i = 0; i < 300; ++i) file << i * i << "\n";
  file.close();
  const std::string id = trained({"task.name=tiny-shakespeare", "task.length=12",
                                  "task.path=" + workspace().string(), "task.segments=2-6"});
  const auto wanted = reported(id);
  for (const auto& [metric, value] : evaluate_run(workspace(), id, {}).metrics)
    EXPECT_EQ(value, wanted.at(metric)) << metric;
  EXPECT_EQ(evaluate_run(workspace(), id, {{"task.length=7"}}).settings, "task.length=7");
}

// The id of a run on tiny-shakespeare does not contain the text, so its attempts do.
TEST_F(EvaluationTest, RefusesANamedTextThatHasChanged) {
  const auto write = [&](const fs::path& folder, int first) {
    fs::create_directories(folder);
    std::ofstream file(folder / "input.txt");
    for (int i = 0; i < 300; ++i) file << first + i << "\n";
  };
  const std::string folder = workspace() / "here", copy = workspace() / "copy";
  write(folder, 100), write(copy, 100);
  const std::string id =
      trained({"task.name=tiny-shakespeare", "task.length=12", "task.path=" + folder});
  EXPECT_EQ(refusal(id, {}), "");
  write(folder, 500);
  EXPECT_TRUE(
      refusal(id, {}).starts_with("expected the texts that the run was trained on, but "
                                  "those of task.name = \"tiny-shakespeare\""));
  EXPECT_EQ(refusal(id, {{"task.path=" + copy}}), "");
}

TEST(EvaluationSettings, ListsAreCrossed) {
  EXPECT_EQ(crossed({"task.length=[64, 128]", "task.pairs=4"}),
            (std::vector<Settings>{{"task.length=64", "task.pairs=4"},
                                   {"task.length=128", "task.pairs=4"}}));
  EXPECT_EQ(crossed({}), std::vector<Settings>{{}});
  EXPECT_EQ(listed("task.path=[\"a,b\", c]"), (Settings{"task.path=\"a,b\"", "task.path=c"}));
  EXPECT_THROW(listed("task.length=[64,,128]"), std::invalid_argument);
  EXPECT_THROW(listed("task.length=[]"), std::invalid_argument);
}

}  // namespace runner
