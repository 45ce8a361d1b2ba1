// S4++ (under review in 2023; no public code). It gives the course of WikiText-103 and the sizes of
// its toys; its appendix A.3, with the other sizes, is not public.
#include "runner/config/recipes/recipe.h"

namespace runner {
namespace {

using enum SaidBy;

constexpr std::array kS4ppWikiText103 = {
    RecipeLine{"optim.steps=50000 optim.lr=5e-4 task.length=512 optim.decay=0.1", kPaper,
               "section 4.1; 0.2 for TNN"},
    RecipeLine{"optim.batch=128 optim.warmup=4000 optim.schedule=inverse-sqrt optim.name=adamw "
               "optim.beta1=0.9 optim.beta2=0.98 optim.eps=1e-8 optim.clip=1 model.dropout=0.1 "
               "model.embedding_dropout=0.1 model.d=512",
               kCode, "of TNN, whose setting the paper follows"},
    RecipeLine{"model.skeleton=source", kOurs, "each as its own authors connect it"},
};

// Sizes that the printed parameter counts leave open are MEGA's, since the models are alike.
constexpr RecipeLine kLra{"model.skeleton=source system.bidirectional=true model.head=gelu", kOurs,
                          "section 4.3 says only 'similar parameters and settings'"};
constexpr RecipeLine kBothSides{"system.causal=false", kOurs,
                                "a label is of the whole sequence; of attention, all of it",
                                "s4++"};
constexpr std::array kS4ppListOps = {
    kLra, kBothSides,
    RecipeLine{"model.d=80 model.layers=6 model.head_width=160", kOurs, "as MEGA"},
    RecipeLine{"system.positions=2000", kOurs, "the longest sequence", "s4++"}};
constexpr std::array kS4ppText = {
    kLra, kBothSides,
    RecipeLine{"model.d=128 model.layers=4 model.head_width=256", kOurs, "as MEGA"},
    RecipeLine{"system.positions=4000", kOurs, "the longest sequence", "s4++"}};
constexpr std::array kS4ppRetrieval = {
    kLra, kBothSides,
    RecipeLine{"model.d=128 model.layers=6 model.head_width=256", kOurs, "as MEGA"},
    RecipeLine{"system.positions=4000", kOurs, "the longest sequence", "s4++"}};
constexpr std::array kS4ppImage = {
    kLra, kBothSides,
    RecipeLine{"model.d=160 model.layers=8 model.head_width=320", kOurs, "as MEGA"},
    RecipeLine{"system.positions=1024", kOurs, "the longest sequence", "s4++"}};
constexpr std::array kS4ppPathfinder = {
    kLra, kBothSides,
    RecipeLine{"model.d=128 model.layers=6 model.head_width=256", kOurs, "as MEGA"},
    RecipeLine{"system.positions=1024", kOurs, "the longest sequence", "s4++"}};

constexpr RecipeLine kToyModel{"model.d=32 model.skeleton=source model.dropout=0 optim.lr=3e-3",
                               kOurs, "the paper gives no width and no rate"};
constexpr std::array kSine = {
    kToyModel, RecipeLine{"model.layers=1 optim.steps=0 optim.epochs=2000", kPaper,
                          "section 2.3: one layer (and five), 2000 epochs, 100 points"}};
constexpr std::array kPlant = {
    kToyModel,
    RecipeLine{"model.layers=1 optim.steps=0 optim.epochs=100", kOurs, "the paper gives neither"}};
constexpr std::array kPythagorean = {
    kToyModel, RecipeLine{"model.layers=1 optim.steps=0 optim.epochs=100", kPaper,
                          "section 3.2: one layer, 100 epochs, 200 samples in 8 : 2"}};

}  // namespace

std::span<const PaperRecipe> s4pp_recipes() {
  static constexpr std::array kRows = {
      PaperRecipe{"s4++", "wikitext-103", "s4++", "*", kS4ppWikiText103},
      PaperRecipe{"s4++", "lra-listops", "s4++", "*", kS4ppListOps},
      PaperRecipe{"s4++", "lra-text", "s4++", "*", kS4ppText},
      PaperRecipe{"s4++", "lra-retrieval", "s4++", "*", kS4ppRetrieval},
      PaperRecipe{"s4++", "lra-image", "s4++", "*", kS4ppImage},
      PaperRecipe{"s4++", "lra-pathfinder", "s4++", "*", kS4ppPathfinder},
      PaperRecipe{"s4++", "nss", "s4+", "s4*", kSine},
      PaperRecipe{"s4++", "etc", "s4+", "s4*", kPlant},
      PaperRecipe{"s4++", "pythagorean", "s4+", "s4*", kPythagorean},
  };
  return kRows;
}

}  // namespace runner
