#include "runner/data/sentences/sentence_set.h"

#include <thread>

#include "runner/data/datasets/data_file_writer.h"
#include "runner/data/datasets/making.h"
#include "runner/data/tasks/data_search.h"
#include "tests/message_of.h"
#include "tests/runner/data/tasks/data_folder.h"

namespace fs = std::filesystem;

namespace runner {
namespace {

class Sentences : public DataFolder {
 protected:
  void put_pairs(const std::vector<std::vector<std::string>>& pairs) const {
    const fs::path folder = workspace() / "data" / "few";
    fs::create_directories(folder);
    std::vector<NewExample> examples;
    for (const auto& pair : pairs) examples.push_back({pair, 0, {}});
    for (const Split split : kSplits)
      write_examples(split_file(folder, split), {.vocabulary = 256, .sequences = 2},
                     R"({"name":"wmt16-en-de"})", examples);
  }
  static RunConfig config(const std::string& task, const std::vector<std::string>& more) {
    std::vector<std::string> settings = {"task.name=" + task, "model.system=mega"};
    settings.insert(settings.end(), more.begin(), more.end());
    return parse_config("", "", settings, [](const std::string&) {});
  }
  SentenceSet set(const std::string& task, const std::vector<std::string>& more = {}) const {
    return SentenceSet(config(task, more), workspace());
  }
};

}  // namespace

TEST_F(Sentences, AreEncodedInBothLanguagesAtOnce) {
  put_pairs({{"low lower", "lowest low"}, {"new", "newest"}});
  const SentenceSet few = set("wmt16-en-de", {"task.data=few", "task.merges=4"});
  EXPECT_EQ(few.sentences(Split::kTrain), 2u);
  EXPECT_EQ(few.text_of(few.source(Split::kTrain, 0)), "low lower");
  EXPECT_EQ(few.text_of(few.target(Split::kTest, 1)), "newest");
  EXPECT_EQ(few.source_length(Split::kTrain, 0), few.source(Split::kTrain, 0).size());
  EXPECT_EQ(few.target_length(Split::kTrain, 1), few.target(Split::kTrain, 1).size());
  EXPECT_EQ(few.encoded("low lower"), few.source(Split::kTrain, 0));
  const SentenceSet more = set("wmt16-en-de", {"task.data=few", "task.merges=40"});
  EXPECT_LT(more.source(Split::kTrain, 0).size(), few.source(Split::kTrain, 0).size());
}

TEST_F(Sentences, AreTranslatedTheOtherWay) {
  put_pairs({{"yes", "ja"}});
  const SentenceSet there = set("wmt16-en-de", {"task.data=few"}),
                    back = set("wmt16-de-en", {"task.data=few"});
  EXPECT_EQ(there.reference(Split::kTest, 0), "ja");
  EXPECT_EQ(back.reference(Split::kTest, 0), "yes");
  EXPECT_EQ(there.source(Split::kTest, 0), back.target(Split::kTest, 0));
  EXPECT_EQ(there.source_length(Split::kTest, 0), back.target_length(Split::kTest, 0));
}

TEST_F(Sentences, AreComparedWithThePublishedText) {
  put_pairs({{"Yes , no .\nYes, no.", "Ja , „ nein “ ."}});
  const SentenceSet there = set("wmt16-en-de", {"task.data=few"}),
                    back = set("wmt16-de-en", {"task.data=few"});
  EXPECT_EQ(back.reference(Split::kTest, 0), "Yes , no .");
  EXPECT_EQ(back.published(Split::kTest, 0), "Yes, no.");
  EXPECT_EQ(there.published(Split::kTest, 0), "Ja, „nein“.") << "not stored: made of the other";
  EXPECT_EQ(there.plain("Ja ."), "Ja.");
}

TEST_F(Sentences, AreEncodedOncePerContentAndMerges) {
  put_pairs({{"low", "low"}});
  const auto folders = [&] {
    return std::distance(fs::directory_iterator(workspace() / "data" / "tokens"), {});
  };
  set("wmt16-en-de", {"task.data=few"});
  const auto one = folders();
  set("wmt16-de-en", {"task.data=few"});
  EXPECT_EQ(folders(), one) << "both directions share it";
  set("wmt16-en-de", {"task.data=few", "task.merges=1"});
  EXPECT_EQ(folders(), one + 1);
}

// Several runs of a sweep start at once.
TEST_F(Sentences, AreEncodedByTheRunsThatStartTogether) {
  put_pairs({{"low lower", "lowest low"}, {"new", "newest"}});
  std::vector<std::thread> runs;
  std::vector<std::uint32_t> found(3);
  for (std::size_t i = 0; i < found.size(); ++i)
    runs.emplace_back([&, i] { found[i] = set("wmt16-en-de", {"task.data=few"}).vocabulary(); });
  for (std::thread& run : runs) run.join();
  EXPECT_EQ(found, std::vector<std::uint32_t>(3, found[0]));
}

TEST_F(Sentences, RefuseAnotherDataSet) {
  const auto refusal = [&](const std::string& task, const std::vector<std::string>& more) {
    return message_of<std::invalid_argument>([&] { set(task, more); });
  };
  Recipe small = default_recipe(*find_dataset("phrases"));
  small.examples = {10, 2, 2};
  make_dataset({small, workspace() / "data/phrases", 1, {}, {}});
  EXPECT_NE(refusal("phrases", {}).find("expected the default data set, got another one"),
            std::string::npos);
  EXPECT_EQ(refusal("phrases", {"task.data=phrases"}), "");
  small = default_recipe(*find_dataset("paraphrase"));
  small.examples = {10, 2, 2};
  make_dataset({small, workspace() / "data/labels", 1, {}, {}});
  EXPECT_NE(refusal("phrases", {"task.data=labels"}).find("expected pairs of sentences"),
            std::string::npos);
}

}  // namespace runner
