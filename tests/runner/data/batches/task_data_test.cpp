#include "runner/data/batches/task_data.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "runner/data/tasks/mqar.h"
#include "runner/data/tasks/text_task.h"
#include "tests/runner/run_program.h"

namespace runner {
namespace {

RunConfig config_of(const std::vector<std::string>& settings) {
  return parse_config("", "", settings, [](const std::string&) {});
}

std::vector<std::int64_t> numbers(const at::Tensor& tensor) {
  const at::Tensor flat = tensor.contiguous();
  const auto* const first = flat.const_data_ptr<std::int64_t>();
  return {first, first + flat.numel()};
}

TEST(TaskData, ScoresTheQueriesOfMqar) {
  const RunConfig config = config_of({"task.name=mqar", "model.code=1-9-1-0", "task.vocab=64",
                                      "task.length=16", "task.pairs=3", "task.train=200"});
  const auto data = open_task(config, {});
  EXPECT_EQ(data->vocab(), 64);
  EXPECT_EQ(data->examples(Split::kTrain), 200);
  std::vector<std::uint32_t> which(150);
  for (std::uint32_t i = 0; i < 150; ++i) which[i] = 199 - i;
  const Batch batch = data->batch(Split::kTrain, which);
  const auto tokens = numbers(batch.inputs.values), rows = numbers(batch.rows),
             targets = numbers(batch.targets);
  Mqar maker(mqar_options(config), 1);
  std::vector<std::int32_t> wanted(16), queries(3), answers(3);
  for (std::size_t b = 0; b < 150; ++b) {
    maker.make(Split::kTrain, which[b], {wanted, queries, answers});
    for (std::size_t t = 0; t < 16; ++t) ASSERT_EQ(tokens[b * 16 + t], wanted[t]);
    for (std::size_t j = 0; j < 3; ++j) {
      ASSERT_EQ(rows[b * 3 + j], static_cast<std::int64_t>(b) * 16 + queries[j]);
      ASSERT_EQ(targets[b * 3 + j], answers[j]);
    }
  }
}

// 100 lines of 10 bytes, cut where a line ends: 910, 50 and 40 of them.
class TextTaskData : public testing::Test {
 protected:
  TextTaskData() {
    std::ofstream text(scratch.path() / "text.txt");
    for (int i = 100; i < 200; ++i) text << "line " << i << " \n";
  }

  std::unique_ptr<TaskData> open(int length, const std::vector<std::string>& more = {}) {
    std::vector<std::string> settings = {"task.name=text", "model.code=1-9-1-0",
                                         "task.path=" + (scratch.path() / "text.txt").string(),
                                         "task.length=" + std::to_string(length)};
    settings.insert(settings.end(), more.begin(), more.end());
    return open_task(config_of(settings), scratch.path());
  }

  ScratchFolder scratch;
};

TEST_F(TextTaskData, TrainsOnWholeBlocksAndEvaluatesEveryToken) {
  const auto data = open(16);
  EXPECT_EQ(data->vocab(), 256);
  EXPECT_EQ(data->examples(Split::kTrain), 910 / 16);
  EXPECT_EQ(data->examples(Split::kTest), 3);  // 16 + 16 + 8 tokens
  const std::vector<std::uint32_t> whole = {1, 0}, with_rest = {1, 2};
  const Batch full = data->batch(Split::kTest, whole), cut = data->batch(Split::kTest, with_rest);
  EXPECT_FALSE(full.rows.defined());
  EXPECT_EQ(full.targets.size(0), 32);
  EXPECT_EQ(cut.targets.size(0), 24);
  ASSERT_TRUE(cut.rows.defined());
  EXPECT_EQ(numbers(cut.rows).back(), 23);
}

// An epoch has every token once, for any segments: the total loss equals that of blocks.
TEST_F(TextTaskData, TrainsOnSegmentsOfARandomNumberOfChunks) {
  const auto data = open(48, {"task.segments=2-6"});
  const auto order = data->training_order({true, false, 4, 1, 0});
  ASSERT_EQ(static_cast<std::int64_t>(order.size()), data->examples(Split::kTrain));
  std::int64_t scored = 0;
  std::set<std::int64_t> lengths;
  for (std::size_t first = 0; first < order.size(); first += 4) {
    const Batch batch = data->batch(
        Split::kTrain,
        std::span(order).subspan(first, std::min<std::size_t>(4, order.size() - first)));
    scored += batch.targets.size(0);
    lengths.insert(batch.inputs.length());
    const auto tokens = numbers(batch.inputs.values), targets = numbers(batch.targets);
    const auto rows = batch.rows.defined() ? numbers(batch.rows) : std::vector<std::int64_t>();
    for (std::size_t n = 0; n + 1 < targets.size(); ++n) {
      const auto at = rows.empty() ? static_cast<std::int64_t>(n) : rows[n];
      const auto next = rows.empty() ? at + 1 : rows[n + 1];
      if (next == at + 1 && next % batch.inputs.length() != 0) {
        ASSERT_EQ(tokens[static_cast<std::size_t>(next)], targets[n]);
      }
    }
  }
  EXPECT_GT(scored, 910 - 16);
  EXPECT_GE(lengths.size(), 2u);
  EXPECT_EQ(data->examples(Split::kTest), 1) << "evaluated in blocks of the whole length";
}

TEST_F(TextTaskData, PredictsEachTokenFromTheOneBefore) {
  const auto data = open(16);
  const std::vector<std::uint32_t> first = {0, 1};
  const Batch batch = data->batch(Split::kTrain, first);
  const auto tokens = numbers(batch.inputs.values), targets = numbers(batch.targets);
  EXPECT_EQ(targets[0], 'l');
  for (std::size_t t = 1; t < 32; ++t) EXPECT_EQ(tokens[t], targets[t - 1]) << t;
}

// 15 % of 100 tokens; 255 is the mask.
TEST_F(TextTaskData, HidesTokensAndAsksForThem) {
  const auto data = open(100, {"task.masked=0.15"}), plain = open(100);
  EXPECT_EQ(data->vocab(), 256);
  const std::vector<std::uint32_t> which = {0, 3};
  const Batch batch = data->training_batch({which, 0, which.size()});
  EXPECT_FALSE(batch.inputs.padding.defined());
  const auto seen = numbers(batch.inputs.values), rows = numbers(batch.rows),
             targets = numbers(batch.targets),
             text = numbers(plain->batch(Split::kTrain, which).targets);
  ASSERT_EQ(rows.size(), 30u);
  EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end()));
  EXPECT_EQ(std::set(rows.begin(), rows.end()).size(), 30u);
  std::set<std::int64_t> hidden(rows.begin(), rows.end());
  for (std::size_t i = 0; i < rows.size(); ++i)
    EXPECT_EQ(targets[i], text[static_cast<std::size_t>(rows[i])]);
  for (std::size_t t = 0; t < 200; ++t)
    EXPECT_TRUE(hidden.contains(static_cast<std::int64_t>(t)) || seen[t] == text[t]) << t;
}

