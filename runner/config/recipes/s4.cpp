// S4 in its second version (arXiv 2206.11893, table of LRA; state-spaces/s4,
// configs/experiment/lra and sc).
#include "runner/config/recipes/recipe.h"

namespace runner {
namespace {

using enum SaidBy;

constexpr RecipeLine kS4Authors{
    "model.skeleton=source system.bidirectional=true system.output=glu system.step=softplus "
    "model.head=linear optim.name=adamw optim.beta2=0.999 optim.decay=0.05 optim.schedule=cosine "
    "eval.epochs=1 eval.steps=0 eval.best=accuracy optim.clip=0",
    kCode, "s4-*.yaml, layer/s4.yaml, PyTorch's AdamW"};
constexpr RecipeLine kS4Groups{
    "optim.gate_lr=0.001 optim.decay_on=not-gate", kCode,
    "s4-*.yaml: a rate of its own, without decay, for A, B and the step; theirs not for the step "
    "on ListOps, Text and Retrieval"};

constexpr std::array kS4ListOps = {
    kS4Authors,
    kS4Groups,
    RecipeLine{"model.d=256 model.layers=6 system.modes=2 system.systems=1 system.norm=batch "
               "system.norm_place=post optim.batch=32 optim.lr=0.01 optim.steps=120000 "
               "optim.warmup=12000 model.dropout=0",
               kCode, "s4-listops.yaml: N = 4, a half of which is stored"},
};
constexpr std::array kS4Text = {
    kS4Authors,
    kS4Groups,
    RecipeLine{"model.d=256 model.layers=6 system.modes=2 system.systems=1 system.norm=batch "
               "system.norm_place=pre optim.batch=16 optim.lr=0.01 optim.steps=50000 "
               "optim.warmup=5000 model.dropout=0",
               kCode, "s4-imdb.yaml"},
};
constexpr std::array kS4Retrieval = {
    kS4Authors,
    kS4Groups,
    RecipeLine{"model.d=256 model.layers=6 system.modes=2 system.systems=1 system.norm=batch "
               "system.norm_place=pre optim.batch=64 optim.lr=0.01 optim.steps=50000 "
               "optim.warmup=5000 model.dropout=0 model.pair=nli model.head=gelu",
               kCode, "s4-aan.yaml, whose decoder has a hidden layer"},
};
constexpr std::array kS4Image = {
    kS4Authors,
    kS4Groups,
    RecipeLine{"model.d=512 model.layers=6 system.modes=32 system.systems=1 system.norm=batch "
               "system.norm_place=post optim.batch=50 optim.lr=0.01 optim.steps=180000 "
               "optim.warmup=18000 model.dropout=0.1",
               kCode, "s4-cifar.yaml"},
};
constexpr std::array kS4Pathfinder = {
    kS4Authors,
    kS4Groups,
    RecipeLine{"model.d=256 model.layers=6 system.modes=32 system.norm=batch "
               "system.norm_place=pre optim.batch=64 optim.lr=0.004 optim.steps=500000 "
               "optim.warmup=50000 model.dropout=0",
               kCode, "s4-pathfinder.yaml"},
};
constexpr std::array kS4PathX = {
    kS4Authors,
    kS4Groups,
    RecipeLine{"model.d=256 model.layers=6 system.modes=32 system.norm=batch "
               "system.norm_place=pre system.step_min=0.0001 optim.batch=16 optim.lr=0.001 "
               "optim.steps=500000 optim.warmup=50000 model.dropout=0",
               kCode, "s4-pathx.yaml"},
};

// MEGA prints 300 000 parameters for S4 on the ten words, which this configuration has.
constexpr std::array kS4Speech = {
    kS4Authors,
    kS4Groups,
    RecipeLine{"model.d=128 model.layers=6 system.modes=32 system.systems=2 system.norm=batch "
               "system.norm_place=pre optim.batch=16 optim.lr=0.01 optim.steps=200000 "
               "model.dropout=0",
               kCode, "configs/experiment/sc/s4-sc.yaml, of all 35 words"},
    RecipeLine{"optim.warmup=1000", kCode, "configs/scheduler/cosine_warmup.yaml"},
};

// For a generated task with fewer samples.
constexpr std::array kS4Sounds = {
    kS4Authors,
    kS4Groups,
    RecipeLine{"system.modes=32 system.systems=2 system.norm=batch system.norm_place=pre "
               "optim.batch=16 optim.lr=0.01 model.dropout=0",
               kCode, "configs/experiment/sc/s4-sc.yaml"},
    RecipeLine{"model.d=32 model.layers=2 optim.steps=20000 optim.warmup=800", kOurs,
               "a sixteenth of the samples"},
};

}  // namespace

std::span<const PaperRecipe> s4_recipes() {
  static constexpr std::array kRows = {
      PaperRecipe{"s4", "lra-listops", "s4", "s4*", kS4ListOps},
      PaperRecipe{"s4", "lra-text", "s4", "s4*", kS4Text},
      PaperRecipe{"s4", "lra-retrieval", "s4", "s4*", kS4Retrieval},
      PaperRecipe{"s4", "lra-image", "s4", "s4*", kS4Image},
      PaperRecipe{"s4", "lra-pathfinder", "s4", "s4*", kS4Pathfinder},
      PaperRecipe{"s4", "lra-pathx", "s4", "s4*", kS4PathX},
      PaperRecipe{"s4", "speech-commands", "s4", "s4*", kS4Speech},
      PaperRecipe{"s4", "sounds", "s4", "s4*", kS4Sounds},
  };
  return kRows;
}

}  // namespace runner
