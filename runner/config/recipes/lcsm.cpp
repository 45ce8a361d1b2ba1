// The LCSM paper (arXiv 2405.17383; Doraemonzzz/Lcsm, OpenNLPLab/Zoology), whose models are codes.
// Section 2.4 starts gates that see no data as ALiBi. Its code draws those that it learns, as ours
// do; fixed ones (@o=fixed) have the slopes of ALiBi.
#include "runner/config/recipes/recipe.h"

namespace runner {
namespace {

using enum SaidBy;

constexpr std::array kLcsmWikiText103 = {
    RecipeLine{"task.tokens=gpt2 task.length=512 optim.batch=128 optim.steps=50000 "
               "optim.warmup=4000 optim.lr=5e-4 optim.schedule=inverse-sqrt optim.beta1=0.9 "
               "optim.beta2=0.98 optim.eps=1e-8 optim.decay=0.1 optim.clip=0",
               kPaper, "table 8"},
    RecipeLine{"optim.name=adamw", kCode, "table 8 says Adam: fairseq's, which decays as AdamW"},
    RecipeLine{"optim.lr_first=1e-7 model.dropout=0.1 model.embedding_dropout=0.1", kCode,
               "scripts of TNN and HGRN, by the same authors; not in the paper"},
    RecipeLine{"model.d=512 model.k=128 model.layers=10 model.skeleton=wikitext model.scheme=A",
               kOurs, "by the printed parameter counts; some codes have 9 or 11 layers"},
    RecipeLine{"model.glu=identity", kOurs, "not in the paper; HGRN leaves it at this, TNN's silu"},
};

constexpr std::array kLcsmMqar = {
    RecipeLine{"model.k=128", kPaper, "section 3"},
    RecipeLine{"optim.lr=1e-3", kOurs,
               "section 3 has the best of seven rates, 1e-5 to 1e-2: sweep figure3"},
    RecipeLine{"model.layers=2 task.length=64 task.pairs=4 model.skeleton=zoology", kCode,
               "OpenNLPLab/Zoology, experiments/lcsm: a pair for each 16 steps"},
    RecipeLine{"optim.epochs=64 optim.batch=512 optim.schedule=cosine-epochs optim.warmup=0 "
               "optim.decay=0.1 task.vocab=8192 task.train=100000 task.test=3000 "
               "model.embedding_dropout=0.1",
               kCode, "Zoology's figure 2"},
    RecipeLine{"task.valid=3000", kOurs, "Zoology tests on what it validates on"},
    RecipeLine{"optim.precision=fp32", kOurs, "as Zoology; OpenNLPLab's copy trains in bfloat16"},
};

}  // namespace

std::span<const PaperRecipe> lcsm_recipes() {
  static constexpr std::array kRows = {
      PaperRecipe{"lcsm", "wikitext-103", "1-1-1-0", "", kLcsmWikiText103},
      PaperRecipe{"lcsm", "mqar", "1-1-1-0", "", kLcsmMqar},
  };
  return kRows;
}

}  // namespace runner
