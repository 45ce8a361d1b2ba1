// Transformer-XL (arXiv 1901.02860; kimiyoung/transformer-xl): WikiText-103 and enwik8. The paper
// gives no hyperparameters; its authors' scripts do.
#include "runner/config/recipes/recipe.h"

namespace runner {
namespace {

using enum SaidBy;

constexpr RecipeLine kXlCourse{
    "model.skeleton=source task.order=consecutive optim.name=adam optim.beta1=0.9 "
    "optim.beta2=0.999 optim.eps=1e-8 optim.decay=0 optim.clip=0.25 optim.schedule=cosine "
    "optim.lr=0.00025 optim.lr_first=0 eval.batch=10",
    kCode, "pytorch/train.py"};

constexpr std::array kXlWikiText103 = {
    kXlCourse,
    RecipeLine{"model.d=1024 model.layers=18 system.heads=16 system.feed_size=4096 "
               "model.dropout=0.2 model.embedding_dropout=0.2 system.attention_dropout=0.2 "
               "task.length=384 system.memory=384 optim.batch=128 optim.warmup=16000 "
               "optim.steps=4000000 model.softmax=adaptive model.narrowing=4",
               kCode,
               "pytorch/run_wt103_large.sh; its 284 M parameters are printed as 257 M; it "
               "evaluates with a memory of 1600, distances from 1000 on taken as 1000"},
    RecipeLine{"task.tokens=ranked-words task.format=tokens model.cutoffs=20000,40000,200000",
               kCode, "pytorch/data_utils.py, train.py"},
};

constexpr std::array kXlEnwik8 = {
    kXlCourse,
    RecipeLine{"model.d=512 model.layers=12 system.heads=8 system.feed_size=2048 "
               "model.dropout=0.1 model.embedding_dropout=0.1 system.attention_dropout=0 "
               "task.length=512 system.memory=512 optim.batch=22 optim.warmup=0 optim.steps=400000",
               kCode,
               "pytorch/run_enwik8_base.sh; it evaluates with a memory of 2100, distances from 820 "
               "on taken as 820"},
};

}  // namespace

std::span<const PaperRecipe> transformer_xl_recipes() {
  static constexpr std::array kRows = {
      PaperRecipe{"transformer-xl", "wikitext-103", "transformer-xl", "transformer-xl",
                  kXlWikiText103},
      PaperRecipe{"transformer-xl", "enwik8", "transformer-xl", "transformer-xl", kXlEnwik8},
  };
  return kRows;
}

}  // namespace runner
