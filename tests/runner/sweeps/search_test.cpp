#include "runner/sweeps/search.h"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/runner/run_program.h"
#include "tests/runner/sweeps/sweep_texts.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

// A scratch folder that is the current one during a test.
class CurrentFolder {
 public:
  CurrentFolder() : before_(fs::current_path()) { fs::current_path(scratch_.path()); }
  ~CurrentFolder() { fs::current_path(before_); }
  void write(const std::string& path, const std::string& text) {
    fs::create_directories(fs::path("./" + path).parent_path());
    std::ofstream(path) << text;
  }

 private:
  ScratchFolder scratch_;
  fs::path before_;
};

std::string error_of(const std::string& name, const std::string& from = "") {
  try {
    find_sweep(name, from);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST(SweepSearch, FindsFilesThenTheUsersSweepsThenTheBuiltIn) {
  CurrentFolder folder;
  EXPECT_EQ(find_sweep("quickstart").path, "built-in quickstart.toml");
  folder.write("sweeps/quickstart.toml", "title = 'mine'");
  EXPECT_EQ(find_sweep("quickstart").path, "sweeps/quickstart.toml");
  folder.write("x.toml", "title = 'x'");
  EXPECT_EQ(find_sweep("x.toml").name, "x");
  EXPECT_EQ(find_sweep("./x.toml").text, "title = 'x'");
}

TEST(SweepSearch, SearchesTheFolderOfTheExtendingFileFirst) {
  CurrentFolder folder;
  folder.write("a/one.toml", "extends = 'two'");
  folder.write("a/two.toml", "title = 'near'");
  folder.write("sweeps/two.toml", "title = 'far'");
  EXPECT_EQ(find_sweep("two", "a/one.toml").text, "title = 'near'");
  EXPECT_EQ(find_sweep("two.toml", "a/one.toml").path, "a/two.toml");
  EXPECT_EQ(find_sweep("two").text, "title = 'far'");
}

TEST(SweepSearch, AUsersSweepMayExtendTheBuiltInOneThatItHides) {
  CurrentFolder folder;
  folder.write("sweeps/quickstart.toml", "extends = 'quickstart'\nbase.seed = 5\n");
  const SweepFile sweep = load_sweep("quickstart");
  EXPECT_EQ(expanded(sweep).runs.at(0).integer("seed"), 5);
}

TEST(SweepSearch, SuggestsACorrection) {
  CurrentFolder folder;
  EXPECT_EQ(error_of("quikstart"), "unknown sweep 'quikstart'; did you mean 'quickstart'?");
  EXPECT_EQ(error_of("zzz"),
            "unknown sweep 'zzz'; `lcsm sweeps` lists them, and file names end in .toml");
  EXPECT_EQ(error_of("no/such.toml"), "'no/such.toml' cannot be read: No such file or directory");
}

TEST(SweepSearch, ListsTheUsersAndTheBuiltInSweepsByName) {
  CurrentFolder folder;
  folder.write("sweeps/aaa.toml", "");
  const std::vector<KnownSweep> known = known_sweeps();
  EXPECT_EQ(known.at(0).text.name, "aaa");
  EXPECT_FALSE(known.at(0).built_in);
  EXPECT_TRUE(known.back().built_in);
}

}  // namespace runner
