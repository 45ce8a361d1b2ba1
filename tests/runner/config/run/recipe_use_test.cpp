#include "runner/config/run/recipe_use.h"

#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "lcsm/base/words.h"
#include "runner/config/keys/config_keys.h"
#include "runner/config/keys/model_keys.h"
#include "runner/config/keys/optim_keys.h"
#include "runner/config/run/course.h"
#include "runner/config/run/run_id.h"
#include "runner/models/families/model_tensors.h"
#include "tests/message_of.h"

namespace runner {
namespace {

using Words = std::vector<std::string>;

RunConfig config_of(const Words& settings) {
  return parse_config("", "", settings, [](const std::string&) {});
}

std::string mistake_in(const Words& settings) {
  return message_of<ConfigError>([&] { config_of(settings); });
}

const Setting& setting(const RunConfig& config, const char* key) {
  return config.at(key_index(key));
}

TEST(RecipeUse, ResolvesEveryRecipeWithEveryOptionOfItsSystem) {
  for (const PaperRecipe& recipe : recipes()) {
    SCOPED_TRACE(name_of(recipe));
    const RunConfig config = config_of({"recipe=" + name_of(recipe)});
    EXPECT_EQ(config.named(), recipe.system);
    for (const RecipeSetting& each : settings_of(recipe)) {
      if (!each.key.starts_with(kOfSystem)) continue;
      const std::string_view name = each.key.substr(kOfSystem.size());
      const bool meant =
          each.line->only.empty() ? recipe.systems != "*" : each.line->only == recipe.system;
      if (meant) {
        EXPECT_TRUE(has_option(*config.system(), name)) << name;
      }
    }
  }
}

TEST(RecipeUse, SaysWhoSaidAKey) {
  const RunConfig config = config_of({"recipe=etsmlp/lra-listops"});
  EXPECT_EQ(config.integer("model.layers"_key), 12);
  EXPECT_EQ(setting(config, "model.layers").set_by, "etsmlp/lra-listops: paper, table 5");
  EXPECT_EQ(setting(config, "optim.steps").set_by, "etsmlp/lra-listops: code, README.md");
  EXPECT_NE(setting(config, "model.system").set_by.find("paper bidirectional=true"),
            std::string::npos);
}

TEST(RecipeUse, LosesAgainstWhatIsSetAnywhere) {
  const RunConfig config = config_of(
      {"optim.lr=0.5", "model.system=etsmlp@hidden=32", "recipe=etsmlp", "task.name=lra-image"});
  EXPECT_EQ(config.real("optim.lr"_key), 0.5);
  EXPECT_EQ(config.text("model.system"_key),
            "etsmlp@hidden=32,bidirectional=true,r_min=0.6,norm=batch");
  EXPECT_EQ(config.named(), "etsmlp@hidden=32");
}

TEST(RecipeUse, KeepsAnOptionThatIsGivenAsTheSystemHasItAnyway) {
  const RunConfig config =
      config_of({"recipe=mega/lra-image", "model.code=mega@attention=softmax"});
  EXPECT_EQ(config.text("model.system"_key).find("laplace"), std::string::npos);
  EXPECT_EQ(config.named(), "mega@attention=softmax");
}

TEST(RecipeUse, LeavesOutOptionsWithoutMeaningBesideThoseGiven) {
  const RunConfig config =
      config_of({"recipe=etsmlp/lra-image", "model.code=etsmlp@start=fixed,start_real=0.3"});
  EXPECT_EQ(config.text("model.system"_key).find("r_min"), std::string::npos);
}

TEST(RecipeUse, IsNoPartOfTheIdentityNorOfTheFileOfARun) {
  const RunConfig by_recipe = config_of({"recipe=mega/lra-text"});
  const std::string text = toml_text(by_recipe, false);
  EXPECT_EQ(text.find("recipe"), std::string::npos);
  const RunConfig plain = parse_config(text, "run.toml", {}, [](const std::string&) {});
  EXPECT_EQ(run_id(plain), run_id(by_recipe));
}

TEST(RecipeUse, LeavesTheSkeletonOfASystemToSystems) {
  const RunConfig config = config_of({"recipe=etsmlp/lra-text", "model.code=1-3-1-2"});
  EXPECT_TRUE(config.is("model.skeleton"_key, "wikitext"));
  EXPECT_EQ(config.integer("model.layers"_key), 4);
  EXPECT_EQ(config.named(), "1-3-1-2");
}

TEST(RecipeUse, RefusesUnknownOnesAndThoseOfAnotherTask) {
  EXPECT_NE(mistake_in({"recipe=etsmpl/lra-text"}).find("did you mean"), std::string::npos);
  EXPECT_NE(mistake_in({"recipe=etsmlp/lra-text", "task.name=mqar"}).find("is of lra-text"),
            std::string::npos);
}

// The number of rows of a tensor in the first layer's mixer; 0 if there is no such tensor.
std::int64_t rows_of(const RunConfig& config, const std::string& tensor) {
  for (const lcsm::Parameter& each : tensors_of(plan_model(config, 100)))
    if (each.name == "layers.0.mixer." + tensor) return each.shape.at(0);
  return 0;
}

// PyTorch's AdamW and optax have beta2 = 0.999, fairseq has 0.98.
TEST(RecipeUse, TrainsStateSpacesByTheAdamOfTheirAuthors) {
  for (const PaperRecipe& recipe : recipes())
    if (lcsm::has_word("s4 s4-v1 dss s5", recipe.paper)) {
      EXPECT_EQ(config_of({"recipe=" + name_of(recipe)}).real("optim.beta2"_key), 0.999)
          << name_of(recipe);
    }
}

// --ssm_size_base counts both modes of a conjugate pair.
TEST(RecipeUse, StoresHalfOfTheStateSizeOfS5) {
  const std::pair<const char*, std::int64_t> kSizes[] = {
      {"lra-listops", 16}, {"lra-text", 192},       {"lra-retrieval", 256},
      {"lra-image", 384},  {"lra-pathfinder", 256}, {"lra-pathx", 256}};
  for (const auto& [task, size] : kSizes)
    EXPECT_EQ(2 * rows_of(config_of({std::string("recipe=s5/") + task}), "rate"), size) << task;
}

// Their n_ssm is 1, or null for one system per channel.
TEST(RecipeUse, SharesTheRatesOfS4AsItsAuthorsDo) {
  const std::pair<const char*, std::int64_t> kSystems[] = {
      {"lra-listops", 1}, {"lra-text", 1},         {"lra-retrieval", 1},
      {"lra-image", 1},   {"lra-pathfinder", 256}, {"lra-pathx", 256}};
  for (const auto& [task, systems] : kSystems)
    EXPECT_EQ(rows_of(config_of({std::string("recipe=s4/") + task}), "log_decay"), systems) << task;
}

TEST(RecipeUse, ComparesTwoDocumentsInAHiddenLayer) {
  for (const char* paper : {"s4", "s4-v1", "dss", "s5", "mega", "etsmlp"})
    EXPECT_TRUE(
        config_of({std::string("recipe=") + paper + "/lra-retrieval"}).is("model.head"_key, "gelu"))
        << paper;
}

// 0.05 min(1, step / warmup) / sqrt(max(step, warmup)), whose warm-up is 8000 of 5000 steps.
TEST(RecipeUse, StillWarmsAtTheEndOfLraRetrieval) {
  const Course course(config_of({"recipe=lra/lra-retrieval"}), 147086);
  EXPECT_EQ(course.steps(), 5000);
  EXPECT_NEAR(course.rate(5000), 0.05 * 4999 / 8000 / std::sqrt(8000.0), 1e-6);
}

TEST(RecipeUse, DecaysTheTransformerOfLraOnTextsAlone) {
  for (const char* task : {"lra-listops", "lra-text", "lra-retrieval"})
    EXPECT_EQ(config_of({std::string("recipe=lra/") + task}).real("optim.decay"_key), 0.1) << task;
  for (const char* task : {"lra-image", "lra-pathfinder", "lra-pathx"})
    EXPECT_EQ(config_of({std::string("recipe=lra/") + task}).real("optim.decay"_key), 0) << task;
}

// fairseq's decoder, on which TNN, HGRN and with them LCSM build, drops embeddings too.
TEST(RecipeUse, DropsTheEmbeddingsOfWikiText103) {
  for (const char* paper : {"lcsm", "s4++"})
    EXPECT_EQ(config_of({std::string("recipe=") + paper + "/wikitext-103"})
                  .real("model.embedding_dropout"_key),
              0.1)
        << paper;
}

// The counts of the authors' code (see published_counts_test), by the recipe alone.
TEST(RecipeUse, HasTheSizesOfThePapers) {
  const std::tuple<const char*, const char*, std::int64_t, std::int64_t> kCounts[] = {
      {"etsmlp/lra-listops", "etsmlp", 20, 652480},
      {"etsmlp/lra-text", "etsmlp-gate", 263, 361760},
      {"etsmlp/lra-retrieval", "etsmlp", 263, 417920},
      {"etsmlp/lra-retrieval", "etsmlp-gate", 263, 572480},
      {"etsmlp/lra-image", "etsmlp-gate", 1, 1600000},
      {"etsmlp/lra-pathfinder", "etsmlp-gate", 1, 517120},
      {"etsmlp/lra-pathx", "etsmlp", 1, 418048},
      {"mega/lra-listops", "mega", 20, 602258},
      {"mega/lra-text", "mega", 263, 990868},
      {"mega/lra-retrieval", "mega", 263, 1485470},
      {"mega/lra-image", "mega", 1, 2839096},
      {"mega/lra-image", "mega-chunk", 1, 2824760},
      {"mega/lra-pathfinder", "mega", 1, 1386874},
      {"mega/lra-pathx", "mega", 1, 381948},
      {"mega/lra-pathx", "mega-chunk", 1, 283644},
      {"mega/speech-commands", "mega-chunk", 1, 343134},  // the paper prints 300 000
      {"s4/speech-commands", "s4", 1, 303616},
  };
  for (const auto& [recipe, system, vocabulary, count] : kCounts) {
    const RunConfig config =
        config_of({std::string("recipe=") + recipe, std::string("model.code=") + system});
    EXPECT_EQ(count_of(plan_model(config, vocabulary)).learned, count) << recipe << " " << system;
  }
}

}  // namespace
}  // namespace runner
