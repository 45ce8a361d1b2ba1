// DeiT (arXiv 2012.12877; facebookresearch/deit), by table 11 of MEGA: pictures in color, in
// patches. The table is about ImageNet in 224 x 224 pixels; sizes for CIFAR-10 are ours.
#include "runner/config/recipes/recipe.h"

namespace runner {
namespace {

using enum SaidBy;

constexpr RecipeLine kTraining{
    "optim.name=adamw optim.batch=1024 optim.steps=0 optim.epochs=300 optim.schedule=cosine "
    "optim.decay=0.05 optim.smoothing=0.1 optim.repeats=3 optim.mixup=0.8 optim.cutmix=1 "
    "optim.erase=0.25 model.dropout=0 model.embedding_dropout=0",
    kPaper, "table 11; its RandAugment 9/0.5 is not there"};
constexpr RecipeLine kRates{
    "optim.beta1=0.9 optim.beta2=0.999 optim.eps=1e-8 optim.lr_first=1e-6 optim.lr_last=1e-5 "
    "optim.decay_on=matrices",
    kCode, "main.py of DeiT, which does not decay positions either"};
constexpr RecipeLine kPatches{
    "model.skeleton=source model.d=192 model.layers=6 task.patch=4 task.length=64 eval.epochs=1 "
    "eval.steps=0 eval.best=accuracy",
    kOurs, "table 11 has 768 channels and 12 layers; a quarter of its patches' side"};

constexpr std::array kDeit = {
    kTraining,
    kRates,
    kPatches,
    RecipeLine{"optim.lr=0.001 optim.warmup=220 optim.clip=0 model.depth_dropout=0.1", kPaper,
               "table 11: 5 epochs of warm-up"},
    RecipeLine{"system.bidirectional=true system.positions=none model.positions=learned", kPaper,
               "of DeiT, section 3"},
    RecipeLine{"system.heads=3", kPaper, "of DeiT, table 1: 64 channels a head"}};

constexpr std::array kMegaPictures = {
    kTraining,
    kRates,
    kPatches,
    RecipeLine{"optim.lr=0.002 optim.warmup=880 optim.clip=1 model.depth_dropout=0.2", kPaper,
               "table 11: 20 epochs of warm-up"},
    RecipeLine{"system.bidirectional=true system.causal=false system.attention=laplace", kPaper,
               "appendix D.1; section 4.1: laplace for vision"},
    RecipeLine{"system.z=64 system.v=384 system.feed_hidden=384 system.positions=64", kOurs,
               "the ratios of table 11: a third, twice and twice the channels"}};

}  // namespace

std::span<const PaperRecipe> deit_recipes() {
  static constexpr std::array kRows = {
      PaperRecipe{"deit", "cifar-10", "transformer", "transformer*", kDeit},
      PaperRecipe{"mega", "cifar-10", "mega", "mega*", kMegaPictures},
  };
  return kRows;
}

}  // namespace runner
