#include "runner/config/toml/config_tree.h"

#include <gtest/gtest.h>

#include <sstream>

namespace runner {
namespace {

// The error messages for a text, without the quoted lines.
std::string errors(const std::string& text, const std::vector<std::string>& settings = {}) {
  Mistakes mistakes;
  ConfigTree tree;
  read_tree(text, "my.toml", tree, mistakes);
  for (const std::string& word : settings) read_setting(word, tree, mistakes);
  std::string all;
  try {
    mistakes.raise();
  } catch (const ConfigError& error) {
    std::istringstream lines(error.what());
    for (std::string line; std::getline(lines, line);)
      if (!line.starts_with("  ")) all += line + "\n";
  }
  return all;
}

ConfigTree tree_of(const std::vector<std::string>& settings) {
  Mistakes mistakes;
  ConfigTree tree;
  for (const std::string& word : settings) read_setting(word, tree, mistakes);
  mistakes.raise();
  return tree;
}

struct Row {
  const char* text;
  const char* errors;
};

// One mistake per entry, with the complete error message.
constexpr std::array kCorpus = {
    Row{"seed = ", "my.toml:1:8: Error while parsing key-value pair: encountered end-of-file\n"},
    Row{"seed = 1\nseed = 2",
        "my.toml:2:8: Error while parsing key-value pair: cannot redefine existing integer "
        "'seed'\n"},
    Row{"sede = 1", "my.toml:1:1: unknown key 'sede'; did you mean 'seed'?\n"},
    Row{"[optm]\nlr = 1", "my.toml:1:2: unknown table 'optm'; did you mean 'optim'?\n"},
    Row{"[grid]\nseed = [1, 2]",
        "my.toml:1:2: 'grid' is a table of a sweep: see `lcsm plan` and `lcsm explain`\n"},
    Row{"[oscilation.a]\no = '1'",
        "my.toml:1:2: unknown table 'oscilation'; did you mean 'oscillation'?\n"},
    Row{"[optim]\nlrr = 1", "my.toml:2:1: unknown key 'optim.lrr'; did you mean 'optim.lr'?\n"},
    Row{"optim.lr.x = 1",
        "my.toml:1:7: optim.lr: expected a number above 0 and at most 1e+09, got a table\n"},
    Row{"optim = 3", "my.toml:1:9: 'optim' must be a table: write optim.KEY = ...\n"},
    Row{"[[optim]]\nlr = 1", "my.toml:1:1: 'optim' must be a table: write optim.KEY = ...\n"},
    Row{"[seed]\nx = 1",
        "my.toml:1:1: seed: expected an integer from 0 to 9007199254740992, got a table\n"},
    Row{"seed = 1979-05-27",
        "my.toml:1:8: seed: expected an integer from 0 to 9007199254740992, got a date or "
        "time\n"},
    Row{"seed = '1'",
        "my.toml:1:8: seed: expected an integer from 0 to 9007199254740992, got '1'; remove the "
        "quotes\n"},
    Row{"model.d = [64, 128]",
        "my.toml:1:11: model.d: expected a whole number of channels from 1 to 1048576, got a "
        "list\n"},
    Row{"optim.lr = nan",
        "my.toml:1:12: optim.lr: expected a number above 0 and at most 1e+09, got nan\n"},
    Row{"[oscillation.a]\no = 'sigmod(p_k)'",
        "my.toml:2:6: unknown function 'sigmod'; did you mean 'sigmoid'?\n"},
};

}  // namespace

TEST(ConfigTree, ReportsEachMistakeWithItsPlace) {
  for (const Row& row : kCorpus) EXPECT_EQ(errors(row.text), row.errors) << row.text;
}

TEST(ConfigTree, ReportsAllMistakesOfFileAndSettingsAtOnce) {
  EXPECT_EQ(
      errors("model.d = 0\nsede = 1\noscillation.a.o = 'p_k'", {"lr=1", "seed=x"}),
      "my.toml:1:11: model.d: expected a whole number of channels from 1 to 1048576, got 0\n"
      "my.toml:2:1: unknown key 'sede'; did you mean 'seed'?\n"
      "my.toml:3:20: the range of the gate, (-inf, inf), is not within (-1, 1], so the memory "
      "could grow without bound; bound the gate, or set growth = true\n"
      "--set:1:1: unknown key 'lr'; did you mean 'optim.lr'?\n"
      "--set:1:6: seed: expected an integer from 0 to 9007199254740992, got 'x'\n");
}

TEST(ConfigTree, ShowsTheLineAndACaret) {
  Mistakes mistakes;
  ConfigTree tree;
  read_tree("model = { d = 0 }", "my.toml", tree, mistakes);
  try {
    mistakes.raise();
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_EQ(std::string(error.what()).substr(std::string(error.what()).find('\n')),
              "\n  model = { d = 0 }\n                ^");
    EXPECT_EQ(error.count(), 1u);
  }
}

TEST(ConfigTree, ReadsSettingsWithAndWithoutQuotes) {
  const ConfigTree tree = tree_of({"model.code=1-9-1-0@tau=8", "model.code=\"ssm\"", "seed=0x10",
                                   "optim.lr=1", "optim.tokens=1_000", "task.path=a=b"});
  std::vector<std::string> texts;
  for (const Assignment& each : tree.assignments) texts.push_back(toml_text(*each.value));
  EXPECT_EQ(texts, (std::vector<std::string>{"\"1-9-1-0@tau=8\"", "\"ssm\"", "16", "1.0", "1000",
                                             "\"a=b\""}));
}

TEST(ConfigTree, RejectsInvalidSettings) {
  EXPECT_EQ(errors("", {"seed"}),
            "--set:1:1: expected KEY=VALUE, such as optim.lr=1e-3, got 'seed'\n");
  EXPECT_EQ(
      errors("", {"=1"}),
      "--set:1:1: unknown key ''; expected one of recipe, task, model, optim, eval, seed, run\n");
  EXPECT_EQ(errors("", {"seed="}),
            "--set:1:6: seed: expected an integer from 0 to 9007199254740992, got ''\n");
  EXPECT_EQ(errors("", {"seed=1\nmodel.d=2"}).substr(0, 9), "--set:1:6")
      << "one value, not a TOML text";
}

TEST(ConfigTree, KeepsRejectedAssignmentsWithoutValue) {
  Mistakes mistakes;
  ConfigTree tree;
  read_setting("seed=x", tree, mistakes);
  ASSERT_EQ(tree.assignments.size(), 1u);
  EXPECT_FALSE(tree.assignments[0].value.has_value());
}

}  // namespace runner
