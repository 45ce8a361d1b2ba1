#include "runner/config/recipes/recipe.h"

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>

#include "tests/message_of.h"

namespace runner {
namespace {

std::string refusal_of_recipe(std::string_view name, std::string_view task) {
  return message_of<std::invalid_argument>([&] { recipe_named(name, task); });
}

TEST(Recipe, IsNamedWholeOrByItsPaperAndTheTask) {
  EXPECT_EQ(name_of(recipe_named("etsmlp/lra-image", "")), "etsmlp/lra-image");
  EXPECT_EQ(&recipe_named("etsmlp", "lra-image"), &recipe_named("etsmlp/lra-image", "lra-image"));
}

TEST(Recipe, SaysWhatWasMeantByAnUnknownName) {
  EXPECT_NE(refusal_of_recipe("etsmpl", "lra-image").find("did you mean 'etsmlp'?"),
            std::string::npos);
  EXPECT_NE(refusal_of_recipe("mega/lra-imag", "").find("did you mean 'mega/lra-image'?"),
            std::string::npos);
}

TEST(Recipe, IsRefusedForAnotherTask) {
  EXPECT_EQ(refusal_of_recipe("mega/lra-image", "lra-text"),
            "recipe: mega/lra-image is of lra-image, but task.name is lra-text");
  EXPECT_NE(refusal_of_recipe("etsmlp", "mqar").find("but task.name is mqar"), std::string::npos);
  EXPECT_NE(refusal_of_recipe("etsmlp", "").find("set task.name"), std::string::npos);
}

TEST(Recipe, HasANameOfItsOwnAndSaysWhereEachLineIsFrom) {
  std::set<std::string> names;
  for (const PaperRecipe& recipe : recipes()) {
    EXPECT_TRUE(names.insert(name_of(recipe)).second) << name_of(recipe);
    for (const RecipeLine& line : recipe.lines) EXPECT_FALSE(line.where.empty()) << line.settings;
  }
}

TEST(Recipe, IsFoundByAPatternOrItsPaper) {
  EXPECT_EQ(recipes_matching("etsmlp").size(), 14u);
  EXPECT_GT(recipes_matching("*/lra-image").size(), 3u);
  EXPECT_TRUE(recipes_matching("none*").empty());
}

}  // namespace
}  // namespace runner
