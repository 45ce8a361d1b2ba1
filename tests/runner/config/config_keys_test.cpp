#include "runner/config/config_keys.h"

#include <gtest/gtest.h>

#include <set>

#include "runner/config/config_value.h"

namespace runner {

TEST(ConfigKeys, AcceptTheirDefaults) {
  for (const ConfigKey& key : kConfigKeys) {
    SCOPED_TRACE(key.name);
    const std::optional<Value> usual = usual_value(key);
    if (!usual) continue;
    Given given;
    std::visit([&given](const auto& value) { given.value = value; }, *usual);
    EXPECT_EQ(accepted(key, given), *usual);
  }
}

TEST(ConfigKeys, AreUniqueGroupedByTableAndHaveHelp) {
  std::set<std::string_view> names, tables;
  std::string_view table;
  for (const ConfigKey& key : kConfigKeys) {
    EXPECT_TRUE(names.insert(key.name).second) << key.name;
    EXPECT_FALSE(key.help.empty()) << key.name;
    EXPECT_LE(key.help.size(), 80u) << key.name;
    const std::string_view own = key.name.substr(0, key.name.find('.'));
    EXPECT_TRUE(own == table || tables.insert(own).second) << key.name << " is not with its table";
    table = own;
  }
}

TEST(ConfigKeys, ThatNeedAnotherKeyNameOneOfItsChoices) {
  for (const ConfigKey& key : kConfigKeys) {
    if (key.only.empty() || key.only == kTask) continue;
    const std::size_t equals = key.only.find(" = ");
    const int other = key_index(key.only.substr(0, equals));
    ASSERT_GE(other, 0) << key.name;
    const auto words = words_of(kConfigKeys[static_cast<std::size_t>(other)].choices);
    EXPECT_NE(std::find(words.begin(), words.end(), key.only.substr(equals + 3)), words.end())
        << key.name;
  }
}

TEST(ConfigKeys, OfTasksAreThoseThatSomeTaskLists) {
  std::set<std::string> named;
  for (const TaskRow& task : kTaskRows)
    for (const std::string& name : words_of(task.keys)) {
      const int row = key_index(name);
      ASSERT_GE(row, 0) << task.name << " lists " << name;
      EXPECT_EQ(kConfigKeys[static_cast<std::size_t>(row)].only, kTask) << name;
      named.insert(name);
    }
  for (const ConfigKey& key : kConfigKeys)
    EXPECT_TRUE(key.only != kTask || named.contains(std::string(key.name))) << key.name;
}

TEST(ConfigKeys, AreSuggestedForMistypedOnes) {
  EXPECT_EQ(meant_key("optim.lrr"), "; did you mean 'optim.lr'?");
  EXPECT_EQ(meant_key("lr"), "; did you mean 'optim.lr'?");
  EXPECT_EQ(meant_key("optim.dropout"), "; did you mean 'model.dropout'?");
  EXPECT_EQ(meant_key("optim.leyars"), "; did you mean 'model.layers'?");
  EXPECT_EQ(meant_key("sede"), "; did you mean 'seed'?");
  EXPECT_EQ(meant_key("task.sede"), "; did you mean 'task.seed'?");
  EXPECT_EQ(meant_key("eval.nonsense"), "; eval has steps, epochs, batch, best, stop");
  EXPECT_EQ(meant_key("nonsense"), "; expected one of task, model, optim, eval, seed, run");
}

TEST(ConfigKeys, AreCheckedAtCompileTime) {
  static_assert(IntegerKey("seed").index == key_index("seed"));
  static_assert(!std::is_convertible_v<std::string, IntegerKey>);
  static_assert(key_index("optim.nonsense") == -1);
}

}  // namespace runner
