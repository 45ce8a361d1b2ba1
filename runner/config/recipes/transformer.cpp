// The transformer of Long Range Arena (arXiv 2011.04006; google-research/long-range-arena,
// configs/*/transformer_base.py). Blocks that replace its attention use the same settings.
#include "runner/config/recipes/recipe.h"

namespace runner {
namespace {

using enum SaidBy;

constexpr RecipeLine kShape{
    "model.skeleton=source system.bidirectional=true model.head=linear model.positions=learned "
    "system.positions=none model.dropout=0.1 model.embedding_dropout=0.1 optim.name=adamw "
    "optim.decay=0.1 optim.decay_on=matrices eval.best=accuracy",
    kOurs, "not read in its configurations"};
constexpr RecipeLine kWarmed{"optim.schedule=inverse-sqrt", kCode,
                             "rsqrt_decay: the peak is 0.05 / sqrt(warm-up)"};
constexpr RecipeLine kCosine{
    "optim.schedule=cosine optim.steps=0 optim.epochs=200 "
    "optim.warmup=175",
    kCode, "a cosine over 200 epochs"};

constexpr std::array kTransformerListOps = {
    kShape, kWarmed,
    RecipeLine{"model.d=512 model.layers=4 system.heads=8 system.feed_size=1024 optim.batch=32 "
               "optim.steps=5000 optim.warmup=1000 optim.lr=0.00158",
               kCode, "configs/listops/transformer_base.py"},
    RecipeLine{"system.length=2000", kOurs, "the longest sequence"}};
constexpr std::array kTransformerText = {
    kShape, kWarmed,
    RecipeLine{"model.d=256 model.layers=4 system.heads=4 system.feed_size=1024 optim.batch=32 "
               "optim.steps=20000 optim.warmup=8000 optim.lr=0.000559",
               kCode, "configs/text_classification/transformer_base.py"},
    RecipeLine{"system.length=4000", kOurs, "the longest sequence"}};
constexpr std::array kTransformerRetrieval = {
    kShape, kWarmed,
    RecipeLine{"model.d=128 model.layers=4 system.heads=4 system.feed_size=512 optim.batch=32 "
               "optim.steps=5000 optim.warmup=2000 optim.lr=0.00112",
               kCode, "configs/matching/transformer_base.py, which still warms at its end"},
    RecipeLine{"system.length=4000", kOurs, "the longest sequence"}};
constexpr std::array kTransformerImage = {
    kShape, kCosine,
    RecipeLine{"model.d=128 model.layers=1 system.heads=8 system.feed_size=128 optim.batch=256 "
               "optim.lr=0.0005",
               kCode, "configs/cifar10/transformer_base.py, with 64 channels of queries"},
    RecipeLine{"system.length=1024", kOurs, "the longest sequence"}};
constexpr std::array kTransformerPathfinder = {
    kShape, kCosine,
    RecipeLine{"model.d=32 model.layers=4 system.heads=4 system.feed_size=32 optim.batch=512 "
               "optim.lr=0.001",
               kCode, "configs/pathfinder32/transformer_base.py, with 16 channels of queries"},
    RecipeLine{"system.length=1024", kOurs, "the longest sequence"}};
constexpr std::array kTransformerPathX = {
    kShape, kCosine,
    RecipeLine{"model.d=32 model.layers=4 system.heads=4 system.feed_size=32 optim.batch=64 "
               "optim.lr=0.001 optim.clip=1",
               kCode, "configs/pathfinder128/transformer_base.py"},
    RecipeLine{"system.length=16384", kOurs, "the longest sequence"}};

}  // namespace

std::span<const PaperRecipe> transformer_recipes() {
  static constexpr std::array kRows = {
      PaperRecipe{"lra", "lra-listops", "transformer", "*", kTransformerListOps},
      PaperRecipe{"lra", "lra-text", "transformer", "*", kTransformerText},
      PaperRecipe{"lra", "lra-retrieval", "transformer", "*", kTransformerRetrieval},
      PaperRecipe{"lra", "lra-image", "transformer", "*", kTransformerImage},
      PaperRecipe{"lra", "lra-pathfinder", "transformer", "*", kTransformerPathfinder},
      PaperRecipe{"lra", "lra-pathx", "transformer", "*", kTransformerPathX},
  };
  return kRows;
}

}  // namespace runner
