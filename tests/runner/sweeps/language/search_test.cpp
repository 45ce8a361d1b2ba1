#include "runner/sweeps/language/search.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include "runner/config/keys/model_keys.h"
#include "runner/config/keys/run_keys.h"
#include "runner/systems/system.h"
#include "tests/message_of.h"
#include "tests/runner/run_program.h"
#include "tests/runner/sweeps/language/sweep_texts.h"
#include "tests/source_folder.h"

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
  return message_of<std::runtime_error>([&] { find_sweep(name, from); });
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
  EXPECT_EQ(expanded(sweep).runs.at(0).integer("seed"_key), 5);
}

TEST(SweepSearch, SuggestsACorrection) {
  CurrentFolder folder;
  EXPECT_EQ(error_of("quikstart"), "unknown sweep 'quikstart'; did you mean 'quickstart'?");
  EXPECT_EQ(error_of("zzz"),
            "unknown sweep 'zzz'; `lcsm sweeps` lists them, and file names end in .toml");
  const std::string missing = "cannot be read: No such file or directory";
  EXPECT_EQ(error_of("no/such.toml"), "'no/such.toml' " + missing);
  EXPECT_EQ(error_of("quickstart.toml"),
            "'quickstart.toml' " + missing + "; did you mean 'quickstart'?");
  folder.write("gates.toml", "");
  EXPECT_EQ(error_of("gate.toml"), "'gate.toml' " + missing + "; did you mean 'gates.toml'?");
  folder.write("a/gates.toml", "");
  EXPECT_EQ(error_of("a/gate.toml"), "'a/gate.toml' " + missing + "; did you mean 'a/gates.toml'?");
}

TEST(SweepSearch, RefusesANameThatNoRunCanKeep) {
  CurrentFolder folder;
  folder.write("my sweep.toml", "extends = 'quickstart'\n");
  folder.write("mine.toml", "extends = 'my sweep.toml'\n");
  for (const std::string& name :
       {std::string("my sweep"), std::string("_mine"), std::string(101, 'x')}) {
    folder.write(name + ".toml", "extends = 'quickstart'\n");
    EXPECT_EQ(message_of([&] { load_sweep(name + ".toml"); }),
              "expected a sweep's name of at most 100 ASCII letters, digits, '.', '_' and '-', "
              "beginning with a letter or digit, got '" +
                  name + "': rename '" + name + ".toml'");
  }
  EXPECT_EQ(load_sweep("mine.toml").name, "mine");
}

TEST(SweepSearch, ListsTheUsersAndTheBuiltInSweepsByName) {
  CurrentFolder folder;
  folder.write("sweeps/aaa.toml", "");
  const std::vector<SweepText> known = known_sweeps();
  EXPECT_EQ(known.at(0).name, "aaa");
  EXPECT_EQ(known.at(0).path, "sweeps/aaa.toml");
  EXPECT_TRUE(known.back().path.starts_with("built-in "));
}

// "| `lra` |" or "| `figure3` ... `figure7` |": the names in the first cell of a row.
TEST(SweepSearch, TheReadmeListsTheBuiltInSweeps) {
  CurrentFolder folder;
  std::ifstream file(source_folder() / "sweeps/README.md");
  if (!file) GTEST_SKIP() << "source tree not found: " << source_folder();
  const std::string readme(std::istreambuf_iterator<char>(file), {});
  std::set<std::string> known;
  for (const SweepText& sweep : known_sweeps()) {
    known.insert(sweep.name);
    EXPECT_NE(readme.find("\n| `" + sweep.name + "`"), std::string::npos)
        << sweep.name << " needs a row in sweeps/README.md";
  }
  const std::size_t from = readme.find("\n## Built-in sweeps");
  const std::size_t end = readme.find("\n### ", from);
  for (std::size_t at = readme.find("\n| `", from); at < end; at = readme.find("\n| `", at + 1)) {
    const std::string name = readme.substr(at + 4, readme.find('`', at + 4) - at - 4);
    EXPECT_TRUE(known.contains(name)) << name << " is not in runner/sweeps/CMakeLists.txt";
  }
}

TEST(SweepSearch, TheSweepOfSystemsHasEveryCausalOne) {
  CurrentFolder folder;
  const SweepFile sweep = load_sweep("systems");
  for (const char* scale : {"paper", "laptop"}) {
    std::map<std::string, int> runs;
    for (const RunConfig& config : expanded(sweep, {scale, {}}).runs)
      ++runs[config.system() ? config.text("model.system"_key) : config.text("model.code"_key)];
    const int each = 2 * 3;  // tasks, seeds
    std::map<std::string, int> wanted = {{"1-9-1-0", each}, {"1-3-1-0", each}};
    for (const SystemRow& row : system_rows())
      if (!is_two_sided(parse_system(row.name))) wanted[std::string(row.name)] = each;
    EXPECT_EQ(runs, wanted) << scale;
  }
}

}  // namespace runner
