// Runs that start from the weights of another run: model.from.
#include "runner/train/trainer/start_weights.h"

#include <gtest/gtest.h>

#include <fstream>

#include "results/events/checkpoints.h"
#include "results/events/event_file.h"
#include "results/events/event_reader.h"
#include "results/events/run_folder.h"
#include "runner/config/keys/model_keys.h"
#include "runner/config/run/run_id.h"
#include "runner/data/own/own_data.h"
#include "runner/data/own/start_run.h"
#include "tests/message_of.h"
#include "tests/results/kill_at_write.h"
#include "tests/runner/run_program.h"
#include "tests/runner/train/trainer/small_run.h"

namespace runner {
namespace {

namespace fs = std::filesystem;
using results::RunState;

class StartWeights : public testing::Test {
 protected:
  StartWeights() {
    std::ofstream text(scratch_.path() / "text.txt");
    for (int i = 0; i < 400; ++i) text << "line " << i * 7919 % 1000 << " of a text\n";
    std::ofstream table(scratch_.path() / "table.csv");
    table << "text,label\n";
    for (int i = 0; i < 60; ++i)
      table << "line " << i << (i % 3 == 0 ? " is odd,a\n" : " is even,b\n");
  }
  fs::path workspace() const { return scratch_.path() / "workspace"; }

  RunConfig config(std::vector<std::string> settings, const std::vector<std::string>& more) const {
    for (const char* each :
         {"model.code=etsmlp@bidirectional=true", "model.d=8", "model.layers=1",
          "model.dropout=0.1", "optim.batch=4", "optim.steps=6", "optim.warmup=2",
          "optim.schedule=constant", "eval.steps=3", "run.log_steps=2", "run.checkpoint_steps=2",
          "run.checkpoint_minutes=0", "run.threads=1"})
      settings.insert(settings.begin(), each);
    return config_of(std::move(settings), more);
  }
  RunConfig hidden_words(const std::vector<std::string>& more = {}) const {
    return pinned(config({"task.name=text", "task.path=" + (scratch_.path() / "text.txt").string(),
                          "task.length=20", "task.masked=0.15"},
                         more));
  }
  RunConfig labels(const std::string& from, const std::vector<std::string>& more = {}) const {
    return pinned(
        config({"task.name=classify", "task.path=" + (scratch_.path() / "table.csv").string(),
                "model.from=" + from},
               more));
  }
  RunConfig pinned(RunConfig config) const {
    pin_data(config, workspace());
    return config;
  }
  std::string refusal(const std::string& from, const std::vector<std::string>& more = {}) const {
    return message_of([&] { labels(from, more); });
  }
  std::string told(const RunConfig& config) const {
    std::string text;
    results::EventReader reader(
        results::event_file(results::run_folder(workspace(), run_id(config))));
    while (const auto event = reader.next())
      if (const auto* line = std::get_if<results::MessageLine>(&event->line))
        text += line->text + "\n";
    return text;
  }

