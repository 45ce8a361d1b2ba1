#include "runner/config/keys/config_keys.h"

#include <gtest/gtest.h>

#include <set>

#include "lcsm/base/words.h"
#include "runner/config/keys/family_rows.h"
#include "runner/config/keys/model_keys.h"
#include "runner/config/keys/optim_keys.h"
#include "runner/config/keys/optimizer_rows.h"
#include "runner/config/keys/run_keys.h"
#include "runner/config/keys/task_keys.h"
#include "runner/config/keys/task_rows.h"
#include "runner/config/toml/config_value.h"

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

TEST(ConfigKeys, ThatDependOnAnotherApplyWithSomeOfItsChoices) {
  for (const ConfigKey& key : kConfigKeys) {
    if (key.only.empty()) continue;
    const int other = key_index(decided_by(key));
    ASSERT_GE(other, 0) << key.name;
    const auto choices = lcsm::words_of(kConfigKeys[static_cast<std::size_t>(other)].choices);
    EXPECT_TRUE(std::any_of(choices.begin(), choices.end(), [&](const std::string& choice) {
      return applies_with(key, choice);
    })) << key.name;
  }
}

template <class Rows>
void expect_listed_keys(const Rows& rows, std::string_view decided) {
  for (const auto& row : rows)
    for (const std::string& name : lcsm::words_of(row.keys)) {
      const int key = key_index(name);
      ASSERT_GE(key, 0) << row.name << " lists " << name;
      EXPECT_EQ(kConfigKeys[static_cast<std::size_t>(key)].only, decided) << name;
    }
}

TEST(ConfigKeys, ThatRowsListDependOnTheKeyOfTheirTable) {
  expect_listed_keys(kTaskRows, kByTask);
  expect_listed_keys(kFamilyRows, kByFamily);
  expect_listed_keys(kOptimizerRows, kByOptimizer);
}

TEST(ConfigKeys, AreSuggestedForMistypedOnes) {
  EXPECT_EQ(meant_key("optim.lrr"), "; did you mean 'optim.lr'?");
  EXPECT_EQ(meant_key("lr"), "; did you mean 'optim.lr'?");
  EXPECT_EQ(meant_key("optim.dropout"), "; did you mean 'model.dropout'?");
  EXPECT_EQ(meant_key("optim.leyars"), "; did you mean 'model.layers'?");
  EXPECT_EQ(meant_key("sede"), "; did you mean 'seed'?");
  EXPECT_EQ(meant_key("task.sede"), "; did you mean 'task.seed'?");
  EXPECT_EQ(meant_key("eval.nonsense"),
            "; eval has steps, epochs, batch, examples, best, beam, length_penalty, stop");
  EXPECT_EQ(meant_key("optim.wd"), "; did you mean 'optim.decay'?");
  EXPECT_EQ(meant_key("batch_size"), "; did you mean 'optim.batch'?");
  EXPECT_EQ(meant_key("model.d_model"), "; did you mean 'model.d'?");
  EXPECT_EQ(meant_key("nonsense"), "; expected one of recipe, task, model, optim, eval, seed, run");
}

TEST(ConfigKeys, AreCheckedAtCompileTime) {
  static_assert(std::is_convertible_v<decltype("seed"_key), IntegerKey>);
  static_assert(!std::is_convertible_v<decltype("seed"_key), RealKey>);
  static_assert(kNameOf<"optim.lr"_key> == "optim.lr");
}

TEST(ConfigKeys, AreFoundByNameAmongAll) {
  EXPECT_EQ(index_of("recipe"_key), 0);
  EXPECT_EQ(index_of("seed"_key), key_index("seed"));
  EXPECT_EQ(index_of("model.d"_key), key_index("model.d"));
  EXPECT_EQ(key_index("optim.nonsense"), -1);
}

}  // namespace runner
