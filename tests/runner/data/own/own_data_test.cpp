#include "runner/data/own/own_data.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <random>

#include "runner/base/files/content_hash.h"
#include "runner/base/files/sha256.h"
#include "runner/config/keys/task_keys.h"
#include "runner/config/run/run_id.h"
#include "runner/data/datasets/check.h"
#include "runner/data/datasets/data_file.h"
#include "runner/data/datasets/own_names.h"
#include "runner/data/datasets/png.h"
#include "runner/data/datasets/samples.h"
#include "runner/data/own/data_sizes.h"
#include "runner/data/tasks/set_task.h"
#include "tests/message_of.h"
#include "tests/runner/data/datasets/sample_pngs.h"
#include "tests/runner/data/tasks/data_folder.h"
#include "tests/runner/run_program.h"

namespace fs = std::filesystem;

namespace runner {
namespace {

class OwnData : public DataFolder {
 protected:
  RunConfig config_of(const std::string& name, std::vector<std::string> settings = {}) const {
    settings.insert(settings.begin(),
                    {"task.name=classify", "model.code=ssm", "task.path=" + path(name)});
    return parse_config("", "", settings, [](const std::string&) {});
  }
  RunConfig pictures(std::vector<std::string> settings = {}) const {
    settings.push_back("task.name=classify-pictures");
    return config_of("pictures", settings);
  }
  RunConfig pinned(RunConfig config) const {
    pin_data(config, workspace());
    return config;
  }
  std::string refusal(RunConfig config) const {
    return message_of([&] { pin_data(config, workspace()); });
  }
  fs::path folder_of(const RunConfig& config) const {
    return set_files(config, workspace()).front().file.parent_path();
  }
  DataFile file_of(const RunConfig& config, Split split) const {
    return DataFile(set_files(config, workspace())[index_of(split)].file.string());
  }
  void put_splits(const std::string& valid = "text,label\nc,10\n") const {
    put("own/train.csv", "text,label\na,10\nbb,9\na,10\n");
    put("own/valid.csv", valid);
    put("own/test.csv", "text,label\nd,9\n");
  }
  void put_rows(int count, const std::string& head = "text,label\n") const {
    std::string text = head;
    for (int i = 0; i < count; ++i)
      text += "row " + std::to_string(i) + "," + (i % 2 == 0 ? "even" : "odd") + "\n";
    put("rows.csv", text);
  }
  void put_picture(const std::string& name, std::uint32_t rows, char shade) const {
    put("pictures/" + name, png_of(std::string(rows * 3, shade), rows, 3));
  }
  void put_pictures() const {
    for (const char* split : {"train/", "valid/", "test/"})
      for (const char* label : {"cat/1.png", "dog/1.png"})
        put_picture(std::string(split) + label, 2, label[0]);
  }
};

}  // namespace

TEST_F(OwnData, RefusesADamagedDataFile) {
  put_splits();
  const RunConfig config = config_of("own");
  const fs::path train = folder_of(pinned(config)) / "train.set";
  std::string bytes = read_file(train);
  bytes[bytes.rfind("abba")] = 'c';
  std::ofstream(train) << bytes;
  EXPECT_NE(refusal(config).find("they differ from what was written; remove the file"),
            std::string::npos)
      << refusal(config);
  fs::remove(train);
  EXPECT_EQ(refusal(config), "");
}

// A part of the training examples would take their place.
TEST_F(OwnData, RefusesSplitsOfAnotherName) {
  put_splits();
  put("own/notes.csv", "no table");
  EXPECT_EQ(refusal(config_of("own")), "") << "all splits are there";
  fs::rename(path("own/valid.csv"), path("own/val.csv"));
  fs::remove(path("own/notes.csv"));
  EXPECT_EQ(refusal(config_of("own")),
            "'" + path("own/val.csv") +
                "': expected the name train, valid or test: rename it, or move it away");
  put_pictures();
  fs::rename(path("pictures/test"), path("pictures/tests"));
  EXPECT_TRUE(has(refusal(pictures()), "pictures/tests': expected the name train, valid or test"));
  fs::rename(path("pictures/tests"), path("pictures/.tests"));
  EXPECT_FALSE(has(refusal(pictures()), "expected the name"));
}

TEST_F(OwnData, ATextOfBlanksHasNoWords) {
  put_splits("text,label\nc,9\n \t,9\n");
  EXPECT_EQ(refusal(config_of("own")), "");
  EXPECT_EQ(refusal(config_of("own", {"task.tokens=words"})),
            "'" + path("own/valid.csv") + "':3: expected words, got blanks alone");
}

TEST_F(OwnData, SkipsNoPictureSilently) {
  put_pictures();
  put_picture("train/cat/2.Png", 2, 'c');
  put("pictures/train/cat/notes.txt", "no picture");
  EXPECT_EQ(file_of(pinned(pictures()), Split::kTrain).examples(), 3u);
  put("pictures/train/dog/2.WEBP", "RIFF");
  EXPECT_EQ(refusal(pictures()), "'" + path("pictures/train/dog/2.WEBP") +
                                     "': expected .png or .jpg: convert it, or move it away");
  fs::remove(path("pictures/train/dog/2.WEBP"));
  put_picture("train/dog/more/3.png", 2, 'd');
  EXPECT_TRUE(has(refusal(pictures()), "train/dog/more': expected pictures, got a folder"));
}

TEST_F(OwnData, AHashSaysHowPicturesWereRead) {
  put_pictures();
  for (const char* name : {"train/dog/1.png", "valid/dog/1.png", "test/cat/1.png"})
    put("pictures/" + std::string(name), png_of("abcd", 2, 2));
  put("pictures/train/cat/1.png", png_of_16_bits({0, 1, 2, 3}));
  put("pictures/valid/cat/1.png", png_in_colour("abcdefghijkl", 2, 2));
  put("pictures/test/dog/1.png", png_in_colour("aaabbbcccddd", 2, 2));
  for (const bool grey : {true, false}) {
    const std::map<std::string, std::string> versions = {{"train/cat/1.png", " v2"},
                                                         {"valid/cat/1.png", grey ? " v2" : ""},
                                                         {"test/dog/1.png", grey ? " v2" : ""}};
    Sha256 all;
    for (const std::string split : {"train", "valid", "test"})
      for (const std::string picture : {"/cat/1.png", "/dog/1.png"}) {
        const std::string name = split + picture;
        const auto version = versions.find(name);
        const std::string line = name + " " + file_sha256(path("pictures/" + name)) +
                                 (version == versions.end() ? "" : version->second) + "\n";
        all.add(line.data(), line.size());
      }
    const RunConfig config = pinned(pictures({grey ? "task.colours=grey" : "task.colours=rgb"}));
    EXPECT_EQ(config.text("task.content"_key), all.hex()) << grey;
  }
}

TEST_F(OwnData, RefusesALabelWithoutPictures) {
  put_pictures();
  fs::create_directory(path("pictures/train/.cache"));
  EXPECT_EQ(refusal(pictures()), "");
  fs::create_directory(path("pictures/train/wolf"));
  EXPECT_TRUE(has(refusal(pictures()), "train/wolf': expected .png or .jpg files of this label"));
}

TEST_F(OwnData, ReadsAFileForEachSplit) {
  put_splits();
  const RunConfig config = pinned(config_of("own"));
  EXPECT_EQ(config.integer("task.classes"_key), 2);
  EXPECT_EQ(config.outputs(), 2);
  const DataFile train = file_of(config, Split::kTrain);
  ASSERT_EQ(train.examples(), 3u);
  EXPECT_EQ(train.sequence(1), "bb");
  EXPECT_EQ(train.label(0), 1u);  // 9 before 10
  EXPECT_EQ(own_names(train.recipe()).labels, (std::vector<std::string>{"9", "10"}));
  EXPECT_EQ(file_of(config, Split::kTest).label(0), 0u);
}

TEST_F(OwnData, SizesAreThoseOfItsFiles) {
  put_splits();
  const auto sizes = data_sizes(pinned(config_of("own")), workspace());
  ASSERT_TRUE(sizes.has_value());
  EXPECT_EQ(sizes->examples, (std::array<std::int64_t, 3>{3, 1, 1}));
  EXPECT_DOUBLE_EQ(sizes->mean_length, 4.0 / 3);
  EXPECT_FALSE(data_sizes(config_of("own", {"task.name=mqar"}), workspace()).has_value());
  EXPECT_FALSE(data_sizes(config_of("own", {"task.name=nss"}), workspace()).has_value());
}

TEST_F(OwnData, DrawsSharesBySeed) {
  put_rows(40);
  const RunConfig one = pinned(config_of("rows.csv", {"task.valid_share=0.25"})),
                  two = pinned(config_of("rows.csv", {"task.valid_share=0.25", "task.seed=2"}));
  EXPECT_EQ(file_of(one, Split::kTest).examples(), 4u);
  EXPECT_EQ(file_of(one, Split::kValid).examples(), 9u);
  EXPECT_EQ(file_of(one, Split::kTrain).examples(), 27u);
  EXPECT_NE(folder_of(one), folder_of(two));
  EXPECT_NE(file_of(one, Split::kTest).sequence(0), file_of(two, Split::kTest).sequence(0));
  EXPECT_EQ(check_dataset(folder_of(one)).splits[1].shared, 0u);
}

TEST_F(OwnData, ReadsSplitsFromAColumn) {
  put("s.tsv", "part\ttext\tlabel\ntrain\ta\tx\ntest\tb\ty\nvalid\tc\tx\ntrain\td\ty\n");
  const RunConfig config = pinned(config_of("s.tsv", {"task.split=part"}));
  EXPECT_EQ(file_of(config, Split::kTrain).examples(), 2u);
  EXPECT_EQ(file_of(config, Split::kTest).sequence(0), "b");
  put("s.tsv", "part\ttext\tlabel\ntrain\ta\tx\ntest\tb\ty\ntrain\tc\ty\n");
  EXPECT_TRUE(has(refusal(config_of("s.tsv", {"task.split=part"})),
                  "expected rows of valid in the column 'part', got none"));
  put("s.tsv", "part\ttext\tlabel\ndev\ta\tx\n");
  EXPECT_TRUE(
      has(refusal(config_of("s.tsv", {"task.split=part"})),
          "s.tsv':2: expected train, valid or test in the column of task.split, got 'dev'"));
}

TEST_F(OwnData, ContentAndReadingAreItsIdentityAndThePathIsNot) {
  put_rows(40);
  const RunConfig one = pinned(config_of("rows.csv"));
  fs::copy_file(path("rows.csv"), path("same.csv"));
  EXPECT_EQ(run_id(pinned(config_of("same.csv"))), run_id(one));
  EXPECT_NE(run_id(pinned(config_of("rows.csv", {"task.tokens=words"}))), run_id(one));
  const auto name = [&](const std::vector<std::string>& settings) {
    return own_set_name(config_of("rows.csv", settings));
  };
  for (const char* setting :
       {"task.text=label", "task.label=text", "task.split=part", "task.valid_share=0.2",
        "task.test_share=0.2", "task.seed=2", "task.tokens=words"})
    EXPECT_NE(name({setting}), name({})) << setting;
  EXPECT_NE(name({"task.tokens=words", "task.rarest=2"}), name({"task.tokens=words"}));
  put_rows(41);
  EXPECT_NE(run_id(pinned(config_of("rows.csv"))), run_id(one));
  EXPECT_TRUE(has(refusal(config_of("rows.csv", {"task.content=" + std::string(64, 'a')})),
                  "the run was configured for other texts"));
}

TEST_F(OwnData, NamesTheLineOfAWrongExample) {
  const auto with = [&](const std::string& valid) {
    put_splits(valid);
    return refusal(config_of("own"));
  };
  EXPECT_TRUE(has(with("text,label\nc,9\nc,11\n"),
                  "valid.csv':3: expected a label of train, got '11', which is only in valid"));
  EXPECT_TRUE(has(with("text,label\n,9\n"), "valid.csv':2: expected a text, got an empty one"));
  EXPECT_TRUE(has(with("text,label\na,\n"), "valid.csv':2: expected a label, got an empty one"));
  EXPECT_TRUE(has(with("text,label\n"), "valid.csv':2: expected examples, got none"));
  put_rows(3);
  EXPECT_TRUE(has(refusal(config_of("rows.csv")),
                  "task.test_share: expected a share that leaves examples for both, got 0 of 3"));
  put("rows.csv", "text,label\na,1\nb,1\nc,1\n");
  EXPECT_TRUE(has(refusal(config_of("rows.csv", {"task.test_share=0.4", "task.valid_share=0.4"})),
                  "expected at least two different labels to train on, got one: '1'"));
  EXPECT_FALSE(fs::exists(workspace() / "data"));
}

TEST_F(OwnData, SaysWhichFileIsMissing) {
  EXPECT_TRUE(has(refusal(config_of("none.csv")), "expected a file or a folder, got none at"));
  put("own.xlsx", "");
  EXPECT_TRUE(has(refusal(config_of("own.xlsx")), "ends in one of .csv .tsv .jsonl"));
  put("own/valid.csv", "");
  EXPECT_TRUE(has(refusal(config_of("own")), "expected a file train, ending in one of"));
  put("own/train.csv", "");
  put("own/train.tsv", "");
  EXPECT_TRUE(
      has(refusal(config_of("own")), "expected one file for train, got train.tsv and train.csv"));
}

TEST_F(OwnData, ReadsPicturesOfFolders) {
  put_pictures();
  const RunConfig config = pinned(pictures());
  const DataFile train = file_of(config, Split::kTrain);
  EXPECT_EQ(train.shape().rows, 2u);
  EXPECT_EQ(train.shape().columns, 3u);
  EXPECT_EQ(train.sequence(1), "dddddd");
  EXPECT_EQ(own_names(train.recipe()).labels, (std::vector<std::string>{"cat", "dog"}));
  EXPECT_EQ(refusal(pictures({"task.length=5"})),
            "task.length: expected at least 6, the pixels or patches of a picture, got 5");
  put_picture("valid/dog/2.png", 4, 'd');
  EXPECT_TRUE(has(refusal(pictures()),
                  "valid/dog/2.png': expected a picture of 2 x 3 pixels, as the first, got 4 x 3"));
  put("pictures/valid/dog/2.png", "no picture");
  EXPECT_TRUE(has(refusal(pictures()),
                  "2.png': expected a picture of 2 x 3 pixels, as the first, got a damaged PNG "));
}

TEST_F(OwnData, RefusesAFolderThatIsALink) {
  put_pictures();
  put("pictures/train/notes.txt", "no label");
  for (const std::string& to : {path("pictures/train/dog"), path("nowhere")}) {
    fs::create_directory_symlink(to, path("pictures/train/wolf"));
    EXPECT_TRUE(has(refusal(pictures()),
                    "train/wolf': expected a folder, got a symbolic link: copy the folder here"));
    fs::remove(path("pictures/train/wolf"));
  }
  EXPECT_EQ(refusal(pictures()), "");
}

TEST_F(OwnData, PicturesAreGreyUnlessColoursAreAskedFor) {
  put_pictures();
  const RunConfig grey = pinned(pictures()), colour = pinned(pictures({"task.colours=rgb"}));
  EXPECT_NE(folder_of(grey), folder_of(colour));
  EXPECT_EQ(file_of(grey, Split::kTest).sequence(0), std::string(6, 'c'));
  const DataFile test = file_of(colour, Split::kTest);
  EXPECT_EQ(test.shape().channels, 3u);
  EXPECT_EQ(test.steps_of(0), 6u);
  EXPECT_EQ(test.sequence(0), std::string(18, 'c'));
  EXPECT_EQ(colour.channels(), 3);
}

TEST_F(OwnData, IsCheckedShownAndListedAsOthers) {
  put_splits();
  const RunConfig config = pinned(config_of("own", {"task.tokens=characters"}));
  const DatasetFacts facts = check_dataset(folder_of(config));
  EXPECT_TRUE(facts.mistakes.empty());
  EXPECT_EQ(facts.splits[0].names, (std::vector<std::string>{"9", "10"}));
  EXPECT_EQ(facts.splits[0].repeated, 1u);
  EXPECT_EQ(facts.splits[0].lengths[4], 2u);
  EXPECT_EQ(sample_text("classify", file_of(config, Split::kTrain), 1, {}), "1  9  <-  bb\n");
  const DataFile train(split_file(folder_of(config), Split::kTrain).string());
  EXPECT_EQ(own_names(train.recipe()).from, "own");
}

TEST_F(OwnData, HasAsManyWordsAsTwoBytesNumber) {
  std::string text = "text,label\n";
  for (int i = 0; i < 70000; ++i)
    text += "word" + std::to_string(i) + (i % 7000 == 6999 ? i % 2 == 0 ? ",a\n" : ",b\n" : " ");
  text += "word1,a\nword2,b\nword3,a\nword4,b\n";
  for (const char* split : {"train", "valid", "test"})
    put("own/" + std::string(split) + ".csv", text);
  const RunConfig config = pinned(config_of("own", {"task.tokens=words"}));
  const DataFile train = file_of(config, Split::kTrain);
  EXPECT_EQ(train.shape().vocabulary, 65536u);
  const OwnNames names = own_names(train.recipe());
  ASSERT_EQ(names.vocabulary.size(), 65536u);
  EXPECT_EQ(names.vocabulary[1], "word1");
  EXPECT_TRUE(check_dataset(folder_of(config)).mistakes.empty());
}

// LCSM_FUZZ sets the number of pictures, 300 by default.
TEST_F(OwnData, MutatedPicturesAreReadOrRefused) {
  const char* const requested = std::getenv("LCSM_FUZZ");
  const int rounds = requested != nullptr ? std::atoi(requested) : 300;
  const std::string good = png_of(std::string(64, 'x'), 8, 8);
  std::mt19937 random(7);
  int refused = 0;
  for (int round = 0; round < rounds; ++round) {
    std::string bytes = good;
    for (std::size_t i = 0; i <= random() % 3; ++i)
      bytes[random() % bytes.size()] = static_cast<char>(random() % 256);
    if (random() % 4 == 0) bytes.resize(random() % (bytes.size() + 1));
    try {
      read_png(bytes, 1 << 20);
    } catch (const std::runtime_error&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, rounds / 2);
}

}  // namespace runner
