#include "runner/data/import/source.h"

#include "runner/base/process/process_facts.h"
#include "tests/runner/data/import/sample_archive.h"
#include "tests/runner/data/import/sample_files.h"
#include "tests/runner/shared_files.h"

namespace fs = std::filesystem;

namespace runner {
namespace {

class Sources : public OthersFiles {
 protected:
  void SetUp() override {
    for (const SampleFormat& format : sample_formats())
      if (format.row.name == "lra-text") put(files = format.files);
  }
  fs::path archive(const std::string& name, const std::string& below = "aclImdb/") const {
    std::vector<SampleEntry> entries;
    for (const auto& [path, bytes] : files) entries.push_back({below + path, bytes});
    put_file(at(name), sample_archive(name.substr(name.find('.')), entries));
    return at(name);
  }
  // Imports a data set; returns the messages.
  std::string take_from(const std::string& source, const char* name = "lra-text") const {
    std::string said;
    const SourceTalk talk{[&](const std::string& line) { said += line + "\n"; },
                          [](std::string_view, std::uint64_t, std::uint64_t) {},
                          [] { return false; }};
    const IntakeRow& row = *find_intake(name);
    const IntakeSource files_of(row, source, "", at("data"), talk);
    take_dataset(row, files_of.folder(), to());
    return said;
  }
  std::string refusal_from(const std::string& source, const char* name = "lra-text") const {
    return message_of([&] { take_from(source, name); });
  }
  Files files;
};

}  // namespace

TEST_F(Sources, AFolderAndItsArchiveGiveTheSame) {
  take_from(from().string());
  const std::string sets = read_file(to() / "train.set") + read_file(to() / "test.set");
  for (const char* name : {"set.tar.gz", "set.zip", "set.tar.xz"}) {
    fs::remove_all(to());
    EXPECT_TRUE(has(take_from(archive(name).string()), "no checksum of this file is known"))
        << name;
    EXPECT_EQ(read_file(to() / "train.set") + read_file(to() / "test.set"), sets) << name;
    EXPECT_FALSE(fs::exists(at("data/.unpacked"))) << name;
  }
}

TEST_F(Sources, AFolderOfItCanBeNamed) {
  EXPECT_TRUE(has(refusal_from(at("").string()), "train/neg': expected a folder of reviews"));
  const IntakeRow& row = *find_intake("lra-text");
  EXPECT_EQ(IntakeSource(row, at("").string(), "from", at("data"), {}).folder(), at("") / "from");
}

TEST_F(Sources, AnAddressIsFetchedThenUnpacked) {
  const std::string said = take_from("file://" + archive("set.zip").string());
  EXPECT_TRUE(has(said, "lra-text: fetching file://")) << said;
  EXPECT_TRUE(has(said, "lra-text: saved as '")) << said;
  EXPECT_EQ(taken(Split::kTrain).examples(), 2u);
  EXPECT_TRUE(fs::exists(at("data/.downloads")));
}

TEST_F(Sources, TheReleaseMustHaveItsSum) {
  const std::string text = refusal_from(archive("aclImdb_v1.tar.gz").string());
  EXPECT_TRUE(has(text, "aclImdb_v1.tar.gz': expected the SHA-256 c40f74a1")) << text;
  EXPECT_FALSE(fs::exists(to()));
}

TEST_F(Sources, TheNextAddressIsTried) {
  IntakeRow row = *find_intake("tiny-shakespeare");
  const std::string text = "First Citizen:\nBefore we proceed any further, hear me speak.\n",
                    sum = sha256_hex(text);
  row.sha256 = sum;
  put_file(at("other/input.txt"), "something else\n");
  put_file(at("mirror/shakespeare.txt"), text);
  const std::vector<std::string> sources = {"file://" + at("none/input.txt").string(),
                                            "file://" + at("other/input.txt").string(),
                                            "file://" + at("mirror/shakespeare.txt").string()};
  std::string said;
  const SourceTalk talk{[&](const std::string& line) { said += line + "\n"; },
                        [](std::string_view, std::uint64_t, std::uint64_t) {},
                        [] { return false; }};
  runner::take_from(row, sources, "", at("data"), to(), talk);
  EXPECT_EQ(read_file(to() / "input.txt"), text);
  EXPECT_TRUE(has(said, "curl: (37)")) << said;
  EXPECT_TRUE(has(said, "input.txt': expected the SHA-256 " + sum)) << said;
  EXPECT_TRUE(has(said, "trying the next address")) << said;
  const std::vector<std::string> wrong = {sources[0], sources[1]};
  fs::remove_all(to());
  EXPECT_TRUE(has(message_of([&] { runner::take_from(row, wrong, "", at("data"), to(), talk); }),
                  "expected the SHA-256"));
  row.most_fetched = 10;
  EXPECT_TRUE(
      has(message_of([&] { runner::take_from(row, {sources[2]}, "", at("new"), to(), talk); }),
          "shakespeare.txt': expected at most 10 bytes, got more"));
  EXPECT_FALSE(fs::exists(to()));
}

TEST_F(Sources, WhatFailsLeavesNothing) {
  std::vector<SampleEntry> entries = {{"a/train/neg/0.txt", "x"},
                                      {"a/train/pos/../../../../b.txt", "y"}};
  put_file(at("bad.tar"), sample_archive(".tar", entries));
  EXPECT_TRUE(has(refusal_from(at("bad.tar").string()), "got one that leaves it"));
  EXPECT_FALSE(fs::exists(at("data/.unpacked")));
  entries.pop_back();
  put_file(at("few.tar"), sample_archive(".tar", entries));
  EXPECT_TRUE(has(refusal_from(at("few.tar").string()), "expected a folder of reviews"));
  EXPECT_FALSE(fs::exists(at("data/.unpacked")) || fs::exists(to()));
}

TEST_F(Sources, WhatAKilledProcessUnpackedIsRemoved) {
  put_file(at("data/.unpacked/" + host_name() + "-999999999/x"), "left");
  take_from(archive("set.zip").string());
  EXPECT_FALSE(fs::exists(at("data/.unpacked")));
}

TEST_F(Sources, WhatAnotherHostUnpacksIsLeftToIt) {
  put_file(at("data/.unpacked/another" + host_name() + "-999999999/x"), "used");
  take_from(archive("set.zip").string());
  EXPECT_TRUE(fs::exists(at("data/.unpacked/another" + host_name() + "-999999999/x")));
}

TEST_F(Sources, SaysWhatItExpects) {
  EXPECT_TRUE(has(refusal_from(at("nowhere").string()),
                  "expected a folder, an archive or a URL, got none"));
  put_file(at("note.txt"), "x");
  EXPECT_TRUE(has(refusal_from(at("note.txt").string()), "or an archive (.zip, .tar.gz"));
  put_file(at("enwik8"), "<mediawiki>");
  EXPECT_TRUE(has(refusal_from(at("enwik8").string(), "enwik8"),
                  "enwik8': expected 100000000 bytes, got 11"));
}

TEST_F(Sources, TheRealReviewsAreTaken) {
  const fs::path real = shared_file("data/imdb/aclImdb_labelled.tar.xz");
  if (!fs::exists(real)) GTEST_SKIP() << real << " is not there";
  take_from(real.string(), "lra-text-characters");
  EXPECT_EQ(taken(Split::kTrain).examples(), 25'000u);
  EXPECT_EQ(taken(Split::kTest).examples(), 25'000u);
  // S4 says "about 135", S5 129.
  EXPECT_GE(taken(Split::kTrain).shape().vocabulary, 125u);
  EXPECT_LE(taken(Split::kTrain).shape().vocabulary, 140u);
}

}  // namespace runner