  ScratchFolder scratch_;
};

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_F(StartWeights, TakeWhatHasTheSameNameAndShape) {
  const RunConfig first = hidden_words();
  ASSERT_EQ(train(first, workspace()), RunState::kDone);
  const std::string id = run_id(first);
  const RunConfig tuned = labels(id.substr(0, 8), {"optim.lr=1e-9"}), fresh = labels("");
  EXPECT_EQ(tuned.text("model.from"_key), id);
  EXPECT_EQ(tuned.text("model.from_content"_key).size(), 64u);
  EXPECT_NE(run_id(tuned), run_id(fresh));
  ASSERT_EQ(train(tuned, workspace()), RunState::kDone);
  EXPECT_TRUE(says(told(tuned), "of run " + id + ": "));
  EXPECT_TRUE(says(told(tuned), "tensors; new: head.weight")) << told(tuned);
  const auto weights = [&](const RunConfig& config) {
    const fs::path folder = results::run_folder(workspace(), run_id(config));
    return Checkpoints(folder)
        .newest([](const std::string&) {}, [](const Checkpoint&) { return std::string(); })
        ->model;
  };
  // With a rate of almost 0 they stay what they were at the best step, here the last one.
  const NamedTensors from = weights(first), now = weights(tuned);
  for (const auto& [name, tensor] : from)
    EXPECT_LT((now.at(name) - tensor).abs().max().item<double>(), 1e-6) << name;
  EXPECT_TRUE(now.contains("head.weight"));
}

TEST_F(StartWeights, TakeTheFirstPositionsOfALongerModel) {
  const RunConfig first = hidden_words({"model.positions=learned"});
  ASSERT_EQ(train(first, workspace()), RunState::kDone);
  const RunConfig tuned =
      labels(run_id(first), {"optim.lr=1e-9", "optim.lr_first=0", "model.positions=learned"});
  ASSERT_EQ(train(tuned, workspace()), RunState::kDone);
  EXPECT_TRUE(says(told(tuned), "the first 20 rows of positions.weight")) << told(tuned);
  const auto positions = [&](const RunConfig& config) {
    const Checkpoints left(results::run_folder(workspace(), run_id(config)));
    return left.read(*left.steps().rbegin()).model.at("positions.weight");
  };
  const at::Tensor from = positions(first), now = positions(tuned);
  ASSERT_GT(now.size(0), 20);
  EXPECT_LT((now.narrow(0, 0, 20) - from).abs().max().item<double>(), 1e-6);
}

TEST_F(StartWeights, ResumeExactlyWhereverTheyWereKilled) {
  const RunConfig first = hidden_words();
  ASSERT_EQ(train(first, workspace()), RunState::kDone);
  const RunConfig tuned = labels(run_id(first));
  ASSERT_EQ(train(tuned, workspace()), RunState::kDone);
  const std::string wanted = outcome_of(workspace(), tuned);
  const fs::path folder = results::run_folder(workspace(), run_id(tuned));
  bool killed = true;
  int kills = 0;
  for (int n = 1; killed; n += 11) {
    fs::remove_all(folder);
    killed = results::killed_at(n, [&] { train(tuned, workspace()); });
    kills += killed ? 1 : 0;
    ASSERT_EQ(train(tuned, workspace()), RunState::kDone);
    ASSERT_EQ(outcome_of(workspace(), tuned), wanted) << "killed at change " << n;
  }
  EXPECT_GT(kills, 5);
}

// Once it has a checkpoint, the other run may be removed.
TEST_F(StartWeights, NeedThatRunUntilTheFirstCheckpoint) {
  const RunConfig first = hidden_words();
  ASSERT_EQ(train(first, workspace()), RunState::kDone);
  RunConfig tuned = labels(run_id(first));
  ASSERT_EQ(train(tuned, workspace()), RunState::kDone);
  const fs::path folder = results::run_folder(workspace(), run_id(tuned));
  fs::remove_all(folder);
  for (int n = 20; results::checkpoints_of(folder).empty(); n += 20)
    ASSERT_TRUE(results::killed_at(n, [&] { train(tuned, workspace()); }));
  fs::remove_all(results::run_folder(workspace(), run_id(first)));
  pin_data(tuned, workspace());
  EXPECT_EQ(train(tuned, workspace()), RunState::kDone);
  fs::remove_all(folder);
  EXPECT_EQ(train(tuned, workspace()), RunState::kDataMissing);
  EXPECT_TRUE(says(told(tuned), "whose weights this run starts from, got none: it was removed"));
}

TEST_F(StartWeights, RefuseWhatIsMissingOrUnlike) {
  EXPECT_TRUE(says(refusal("0123abcd"), "model.from: expected a finished run, got"));
  EXPECT_TRUE(says(refusal("../x"), "got none that '../x' names"));
  const RunConfig first = hidden_words();
  const std::string id = run_id(first);
  fs::create_directories(results::run_folder(workspace(), id));
  EXPECT_TRUE(says(refusal(id), "got run " + id + ", which is not done"));
  ASSERT_EQ(train(first, workspace()), RunState::kDone);
  EXPECT_EQ(refusal(id, {"model.d=16"}),
            "model.from: the weights of run " + id + " do not fit: model.d is 8 there and 16 here");
  EXPECT_TRUE(says(refusal(id, {"model.code=etsmlp-gate@bidirectional=true"}), "model.system is"));
  EXPECT_TRUE(says(refusal(id, {"task.tokens=words"}), "its tokens are numbered otherwise"));
  EXPECT_TRUE(says(refusal(id, {"model.from_content=" + std::string(64, 'a')}),
                   "has other weights than those that this run is configured for"));
  std::string other = id;
  other.back() = id.back() == '0' ? '1' : '0';
  fs::create_directories(results::run_folder(workspace(), other));
  EXPECT_TRUE(says(refusal(id.substr(0, 30)), "give more digits"));
  const RunConfig tuned = labels(id);
  fs::remove_all(results::run_folder(workspace(), id) / results::kCheckpointsFolder);
  StartRuns starts(workspace());
  for (int point = 0; point < 2; ++point)
    EXPECT_TRUE(says(message_of([&] { starts.find(tuned); }), "without its best checkpoint"));
}

// A sweep that crosses rates, or was changed since, has several runs with one model and seed.
TEST_F(StartWeights, RefuseSeveralRunsOfASweepWithThisModelAndSeed) {
  std::vector<std::string> ids;
  for (const char* change : {"optim.lr=0.001", "optim.lr=0.01", "seed=2"}) {
    const RunConfig config = hidden_words({change});
    ASSERT_EQ(train(config, workspace()), RunState::kDone);
    ids.push_back(run_id(config));
    results::write_mark(results::run_folder(workspace(), ids.back()),
                        {"hidden-words", "", "", "paper", ""});
  }
  EXPECT_TRUE(says(refusal("hidden-words"),
                   "model.from: expected one finished run of the sweep 'hidden-words' with "
                   "etsmlp@bidirectional=true and seed 1, got "));
  EXPECT_TRUE(says(refusal("hidden-words"), ids[0])) << refusal("hidden-words");
  EXPECT_TRUE(says(refusal("hidden-words"), ids[1])) << refusal("hidden-words");
  EXPECT_EQ(labels("hidden-words", {"seed=2"}).text("model.from"_key), ids[2]);
  EXPECT_EQ(labels(ids[1]).text("model.from"_key), ids[1]);
}

// The run of a sweep that has this model: with this seed, else the lowest.
TEST_F(StartWeights, AreThoseOfASweepsRunWithThisModel) {
  EXPECT_TRUE(says(refusal("hidden-words"), "run `lcsm run hidden-words` first"));
  for (const char* seed : {"seed=3", "seed=5", "seed=4"}) {
    const RunConfig config = hidden_words({seed});
    ASSERT_EQ(train(config, workspace()), RunState::kDone);
    results::write_mark(results::run_folder(workspace(), run_id(config)),
                        {"hidden-words", "", "", "paper", ""});
  }
  const auto from = [&](const std::string& seed) {
    return labels("hidden-words", {"seed=" + seed}).text("model.from"_key);
  };
  EXPECT_EQ(from("5"), run_id(hidden_words({"seed=5"})));
  EXPECT_EQ(from("1"), run_id(hidden_words({"seed=3"})));
  EXPECT_EQ(labels("sweeps/hidden-words.toml", {"seed=5"}).text("model.from"_key), from("5"));
  EXPECT_TRUE(says(refusal("hidden-words", {"model.layers=2"}), "got none of the sweep"));
  StartRuns starts(workspace());
  const auto found = [&](const char* seed) {
    return starts
        .find(config({"task.name=classify", "task.path=" + (scratch_.path() / "table.csv").string(),
                      "model.from=hidden-words"},
                     {seed}))
        ->id;
  };
  EXPECT_EQ(found("seed=5"), from("5"));
  const std::string third = from("3");
  fs::remove_all(results::run_folder(workspace(), third) / results::kMarksFolder);
  EXPECT_EQ(found("seed=3"), third) << "a sweep's runs are looked for once";
}

}  // namespace runner
