// The transformer of Long Range Arena (arXiv 2011.04006; google-research/long-range-arena,
// configs/*/transformer_base.py). Blocks that replace its attention use the same settings.
#include "runner/config/recipes/recipe.h"

namespace runner {
namespace {

using enum SaidBy;

constexpr RecipeLine kShape{
    "model.skeleton=source system.bidirectional=true system.positions=none model.dropout=0.1 "
    "model.embedding_dropout=0.1 eval.best=accuracy",
    kOurs, "reads the mean over the steps; theirs a token CLS, except on Pathfinder"};
constexpr RecipeLine kAuthors{
    "optim.name=adamw optim.beta2=0.98 optim.eps=1e-9 optim.decay_on=all model.head=relu "
    "model.positions=sinusoidal",
    kCode, "train.py, transformer.py, common_layers.py"};
constexpr RecipeLine kWarmed{"optim.schedule=inverse-sqrt optim.decay=0.1", kCode,
                             "rsqrt_decay: the peak is 0.05 / sqrt(warm-up)"};
constexpr RecipeLine kCosine{"optim.schedule=cosine optim.steps=0 optim.epochs=200 optim.decay=0",
                             kCode, "a cosine over 200 epochs, after one of warm-up"};

constexpr std::array kTransformerListOps = {
    kShape, kAuthors, kWarmed,
    RecipeLine{"model.d=512 model.layers=4 system.heads=8 system.feed_size=1024 "
               "model.head_width=1024 optim.batch=32 optim.steps=5000 optim.warmup=1000 "
               "optim.lr=0.00158",
               kCode, "configs/listops/transformer_base.py"},
    RecipeLine{"system.length=2000", kOurs, "the longest sequence"}};
constexpr std::array kTransformerText = {
    kShape, kAuthors, kWarmed,
    RecipeLine{"model.d=256 model.layers=4 system.heads=4 system.feed_size=1024 "
               "model.head_width=1024 optim.batch=32 optim.steps=20000 optim.warmup=8000 "
               "optim.lr=0.000559",
               kCode, "configs/text_classification/transformer_base.py"},
    RecipeLine{"system.length=4000", kOurs, "the longest sequence"}};
constexpr std::array kTransformerRetrieval = {
    kShape, kAuthors, kWarmed,
    RecipeLine{"model.d=128 model.layers=4 system.heads=4 system.feed_size=512 "
               "model.head_width=512 optim.batch=32 optim.steps=5000 optim.warmup=8000 "
               "optim.lr=0.000559",
               kCode, "configs/matching/transformer_base.py, which still warms at its end"},
    RecipeLine{"system.length=4000", kOurs, "the longest sequence"}};
constexpr std::array kTransformerImage = {
    kShape, kAuthors, kCosine,
    RecipeLine{"model.d=128 model.layers=1 system.heads=8 system.feed_size=128 "
               "model.head_width=128 optim.batch=256 optim.lr=0.0005 optim.warmup=175 "
               "model.positions=learned",
               kCode, "configs/cifar10/transformer_base.py, with 64 channels of queries"},
    RecipeLine{"system.length=1024", kOurs, "the longest sequence"}};
constexpr std::array kTransformerPathfinder = {
    kShape, kAuthors, kCosine,
    RecipeLine{"model.d=32 model.layers=4 system.heads=4 system.feed_size=32 model.head_width=32 "
               "optim.batch=512 optim.lr=0.001 optim.warmup=312",
               kCode, "configs/pathfinder32/transformer_base.py, with 16 channels of queries"},
    RecipeLine{"system.length=1024", kOurs, "the longest sequence"}};
constexpr std::array kTransformerPathX = {
    kShape, kAuthors, kCosine,
    RecipeLine{"model.d=32 model.layers=4 system.heads=4 system.feed_size=32 model.head_width=32 "
               "optim.batch=64 optim.lr=0.001 optim.warmup=2500 optim.clip=1 "
               "model.positions=learned",
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
