// S5 (arXiv 2208.04933; lindermanlab/S5, bin/run_experiments). Its sizes of the state count both
// modes of a conjugate pair, ours the stored one.
#include "runner/config/recipes/recipe.h"

namespace runner {
namespace {

using enum SaidBy;

constexpr RecipeLine kS5Authors{
    "model.skeleton=source system.bidirectional=true system.norm=batch system.norm_place=pre-only "
    "model.head=linear optim.name=adamw optim.beta2=0.999 optim.schedule=cosine optim.steps=0 "
    "eval.epochs=1 eval.steps=0 eval.best=accuracy optim.clip=0",
    kCode, "s5/train.py, train_helpers.py"};
constexpr RecipeLine kS5Groups{
    "optim.decay_on=not-gate", kCode,
    "s5/train_helpers.py: a rate of its own, without decay, for A, B and the step; theirs not for "
    "B on ListOps and Image"};

constexpr std::array kS5ListOps = {
    kS5Authors, kS5Groups,
    RecipeLine{"model.d=128 model.layers=8 system.modes=8 system.blocks=8 optim.batch=50 "
               "optim.epochs=40 optim.gate_lr=0.001 optim.lr=0.003 optim.decay=0.04 "
               "model.dropout=0 optim.warmup=1920 system.start=lecun system.output=half_glu2",
               kCode, "run_lra_listops.sh; its warm-up: one epoch"}};
constexpr std::array kS5Text = {
    kS5Authors, kS5Groups,
    RecipeLine{"model.d=256 model.layers=6 system.modes=96 system.blocks=12 optim.batch=50 "
               "optim.epochs=35 optim.gate_lr=0.001 optim.lr=0.004 optim.decay=0.07 "
               "model.dropout=0.1 optim.warmup=0 system.start=lecun system.output=half_glu2",
               kCode, "run_lra_imdb.sh, whose step has the full rate"}};
constexpr std::array kS5Retrieval = {
    kS5Authors, kS5Groups,
    RecipeLine{"model.d=128 model.layers=6 system.modes=128 system.blocks=16 optim.batch=32 "
               "optim.epochs=20 optim.gate_lr=0.001 optim.lr=0.002 optim.decay=0.05 "
               "model.pair=nli model.head=gelu model.dropout=0 optim.warmup=4596 "
               "system.start=truncated",
               kCode, "run_lra_aan.sh, whose step has the full rate; its warm-up: one epoch"}};
constexpr std::array kS5Image = {
    kS5Authors, kS5Groups,
    RecipeLine{"model.d=512 model.layers=6 system.modes=192 system.blocks=3 optim.batch=50 "
               "optim.epochs=250 optim.gate_lr=0.001 optim.lr=0.0045 optim.decay=0.07 "
               "model.dropout=0.1 optim.warmup=900 system.start=lecun system.clip=true",
               kCode, "run_lra_cifar.sh; its warm-up: one epoch"}};
constexpr std::array kS5Pathfinder = {
    kS5Authors, kS5Groups,
    RecipeLine{"model.d=192 model.layers=6 system.modes=128 system.blocks=8 optim.batch=64 "
               "optim.epochs=200 optim.gate_lr=0.0009 optim.lr=0.0045 optim.decay=0.03 "
               "model.dropout=0.05 optim.warmup=2500 system.start=truncated",
               kCode, "run_lra_pathfinder.sh; its warm-up: one epoch"}};
constexpr std::array kS5PathX = {
    kS5Authors, kS5Groups,
    RecipeLine{
        "model.d=128 model.layers=6 system.modes=128 system.blocks=16 "
        "system.step_min=0.0001 optim.batch=32 optim.epochs=75 optim.gate_lr=0.0006 "
        "optim.lr=0.0018 optim.decay=0.06 model.dropout=0 optim.warmup=5000 system.start=complex",
        kCode, "run_lra_pathx.sh; its warm-up: one epoch"}};

}  // namespace

std::span<const PaperRecipe> s5_recipes() {
  static constexpr std::array kRows = {
      PaperRecipe{"s5", "lra-listops", "s5", "s5*", kS5ListOps},
      PaperRecipe{"s5", "lra-text", "s5", "s5*", kS5Text},
      PaperRecipe{"s5", "lra-retrieval", "s5", "s5*", kS5Retrieval},
      PaperRecipe{"s5", "lra-image", "s5", "s5*", kS5Image},
      PaperRecipe{"s5", "lra-pathfinder", "s5", "s5*", kS5Pathfinder},
      PaperRecipe{"s5", "lra-pathx", "s5", "s5*", kS5PathX},
  };
  return kRows;
}

}  // namespace runner
