// `lcsm recipes`, run as a program.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "runner/config/recipes/recipe.h"
#include "tests/runner/run_program.h"

namespace runner {
namespace {

Ran recipes_verb(Words words) {
  words.insert(words.begin(), "recipes");
  return run_lcsm(words);
}

TEST(RecipesVerb, ListsEveryRow) {
  const Ran ran = recipes_verb({});
  EXPECT_EQ(ran.status, 0) << ran.err;
  const auto json = nlohmann::json::parse(recipes_verb({"--json"}).out);
  EXPECT_EQ(json["recipes"].size(), recipes().size());
  for (const PaperRecipe& recipe : recipes())
    EXPECT_NE(ran.out.find(name_of(recipe)), std::string::npos) << name_of(recipe);
}

TEST(RecipesVerb, ShowsWhoSaidEachKeyOfOne) {
  const Ran ran = recipes_verb({"etsmlp/lra-listops"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  for (const char* part : {"model.layers", "table 5", "README.md", "system.r_max", "paper", "code"})
    EXPECT_NE(ran.out.find(part), std::string::npos) << part << "\n" << ran.out;
}

TEST(RecipesVerb, SaysWhatWasMeant) {
  const Ran ran = recipes_verb({"etsmpl"});
  EXPECT_EQ(ran.status, 2);
  EXPECT_NE(ran.err.find("did you mean 'etsmlp'?"), std::string::npos) << ran.err;
}

}  // namespace
}  // namespace runner
