#include "runner/data/datasets/png.h"
#include "runner/data/import/random_split.h"
#include "tests/runner/data/import/sample_files.h"

namespace fs = std::filesystem;

namespace runner {
namespace {

class PathfinderRelease : public OthersFiles {
 protected:
  PathfinderRelease() { row.side = kSampleSide; }
  // Writes one line of metadata; returns the message of the refusal.
  std::string with(const std::string& line) {
    put("metadata/0.npy", line);
    return refusal(row);
  }
  IntakeRow row = *find_intake("lra-pathfinder");
};

}  // namespace

TEST_F(PathfinderRelease, IsSplitAsS4Does) {
  put(sample_pathfinder(60));  // batches 0 to 11: 10 comes after 9, not after 1
  take(row);
  const auto splits = torch_split(60, 0.1, 0.1, 42);
  for (const Split split : kSplits) {
    const DataFile file = taken(split);
    ASSERT_EQ(file.examples(), splits[index_of(split)].size());
    for (std::size_t i = 0; i < file.examples(); ++i) {
      const std::uint32_t picture = splits[index_of(split)][i];
      EXPECT_EQ(file.sequence(i), std::string(16, static_cast<char>(picture)));
      EXPECT_EQ(file.label(i), picture % 2);
    }
  }
  EXPECT_EQ(taken(Split::kValid).examples(), 6u);
}

TEST_F(PathfinderRelease, LeavesOutTheOneEmptyPicture) {
  put(sample_pathfinder(5));
  put("imgs/0/sample_172.png", "");
  const std::string line = "imgs/0 sample_172.png 172 1 1.0 14 4 2 0.5 1 2\n";
  put("metadata/1.npy", line);
  EXPECT_TRUE(has(refusal(row), "sample_172.png': expected a picture of 4 x 4 pixels, got "));
  fs::rename(from(), at("curv_baseline"));
  take_dataset(row, at("curv_baseline"), to());
  EXPECT_EQ(taken(Split::kTrain).examples(), 5u);
}

TEST_F(PathfinderRelease, NamesTheLineThatIsWrong) {
  put(sample_pathfinder(1));
  EXPECT_TRUE(has(with("imgs/0 sample_0.png 0\n"),
                  "0.npy' line 1: expected a folder, a file, a number and a label"));
  EXPECT_TRUE(has(with("imgs/0 sample_0.png 0 2\n"), "expected the label 0 or 1, got '2'"));
  EXPECT_TRUE(has(with("imgs/../.. sample_0.png 0 1\n"), "expected a folder imgs/NUMBER"));
  EXPECT_TRUE(has(with("/etc sample_0.png 0 1\n"), "expected a folder imgs/NUMBER, got '/etc'"));
  EXPECT_TRUE(has(with("imgs/0 ../sample_0.png 0 1\n"), "expected a file sample_NUMBER.png"));
  EXPECT_TRUE(has(with("imgs/0 sample_7.png 0 1\n"), "sample_7.png': expected a file, got none"));
  EXPECT_TRUE(has(with("\x93NUMPY\x01"), "at byte 0: expected lines of text, as in the release"));
  EXPECT_TRUE(has(with(""), "expected lines about pictures, got none"));
  put("metadata/x.npy", "");
  EXPECT_TRUE(has(refusal(row), "x.npy': expected a number as name, got 'x'"));
  fs::remove_all(from() / "metadata");
  EXPECT_TRUE(has(refusal(row), "metadata': expected a folder of metadata"));
  EXPECT_FALSE(fs::exists(to()));
}

TEST_F(PathfinderRelease, RefusesPicturesOfOtherSizes) {
  put(sample_pathfinder(1));
  put("imgs/0/sample_0.png", png_of(std::string(8, 'x'), 2, 4));
  EXPECT_TRUE(has(refusal(row), "expected a picture of 4 x 4 pixels, got 2 x 4"));
  std::string giant = png_of(std::string(16, 'x'), 4, 4);
  giant[16] = '\x7f';  // of the width, before the sum of the header
  put("imgs/0/sample_0.png", giant);
  EXPECT_TRUE(has(refusal(row), "expected a picture of 4 x 4 pixels, got ")) << refusal(row);
  put("imgs/0/sample_0.png", png_of(std::string(1 << 20, '\0'), 1024, 1024));
  EXPECT_TRUE(has(refusal(row), "got 1024 x 1024 pixels")) << refusal(row);
  fs::remove(from() / "imgs/0/sample_0.png");
  fs::create_symlink("/dev/zero", from() / "imgs/0/sample_0.png");
  EXPECT_TRUE(has(refusal(row), "expected a file, got a symbolic link"));
}

}  // namespace runner
