#include "runner/data/tasks/sentence_task.h"

#include <set>

#include "runner/config/keys/task_keys.h"
#include "tests/runner/data/tasks/data_folder.h"

namespace runner {
namespace {

RunConfig sentence_config(const std::string& task, const std::vector<std::string>& more = {}) {
  std::vector<std::string> settings = {"task.name=" + task, "model.system=mega"};
  settings.insert(settings.end(), more.begin(), more.end());
  return parse_config("", "", settings, [](const std::string&) {});
}

class SentenceTask : public DataFolder {};

}  // namespace

TEST_F(SentenceTask, NeedsItsFilesAndNamesTheCommandThatBringsThem) {
  const auto makes = [&](const RunConfig& config) -> std::set<std::string> {
    try {
      require_sentences(config, workspace());
    } catch (const DataMissing& missing) {
      return missing.makes;
    }
    return {"none is missing"};
  };
  const std::set<std::string> phrases = {"lcsm data make phrases"};
  EXPECT_EQ(makes(sentence_config("phrases")), phrases);
  EXPECT_EQ(makes(sentence_config("phrases-back")), phrases);
  EXPECT_EQ(makes(sentence_config("phrases", {"task.data=more"})),
            std::set<std::string>{"lcsm data make phrases --as more"});
  EXPECT_TRUE(makes(sentence_config("wmt16-en-de")).empty());
  try {
    require_sentences(sentence_config("wmt16-de-en"), workspace());
    FAIL();
  } catch (const DataMissing& missing) {
    EXPECT_NE(std::string(missing.what()).find("`lcsm data get wmt16-en-de --from DIR`"),
              std::string::npos)
        << missing.what();
  }
}

TEST_F(SentenceTask, CountsBundles) {
  const RunConfig whole = sentence_config("wmt16-en-de"),
                  bundled = sentence_config("wmt16-en-de", {"task.bundle=8192"});
  EXPECT_EQ(sentence_examples(whole, Split::kTrain).value, 4500000);
  EXPECT_EQ(sentence_examples(bundled, Split::kTrain).value, 16480);  // 30 x 4.5 M / 8192
  EXPECT_EQ(sentence_examples(bundled, Split::kTest).value, 3003);
  EXPECT_FALSE(sentence_examples(bundled, Split::kTrain).exact);
}

TEST(StoredSentence, MayHaveAPublishedText) {
  EXPECT_EQ(tokenized_text("Yes , no .\nYes, no."), "Yes , no .");
  EXPECT_EQ(published_text("Yes , no .\nYes, no."), "Yes, no.");
  EXPECT_EQ(tokenized_text("Yes ."), "Yes .");
  EXPECT_EQ(published_text("Yes ."), "");
}

}  // namespace runner
