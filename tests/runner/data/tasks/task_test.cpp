#include "runner/data/tasks/task.h"

#include <gtest/gtest.h>

#include "runner/config/keys/task_keys.h"
#include "runner/config/keys/task_rows.h"
#include "tests/runner/data/tasks/data_folder.h"

namespace runner {
namespace {

RunConfig task_config_of(std::string_view task, const std::vector<std::string>& more = {}) {
  const bool translates = task_row(task)->inputs == "sentences";
  std::vector<std::string> settings = {
      "task.name=" + std::string(task),
      translates ? "model.code=transformer@positions=none" : "model.code=ssm"};
  settings.insert(settings.end(), more.begin(), more.end());
  return parse_config("", "", settings, [](const std::string&) {});
}

class EachTask : public DataFolder {};

}  // namespace

TEST_F(EachTask, WorksBeforeItsDataIsThere) {
  for (const TaskRow& row : kTaskRows) {
    const RunConfig config = task_config_of(row.name);
    const Task& task = task_of(config);
    EXPECT_EQ(task.name, row.reader);
    if (row.inputs == "tokens") {
      EXPECT_GT(task.vocabulary(config).value, 1) << row.name;
    }
    for (const Split split : kSplits)
      EXPECT_GT(task.examples(config, split).value, 0) << row.name << " " << to_string(split);
    EXPECT_GE(task.scored(config), 1) << row.name;
    EXPECT_LE(task.scored(config), config.integer("task.length"_key)) << row.name;
  }
}

TEST_F(EachTask, ReadsNothingOrReportsWhatIsMissing) {
  for (const TaskRow& row : kTaskRows) {
    const RunConfig config = task_config_of(row.name);
    if (row.reader == "mqar")
      EXPECT_TRUE(task_of(config).files(config, workspace()).empty()) << row.name;
    else
      EXPECT_THROW(task_of(config).files(config, workspace()), DataMissing) << row.name;
  }
}

TEST_F(EachTask, ReadsTheFilesOfTheWorkspaceThatItIsGiven) {
  for (const char* split : {"train", "valid", "test"})
    put("workspace/data/text/" + std::string(split) + ".txt", split);
  const RunConfig config = task_config_of("text");
  const std::vector<FilePart> files = task_of(config).files(config, workspace());
  ASSERT_EQ(files.size(), 3u);
  EXPECT_EQ(files[0].file, path("workspace/data/text/train.txt"));
  EXPECT_EQ(files[2].end, 4u);
  EXPECT_THROW(task_of(config).files(config, path("another")), DataMissing);
}

TEST(Task, KnowsItsVocabularyUnlessTheTextDecidesIt) {
  const auto vocabulary = [](const RunConfig& config) {
    return task_of(config).vocabulary(config);
  };
  EXPECT_EQ(vocabulary(task_config_of("mqar", {"task.vocab=100"})).value, 100);
  EXPECT_EQ(vocabulary(task_config_of("text")).value, 256);
  EXPECT_EQ(vocabulary(task_config_of("wikitext-103")).value, 50265);
  for (const char* task : {"mqar", "text", "wikitext-103"})
    EXPECT_TRUE(vocabulary(task_config_of(task)).exact) << task;
  EXPECT_FALSE(vocabulary(task_config_of("wikitext-2")).exact) << "words";
}

TEST(Task, CountsTheExamplesOfEachSplit) {
  const RunConfig made = task_config_of("mqar", {"task.train=10", "task.valid=20", "task.test=30"});
  for (const Split split : kSplits) {
    const TaskCount count = task_of(made).examples(made, split);
    EXPECT_EQ(count.value, 10 * static_cast<std::int64_t>(split));
    EXPECT_TRUE(count.exact);
  }
  // 1.1 MB, of which 90 of 100 bytes are to train on.
  const RunConfig read = task_config_of("tiny-shakespeare", {"task.length=100"});
  const TaskCount count = task_of(read).examples(read, Split::kTrain);
  EXPECT_NEAR(static_cast<double>(count.value), 10038, 1000);
  EXPECT_FALSE(count.exact);
}

}  // namespace runner