TEST_F(TextTaskData, HidesOthersInEachEpochAndForEachSeed) {
  const std::vector<std::uint32_t> which = {1};
  const auto rows = [&](const std::string& seed, std::uint64_t epoch) {
    return numbers(open(100, {"task.masked=0.15", "seed=" + seed})
                       ->training_batch({which, 0, which.size(), 1, epoch})
                       .rows);
  };
  EXPECT_EQ(rows("1", 0), rows("1", 0));
  EXPECT_NE(rows("1", 0), rows("1", 1));
  EXPECT_NE(rows("1", 0), rows("2", 0));
  // An evaluation hides equal tokens in every run.
  const std::vector<std::uint32_t> first = {0};
  const auto tested = [&](const std::string& seed) {
    return numbers(open(30, {"task.masked=0.15", "seed=" + seed})->batch(Split::kTest, first).rows);
  };
  EXPECT_EQ(tested("1"), tested("2"));
}

// The test text has 40 tokens: of the last block 10, of which one or two are hidden.
TEST_F(TextTaskData, PadsABlockThatTheTextDoesNotFill) {
  const std::vector<std::uint32_t> which = {0, 1};
  const Batch batch = open(30, {"task.masked=0.15"})->batch(Split::kTest, which);
  ASSERT_TRUE(batch.inputs.padding.defined());
  EXPECT_EQ(batch.inputs.padding.sum().item<std::int64_t>(), 20);
  EXPECT_FALSE(batch.inputs.padding[1][9].item<bool>());
  EXPECT_EQ(numbers(batch.rows).size(), 5u + 2u);
  EXPECT_LT(numbers(batch.rows).back(), 40);
}

TEST_F(TextTaskData, HasAMaskBesideTheWords) {
  const auto words = open(20, {"task.tokens=words"}),
             masked = open(20, {"task.tokens=words", "task.masked=0.5"});
  EXPECT_EQ(masked->vocab(), words->vocab() + 1);
  const std::vector<std::uint32_t> which = {0};
  EXPECT_EQ(
      masked->training_batch({which, 0, which.size()}).inputs.values.max().item<std::int64_t>(),
      words->vocab());
}

// Of 100 000 positions that were hidden, four of five are masked, and a tenth is another token.
TEST(Masking, MasksEightOfTenAndReplacesOne) {
  const Masking masking{0.5, 999, 500};
  std::vector<std::int32_t> tokens(1000);
  std::int64_t masked = 0, same = 0, all = 0;
  for (std::uint64_t i = 0; i < 200; ++i) {
    std::fill(tokens.begin(), tokens.end(), 7);
    for (const std::int64_t at : masking.hide(tokens, RandomStream(1, Draw::kMask, i))) {
      const std::int32_t token = tokens[static_cast<std::size_t>(at)];
      masked += token == 999;
      same += token == 7;
      ASSERT_TRUE(token == 999 || token < 500);
      ++all;
    }
  }
  EXPECT_EQ(all, 100000);
  EXPECT_NEAR(static_cast<double>(masked), 80000, 650);  // five standard deviations
  EXPECT_NEAR(static_cast<double>(same), 10020, 480);
}

TEST_F(TextTaskData, RefusesBlocksLongerThanTheText) {
  EXPECT_THROW(open(911), std::invalid_argument);
}

}  // namespace
}  // namespace runner
