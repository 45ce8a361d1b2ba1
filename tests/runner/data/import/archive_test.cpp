#include "runner/data/import/archive.h"

#include <cstdlib>

#include "tests/runner/data/import/others_files.h"
#include "tests/runner/data/import/sample_archive.h"

namespace fs = std::filesystem;

namespace runner {
namespace {

class Archives : public OthersFiles {
 protected:
  fs::path packed(const std::string& end, const std::vector<SampleEntry>& entries) const {
    put_file(at("set" + end), sample_archive(end, entries));
    return at("set" + end);
  }
  fs::path unpacked(const fs::path& archive, std::string_view files = "a/*.txt b.txt",
                    std::string_view inside = "", std::uint64_t most = 100'000) const {
    fs::remove_all(to());
    fs::create_directory(to());
    return unpack({archive, files, inside, most}, to());
  }
  std::string refusal(const fs::path& archive, std::string_view files = "a/*.txt b.txt",
                      std::string_view inside = "", std::uint64_t most = 100'000) const {
    return message_of([&] { unpacked(archive, files, inside, most); });
  }
  std::string refusal_of(const SampleEntry& entry) const {
    return refusal(packed(".tar", {{"r/a/1.txt", "one"}, entry}));
  }
};

const std::vector<SampleEntry> kGood = {
    {"top/a/1.txt", "one"}, {"top/a/2.txt", "two"}, {"./top/b.txt", ""}, {"top/other", "x"}};

}  // namespace

TEST_F(Archives, GiveWhatIsAskedForInEveryFormat) {
  for (const char* end : {".tar", ".tar.gz", ".tar.xz", ".zip"}) {
    const fs::path folder = unpacked(packed(end, kGood));
    EXPECT_EQ(folder, to() / "top") << end;
    EXPECT_EQ(read_file(folder / "a/1.txt"), "one") << end;
    EXPECT_EQ(read_file(folder / "a/2.txt"), "two") << end;
    EXPECT_TRUE(fs::exists(folder / "b.txt")) << end;
    EXPECT_FALSE(fs::exists(folder / "other")) << end;
  }
}

// libarchive has filters that start programs, by the first bytes of a file.
TEST_F(Archives, StartNoProgram) {
  const std::string path = std::getenv("PATH");
  for (const char* program : {"lrzip", "lzop", "grzip"}) {
    put_file(at(program), "#!/bin/sh\ntouch " + at("started").string() + "\n");
    fs::permissions(at(program), fs::perms::owner_all);
  }
  setenv("PATH", (at("lrzip").parent_path().string() + ":" + path).c_str(), 1);
  for (const std::string& magic :
       {std::string("LRZI\0\6", 6), std::string("\x89LZO\0\r\n\x1a\n", 9),
        std::string("GRZipII\0\2\4:)", 12)}) {
    put_file(at("set.tar.lrz"), magic + std::string(1000, 'x'));
    EXPECT_NE(refusal(at("set.tar.lrz")), "");
  }
  setenv("PATH", path.c_str(), 1);
  EXPECT_FALSE(fs::exists(at("started")));
}

TEST_F(Archives, PathsMatchByTheirLastParts) {
  EXPECT_EQ(matching_parts("train/neg/*.txt b", "aclImdb/train/neg/0_3.txt"), 3u);
  EXPECT_EQ(matching_parts("train/neg/*.txt b", "x/b"), 1u);
  EXPECT_EQ(matching_parts("train/neg/*.txt b", "train/neg/.txt"), 0u);
  EXPECT_EQ(matching_parts("train/neg/*.txt b", "atrain/neg/0.txt"), 0u);
  EXPECT_EQ(matching_parts("train/neg/*.txt b", "neg/0.txt"), 0u);
  EXPECT_TRUE(is_archive("a.tar.gz") && is_archive("b.zip") && is_archive("c.gz"));
  EXPECT_FALSE(is_archive("enwik8") || is_archive("a.tsv"));
}

TEST_F(Archives, NoPathLeavesTheFolder) {
  EXPECT_TRUE(has(refusal_of({"../a/2.txt", "x"}),
                  "entry 2 '../a/2.txt': expected a path below a folder, got one that leaves it"));
  EXPECT_TRUE(has(refusal_of({"/r/a/2.txt", "x"}), "got an absolute path"));
  EXPECT_TRUE(has(refusal_of({"r/a/../../../a/2.txt", "x"}), "got one that leaves it"));
  EXPECT_TRUE(has(refusal(packed(".zip", {{"../../b.txt", "x"}})), "got one that leaves it"));
  EXPECT_FALSE(fs::exists(at("a")));
}

TEST_F(Archives, NoLinkIsFollowed) {
  EXPECT_TRUE(has(refusal_of({"r/a/2.txt", "/etc/passwd", EntryKind::kSymbolicLink}),
                  "'r/a/2.txt': expected a file, got a link"));
  EXPECT_TRUE(has(refusal_of({"r/b.txt", "r/a/1.txt", EntryKind::kHardLink}), "got a link"));
  EXPECT_TRUE(has(refusal_of({"r/b.txt", "", EntryKind::kDevice}), "got a device or the like"));
  // A link is never made in place of a folder, so the next entry stays inside.
  const fs::path folder = unpacked(packed(
      ".tar", {{"r/a", at("outside").string(), EntryKind::kSymbolicLink}, {"r/a/1.txt", "one"}}));
  EXPECT_EQ(read_file(folder / "a/1.txt"), "one");
  EXPECT_FALSE(fs::exists(at("outside")));
}

TEST_F(Archives, ABombFillsNoDisk) {
  const std::string zeros(1 << 20, '\0');
  for (const char* end : {".tar.gz", ".tar.xz", ".zip"})
    EXPECT_TRUE(has(refusal(packed(end, {{"r/b.txt", zeros}})),
                    "expected at most 100000 bytes unpacked, got more"))
        << end;
  EXPECT_TRUE(has(refusal_of({"r/a/1.txt", "again"}), "expected each file once"));
}

TEST_F(Archives, DamageIsNamed) {
  const fs::path archive = packed(".tar.gz", {{"r/b.txt", std::string(50'000, 'y')}});
  const std::string bytes = read_file(archive);
  put_file(archive, bytes.substr(0, bytes.size() / 2));
  EXPECT_TRUE(has(refusal(archive), "set.tar.gz'")) << refusal(archive);
  std::string other = bytes;
  other[other.size() - 6] ^= 1;  // of the sum at the end
  put_file(archive, other);
  EXPECT_TRUE(has(refusal(archive), "expected a complete gzip file, got ")) << refusal(archive);
  const fs::path plain = packed(".tar", {{"r/b.txt", std::string(50'000, 'y')}});
  put_file(plain, read_file(plain).substr(0, 30'000));
  EXPECT_TRUE(has(refusal(plain), "'r/b.txt': expected the contents of the file, got "))
      << refusal(plain);
  EXPECT_TRUE(has(refusal(plain), "near byte ")) << refusal(plain);
  put_file(at("set.zip"), "no archive at all");
  EXPECT_TRUE(has(refusal(at("set.zip")), "expected files a/*.txt b.txt, got none of them among 1"))
      << refusal(at("set.zip"));
  put_file(at("set.zip"), "");
  EXPECT_NE(refusal(at("set.zip")), "");
  put_file(at("set.tar.gz"), "\x1f\x8b\x08 no deflate");
  EXPECT_NE(refusal(at("set.tar.gz")), "");
}

TEST_F(Archives, OneFolderOfSeveralMustBeNamed) {
  const fs::path archive =
      packed(".tar", {{"x/one/b.txt", "1"}, {"__MACOSX/x/one/b.txt", "?"}, {"x/two/b.txt", "2"}});
  EXPECT_TRUE(
      has(refusal(archive), "more in 'x/one': choose one with --inside, such as --inside x/two"))
      << refusal(archive);
  EXPECT_EQ(read_file(unpacked(archive, "b.txt", "two") / "b.txt"), "2");
  EXPECT_EQ(read_file(unpacked(archive, "b.txt", "x/one") / "b.txt"), "1");
  EXPECT_TRUE(has(refusal(archive, "b.txt", "wo"), "in a folder wo, got none of them"));
}

TEST_F(Archives, ACompressedFileIsNamedAfterItsArchive) {
  run_program({"/bin/sh", "-c", "printf text | gzip >" + at("whole.gz").string()});
  EXPECT_EQ(read_file(unpacked(at("whole.gz"), "whole") / "whole"), "text");
}

}  // namespace runner
