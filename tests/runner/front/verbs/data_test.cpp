#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "runner/front/pages/data_page.h"
#include "tests/runner/front/lcsm_test.h"
#include "tests/runner/shared_files.h"

namespace runner {
namespace {

class DataVerbs : public LcsmTest {
 protected:
  Ran lcsm(Words words) const {
    words.insert(words.begin(), "data");
    return LcsmTest::lcsm(words);
  }
  Ran make(Words more = {}) const {
    Words words = {"make", "lra-listops", "--as", "short",   "--over", "5",      "--under",
                   "40",   "--train",     "20",   "--valid", "4",      "--test", "4"};
    words.insert(words.end(), more.begin(), more.end());
    return lcsm(words);
  }
  std::string path(const std::string& name) const { return (scratch.path() / name).string(); }
};

}  // namespace

TEST_F(DataVerbs, MakeListCheckAndShow) {
  const Ran made = make();
  EXPECT_EQ(made.status, 0) << made.err;
  EXPECT_EQ(made.out, path("data/short") + "\n");
  EXPECT_TRUE(has(made.err, "short: 28 of 28 examples\n"));
  EXPECT_TRUE(has(make().err, "already exists"));
  const Ran list = lcsm({"list"});
  EXPECT_TRUE(has(list.out, "short                     ready")) << list.out;
  EXPECT_FALSE(has(list.out, "expression of 501")) << "short has fewer tokens: " << list.out;
  EXPECT_TRUE(has(list.out, "lra-pathx                 -")) << list.out;
  const Ran check = lcsm({"check", "short"});
  EXPECT_EQ(check.status, 0) << check.err;
  EXPECT_TRUE(has(check.out, "train        20  6 to ")) << check.out;
  const Ran shown = lcsm({"show", "short", "--split", "test", "--from", "1", "--count", "2"});
  EXPECT_TRUE(shown.out.starts_with("1  ")) << shown.out;
  EXPECT_TRUE(has(shown.out, "\n2  ")) << shown.out;
  EXPECT_TRUE(has(shown.out, "]\n")) << shown.out;
}

TEST(DataPage, ShowsBlanksInLabels) {
  const SplitFacts split{.examples = 4, .labels = {1, 2, 1}, .names = {"cat", "cat ", "hot dog"}};
  const std::string page = dataset_facts_text({{split}, {}}, {.width = 200});
  EXPECT_TRUE(has(page, "cat 25.0 'cat ' 50.0 'hot dog' 25.0")) << page;
}

TEST_F(DataVerbs, JsonNamesItsSchema) {
  make();
  const auto list = nlohmann::json::parse(lcsm({"list", "--json"}).out);
  EXPECT_EQ(list["schema"], "lcsm.data-list/1");
  EXPECT_EQ(list["data"][0]["state"], "absent");
  EXPECT_EQ(list["data"].back()["name"], "short");
  EXPECT_EQ(list["data"].back()["recipe"], "lra-listops");
  const auto check = nlohmann::json::parse(lcsm({"check", "short", "--json"}).out);
  EXPECT_EQ(check["schema"], "lcsm.data-check/1");
  EXPECT_EQ(check["splits"][0]["examples"], 20);
  EXPECT_TRUE(check["mistakes"].empty());
}

TEST_F(DataVerbs, ADamagedSetIsFoundAndKept) {
  make();
  const std::string file = path("data/short/valid.set");
  std::filesystem::resize_file(file, 300);
  const Ran check = lcsm({"check", "short"});
  EXPECT_EQ(check.status, 1);
  EXPECT_TRUE(has(check.err, "valid.set' at byte 300: expected a file of ")) << check.err;
  EXPECT_TRUE(has(lcsm({"list"}).out, "damaged"));
  const Ran made = make();
  EXPECT_EQ(made.status, 2);
  EXPECT_TRUE(has(made.err, "choose another name with --as, or remove it")) << made.err;
  EXPECT_EQ(std::filesystem::file_size(file), 300u);
}

TEST_F(DataVerbs, AnUnfinishedSetResumes) {
  std::filesystem::create_directories(path("data/short/.making"));
  const Ran check = lcsm({"check", "short"});
  EXPECT_EQ(check.status, 1);
  EXPECT_TRUE(has(check.err, "data/short' is unfinished: repeat the command")) << check.err;
}

TEST_F(DataVerbs, PicturesBecomeOnePng) {
  const Ran made = lcsm(
      {"make", "lra-pathfinder", "--as", "few", "--train", "5", "--valid", "0", "--test", "0"});
  EXPECT_EQ(made.status, 0) << made.err;
  EXPECT_EQ(lcsm({"show", "few", "--out", path("few.png")}).status, 0);
  EXPECT_TRUE(read_file(path("few.png")).starts_with("\x89PNG"));
  EXPECT_TRUE(has(lcsm({"show", "few", "--count", "1"}).out, "░"));
  EXPECT_EQ(lcsm({"check", "few"}).status, 0);
}

TEST_F(DataVerbs, SayWhatIsWrong) {
  const Ran unknown = lcsm({"make", "lra-listop"});
  EXPECT_EQ(unknown.status, 2);
  EXPECT_TRUE(has(unknown.err, "did you mean 'lra-listops'?")) << unknown.err;
  const Ran unnamed = lcsm({"make", "nss", "--seed", "2"});
  EXPECT_EQ(unnamed.status, 2);
  EXPECT_TRUE(has(unnamed.err, "expected --as NAME for a data set that differs from nss"))
      << unnamed.err;
  EXPECT_EQ(lcsm({"make", "nss", "--as", "../nss"}).status, 2);
  EXPECT_EQ(lcsm({"make", "nss", "--as", "x", "--over", "3"}).status, 2);
  EXPECT_EQ(make({"--under", "6"}).status, 2);
  const Ran missing = lcsm({"show", "nss"});
  EXPECT_EQ(missing.status, 3);
  EXPECT_TRUE(has(missing.err, "generate it with `lcsm data make nss`")) << missing.err;
  make();
  EXPECT_EQ(lcsm({"show", "short", "--from", "20"}).status, 2);
  EXPECT_EQ(lcsm({"show", "short", "--out", path("x.png")}).status, 2);
}

TEST_F(DataVerbs, GetSaysWhereItComesFromOrTakesIt) {
  const Ran where = lcsm({"get", "imdb"});
  EXPECT_EQ(where.status, 3);
  EXPECT_TRUE(has(where.err, "imdb is published at https://ai.stanford.edu/")) << where.err;
  EXPECT_TRUE(has(where.err, "aclImdb_v1.tar.gz (84 MB; licence: none stated")) << where.err;
  for (const char* name : {"train", "val", "test"})
    std::ofstream(path(std::string("basic_") + name + ".tsv")) << "Source\tTarget\n[SM 5 6 ]\t1\n";
  const Ran taken = lcsm({"get", "lra-listops", "--from", scratch.path().string(), "--as", "mine"});
  EXPECT_EQ(taken.status, 0) << taken.err;
  EXPECT_EQ(taken.out, path("data/mine") + "\n");
  EXPECT_EQ(lcsm({"check", "mine"}).status, 0);
  EXPECT_EQ(lcsm({"show", "mine"}).out, "0  1  <-  [SM 5 6 ]\n");
  const Ran wrong = lcsm({"get", "imdb", "--from", scratch.path().string()});
  EXPECT_EQ(wrong.status, 1);
  EXPECT_TRUE(has(wrong.err, "expected a folder of reviews")) << wrong.err;
}

TEST_F(DataVerbs, GetTakesAnArchiveFromAnAddress) {
  for (const char* name : {"train", "val", "test"})
    std::ofstream(path(std::string("basic_") + name + ".tsv")) << "Source\tTarget\n[SM 5 6 ]\t1\n";
  const std::string archive = path("release.tar.gz");
  const Ran tar =
      run_program({"/bin/sh", "-c",
                   "cd '" + scratch.path().string() + "' && tar -czf release.tar.gz basic_*.tsv"});
  ASSERT_EQ(tar.status, 0) << tar.err;
  const Ran taken = lcsm({"get", "lra-listops", "--from", "file://" + archive, "--as", "mine"});
  EXPECT_EQ(taken.status, 0) << taken.err;
  EXPECT_TRUE(has(taken.err, "licence: Apache 2.0")) << taken.err;
  EXPECT_TRUE(has(taken.err, "lra-listops: sha256 ")) << taken.err;
  EXPECT_TRUE(has(taken.err, "train on it with task.data=mine")) << taken.err;
  EXPECT_EQ(lcsm({"get", "lra-listops", "--from", archive, "--as", "mine"}).status, 0);
  const Ran missing = lcsm({"get", "lra-listops", "--from", "file:///none.zip", "--as", "other"});
  EXPECT_EQ(missing.status, 1);
  EXPECT_TRUE(has(missing.err, "curl: (37)")) << missing.err;
  EXPECT_FALSE(std::filesystem::exists(path("data/other")));
}

// A proxy that does not answer stands for a host without a network.
TEST_F(DataVerbs, ASmallSetIsFetchedFromItsAddresses) {
  Words words = {program_beside("lcsm").string(), "data", "get", "tiny-shakespeare", "--workspace",
                 scratch.path().string()};
  const Ran closed = run_program(
      words, {"https_proxy=http://127.0.0.1:9", "HTTPS_PROXY=http://127.0.0.1:9", "no_proxy="});
  EXPECT_EQ(closed.status, 1);
  EXPECT_TRUE(has(closed.err, "/karpathy/char-rnn/")) << closed.err;
  EXPECT_TRUE(has(closed.err, "trying the next address")) << closed.err;
  EXPECT_TRUE(has(closed.err, "pass the file with --from")) << closed.err;
  const std::filesystem::path real = shared_file("data/tinyshakespeare/input.txt");
  if (!std::filesystem::exists(real)) GTEST_SKIP() << real << " is not there";
  words.insert(words.end(), {"--from", "file://" + real.string()});
  const Ran taken = run_program(words);
  EXPECT_EQ(taken.out, path("data/tiny-shakespeare") + "\n") << taken.err;
  EXPECT_TRUE(has(lcsm({"list"}).out, "tiny-shakespeare          ready"));
  EXPECT_TRUE(has(lcsm({"check", "tiny-shakespeare"}).out, "test"));
  EXPECT_EQ(lcsm({"show", "tiny-shakespeare", "--count", "1"}).out, "0  First Citizen:\n");
  EXPECT_TRUE(
      has(lcsm({"show", "tiny-shakespeare", "--from", "9000000"}).err, "expected --from below "));
  std::ofstream(path("tiny.toml")) << "title = 'Tiny'\nbase.task.name = 'tiny-shakespeare'\n"
                                      "base.model.code = '1-3-1-2'\ngrid.seed = [1]\n";
  const Ran plan = LcsmTest::lcsm({"plan", path("tiny.toml")});
  EXPECT_EQ(plan.status, 0) << plan.err;
  EXPECT_FALSE(has(plan.out, "tiny-shakespeare needs")) << plan.out;
}

TEST_F(DataVerbs, TextsAreCheckedAndShown) {
  const Ran missing = lcsm({"check", "wikitext-2"});
  EXPECT_EQ(missing.status, 3);
  EXPECT_TRUE(has(missing.err, "`lcsm data get wikitext-2` fetches them")) << missing.err;
  std::filesystem::create_directories(path("data/wikitext-2"));
  for (const char* name : {"train", "valid", "test"})
    std::ofstream(path(std::string("data/wikitext-2/") + name + ".txt")) << " \n = A = \n";
  const Ran check = lcsm({"check", "wikitext-2"});
  EXPECT_EQ(check.status, 1);
  EXPECT_TRUE(has(check.err, "train.txt': expected 2088628 words with <eos>, got 5")) << check.err;
  const auto json = nlohmann::json::parse(lcsm({"check", "wikitext-2", "--json"}).out);
  EXPECT_EQ(json["schema"], "lcsm.text-check/1");
  EXPECT_EQ(json["splits"][0]["words"], 5);
  EXPECT_EQ(lcsm({"show", "wikitext-2", "--split", "test"}).out, "1   = A = \n");
  EXPECT_TRUE(has(lcsm({"list"}).out, "wikitext-2                ready"));
}

}  // namespace runner
