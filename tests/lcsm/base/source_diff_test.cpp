// base/revision.cmake: its facts about a checkout.
#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <string>

#include "tests/runner/run_program.h"
#include "tests/source_folder.h"

namespace lcsm {
namespace {

namespace fs = std::filesystem;
using runner::Ran;
using runner::Words;

const fs::path kScript = source_folder() / "lcsm/base/revision.cmake";

class SourceDiff : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(kScript)) GTEST_SKIP() << "source tree not found: " << kScript;
    if (git({"init", "-q"}).status != 0) GTEST_SKIP() << "git not found";
    if (runner::run_program({"cmake", "--version"}).status != 0) GTEST_SKIP() << "cmake not found";
    write("file", "a;b\\n[x] \"q\" ${V} @V@\n");
    git({"add", "file"});
    git({"-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "first"});
  }
  Ran git(Words words) const {
    words.insert(words.begin(), {"git", "-C", repository.path().string()});
    return runner::run_program(words);
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(repository.path() / name) << text;
  }
  fs::path output(const std::string& name) const { return outputs.path() / name; }

  // The diff that a program would be built with.
  std::string diff() const {
    const Ran ran = runner::run_program(
        {"cmake", "-DSOURCE=" + fs::canonical(repository.path()).string(),
         "-DOUTPUT=" + output("revision.cpp").string(),
         "-DDIFF_OUTPUT=" + output("diff.cpp").string(), "-DVERSION=1", "-P", kScript.string()});
    EXPECT_EQ(ran.status, 0) << ran.err;
    const std::string source = runner::read_file(output("diff.cpp"));
    std::string bytes;
    for (std::size_t at = source.find("\\x"); at != std::string::npos;
         at = source.find("\\x", at + 4))
      bytes += static_cast<char>(std::stoi(source.substr(at + 2, 2), nullptr, 16));
    return bytes;
  }

  const runner::ScratchFolder repository, outputs;
};

}  // namespace

TEST_F(SourceDiff, IsEmptyForACommit) {
  EXPECT_EQ(diff(), "");
  write("new", "");
  EXPECT_EQ(diff(), "");  // not part of the build
  EXPECT_NE(runner::read_file(output("revision.cpp")).find(", false}"), std::string::npos);
}

TEST_F(SourceDiff, AppliesByteForByte) {
  const std::string changed = "a;b\\n[y] \"r\" ${V} @V@ \x01 \xff\r\nlast line";
  write("file", changed);
  write("new file", "");
  git({"config", "diff.noprefix", "true"});
  const std::string text = diff();
  const std::string commit = git({"rev-parse", "HEAD"}).out;
  EXPECT_TRUE(text.starts_with("commit: " + commit + "untracked: new file\ndiff --git ")) << text;
  std::ofstream(output("diff")) << text;
  git({"checkout", "-q", "file"});
  EXPECT_EQ(git({"-c", "core.whitespace=cr-at-eol", "apply", output("diff").string()}).status, 0);
  EXPECT_EQ(runner::read_file(repository.path() / "file"), changed);
  EXPECT_NE(runner::read_file(output("revision.cpp")).find(", true}"), std::string::npos);
}

TEST_F(SourceDiff, IsCutAtOneMebibyte) {
  write("file", std::string(3 << 20, 'x'));
  const std::string text = diff();
  EXPECT_NE(text.find("\ncut: the first 1048576 of 3145"), std::string::npos);
  EXPECT_LT(text.size(), (1U << 20) + 200);
}

TEST_F(SourceDiff, WithoutARepositoryThereIsNone) {
  fs::remove_all(repository.path() / ".git");
  write("file", "changed");
  EXPECT_EQ(diff(), "");
}

TEST_F(SourceDiff, FilesAreTouchedOnlyWhenTheyChange) {
  diff();
  const auto before = fs::last_write_time(output("diff.cpp"));
  diff();
  EXPECT_EQ(fs::last_write_time(output("diff.cpp")), before);
  EXPECT_EQ(std::distance(fs::directory_iterator(outputs.path()), {}), 2);
}

}  // namespace lcsm
