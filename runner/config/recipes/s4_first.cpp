// S4 in its first version (arXiv 2111.00396; the first release of state-spaces/s4) and DSS, a fork
// of that release (arXiv 2203.14343; ag1988/dss), on Long Range Arena.
#include "runner/config/recipes/recipe.h"

namespace runner {
namespace {

using enum SaidBy;

constexpr RecipeLine kReleaseCourse{
    "model.skeleton=source model.head=linear optim.name=adamw optim.beta2=0.999 "
    "optim.gate_lr=0.001 optim.decay_on=not-gate optim.clip=0 optim.steps=0 eval.epochs=1 "
    "eval.steps=0 eval.best=accuracy",
    kCode, "configs/pipeline, optimizer/adamw.yaml: rates of their own for A, B and the step"};
constexpr RecipeLine kPlateau{
    "optim.schedule=cosine optim.warmup=0", kOurs,
    "its rate falls when the validation accuracy stalls, which is no schedule here"};
constexpr RecipeLine kFirstLayer{"system.bidirectional=false system.output=linear system.modes=32",
                                 kCode, "configs/model/layer/s4.yaml: N = 64, no GLU"};
constexpr RecipeLine kDss{"system.modes=64", kCode, "its own layer with N = 64"};
constexpr RecipeLine kDssSides{"system.bidirectional=true", kOurs,
                               "README.md names it as an option"};

constexpr RecipeLine kReleaseListOps{
    "model.d=128 model.layers=6 system.norm=batch system.norm_place=post optim.batch=50 "
    "optim.lr=0.01 optim.decay=0.01 optim.epochs=50 model.dropout=0",
    kCode, "s4-lra-listops.yaml"};
constexpr RecipeLine kReleaseText{
    "model.d=128 model.layers=4 system.norm=batch system.norm_place=pre optim.batch=50 "
    "optim.lr=0.01 optim.decay=0 optim.epochs=40 model.dropout=0",
    kCode, "s4-lra-imdb.yaml, whose texts end at 2048 bytes"};
constexpr RecipeLine kReleaseRetrieval{
    "model.d=256 model.layers=6 system.norm=batch system.norm_place=pre optim.batch=64 "
    "optim.lr=0.002 optim.decay=0 optim.epochs=25 model.dropout=0 model.pair=nli "
    "model.head=gelu",
    kCode, "s4-lra-aan.yaml, whose decoder has a hidden layer"};
constexpr RecipeLine kReleaseImage{
    "model.d=512 model.layers=6 system.norm=batch system.norm_place=post optim.batch=50 "
    "optim.lr=0.004 optim.decay=0.01 optim.epochs=100 model.dropout=0.2",
    kCode, "s4-lra-cifar.yaml"};
constexpr RecipeLine kReleasePathfinder{
    "model.d=256 model.layers=6 system.norm=batch system.norm_place=pre optim.batch=100 "
    "optim.lr=0.004 optim.decay=0 optim.epochs=200 model.dropout=0.1",
    kCode, "s4-lra-pathfinder.yaml, which classifies by the last step"};
constexpr RecipeLine kReleasePathX{
    "model.d=256 model.layers=6 system.norm=batch system.norm_place=pre system.step_min=0.0001 "
    "optim.batch=16 optim.lr=0.0005 optim.decay=0 optim.epochs=50 model.dropout=0",
    kOurs, "not read for this version: the sizes, rate and epochs of the next release"};

constexpr std::array kFirstListOps = {kReleaseCourse, kPlateau, kFirstLayer, kReleaseListOps};
constexpr std::array kFirstText = {kReleaseCourse, kPlateau, kFirstLayer, kReleaseText};
constexpr std::array kFirstRetrieval = {kReleaseCourse, kPlateau, kFirstLayer, kReleaseRetrieval};
constexpr std::array kFirstImage = {kReleaseCourse, kPlateau, kFirstLayer, kReleaseImage};
constexpr std::array kFirstPathfinder = {kReleaseCourse, kPlateau, kFirstLayer, kReleasePathfinder};
constexpr std::array kFirstPathX = {kReleaseCourse, kPlateau, kFirstLayer, kReleasePathX};

constexpr std::array kDssListOps = {kReleaseCourse, kPlateau, kDss, kDssSides, kReleaseListOps};
constexpr std::array kDssText = {kReleaseCourse, kPlateau, kDss, kDssSides, kReleaseText};
constexpr std::array kDssRetrieval = {kReleaseCourse, kPlateau, kDss, kDssSides, kReleaseRetrieval};
constexpr std::array kDssImage = {
    kReleaseCourse, kPlateau,      kDss,
    kDssSides,      kReleaseImage, RecipeLine{"optim.epochs=200", kCode, "README.md"}};
constexpr std::array kDssPathfinder = {kReleaseCourse, kPlateau, kDss, kDssSides,
                                       kReleasePathfinder};
constexpr std::array kDssPathX = {kReleaseCourse,
                                  kPlateau,
                                  kDss,
                                  kDssSides,
                                  kReleasePathX,
                                  RecipeLine{"system.step_max=0.01 optim.gate_lr=0.0001", kCode,
                                             "README.md: this rate for the step alone"}};

}  // namespace

std::span<const PaperRecipe> s4_first_recipes() {
  static constexpr std::array kRows = {
      PaperRecipe{"s4-v1", "lra-listops", "s4", "s4", kFirstListOps},
      PaperRecipe{"s4-v1", "lra-text", "s4", "s4", kFirstText},
      PaperRecipe{"s4-v1", "lra-retrieval", "s4", "s4", kFirstRetrieval},
      PaperRecipe{"s4-v1", "lra-image", "s4", "s4", kFirstImage},
      PaperRecipe{"s4-v1", "lra-pathfinder", "s4", "s4", kFirstPathfinder},
      PaperRecipe{"s4-v1", "lra-pathx", "s4", "s4", kFirstPathX},
      PaperRecipe{"dss", "lra-listops", "dss", "dss", kDssListOps},
      PaperRecipe{"dss", "lra-text", "dss", "dss", kDssText},
      PaperRecipe{"dss", "lra-retrieval", "dss", "dss", kDssRetrieval},
      PaperRecipe{"dss", "lra-image", "dss", "dss", kDssImage},
      PaperRecipe{"dss", "lra-pathfinder", "dss", "dss", kDssPathfinder},
      PaperRecipe{"dss", "lra-pathx", "dss", "dss", kDssPathX},
  };
  return kRows;
}

}  // namespace runner
