// S4++ on GLUE (table 3): "we chose Roberta as the underlying model architecture", pretrained on
// WikiText-103, then fine-tuned as fairseq's README.glue.md says, which it names.
#include "runner/config/recipes/recipe.h"

namespace runner {
namespace {

using enum SaidBy;

constexpr RecipeLine kTuning{"optim.epochs=10 optim.steps=0 optim.lr=2e-5 optim.decay=0.1", kPaper,
                             "section 4.2; decay 0.2 for TNN"};
constexpr RecipeLine kGlueRoberta{
    "task.tokens=gpt2 task.length=512 model.d=768 model.head=tanh model.dropout=0.1 "
    "model.embedding_dropout=0.1 optim.name=adamw optim.schedule=linear optim.lr_first=0 "
    "optim.beta1=0.9 optim.beta2=0.98 optim.eps=1e-6 optim.clip=0 optim.decay_on=all "
    "eval.epochs=1 eval.steps=0",
    kCode, "of RoBERTa in fairseq: README.glue.md and roberta_base, with the mean for its <s>"};
constexpr RecipeLine kGlueSides{
    "model.skeleton=source system.bidirectional=true system.causal=false", kOurs,
    "each as its own authors connect it"};
constexpr RecipeLine kGlueHeads{"system.heads=12 system.feed_size=3072", kCode, "roberta_base",
                                "transformer"};

constexpr RecipeLine fairseq(std::string_view settings) {
  return {settings, kCode, "the table of README.glue.md: batch, warm-up, metric"};
}
template <std::size_t n>
constexpr std::array<RecipeLine, 4 + n> tuned(const RecipeLine (&own)[n]) {
  std::array<RecipeLine, 4 + n> lines = {kTuning, kGlueRoberta, kGlueSides, kGlueHeads};
  for (std::size_t i = 0; i < n; ++i) lines[4 + i] = own[i];
  return lines;
}

constexpr auto kTunedMnli = tuned({fairseq("optim.batch=32 optim.warmup=7432 eval.best=accuracy")}),
               kTunedQnli = tuned({fairseq("optim.batch=32 optim.warmup=1986 eval.best=accuracy")}),
               kTunedQqp = tuned({fairseq("optim.batch=32 optim.warmup=28318 eval.best=accuracy")}),
               kTunedSst2 = tuned({fairseq("optim.batch=32 optim.warmup=1256 eval.best=accuracy")}),
               kTunedMrpc = tuned({fairseq("optim.batch=16 optim.warmup=137 eval.best=accuracy")}),
               kTunedCola = tuned({fairseq("optim.batch=16 optim.warmup=320 eval.best=accuracy")});
constexpr auto kTunedRte =
    tuned({fairseq("optim.batch=16 optim.warmup=122 eval.best=accuracy"),
           RecipeLine{"optim.lr=1e-5", kPaper, "section 4.2: the exception"}});

// Its batches, its schedule and its masks are not in the paper.
constexpr std::array kMasked = {
    RecipeLine{"optim.steps=50000 optim.lr=5e-4 optim.decay=0.1", kPaper,
               "section 4.2; decay 0.2 for TNN"},
    kGlueRoberta,
    kGlueSides,
    kGlueHeads,
    RecipeLine{"task.masked=0.15", kCode, "of RoBERTa: 15 %, of which 80 % become <mask>"},
    RecipeLine{"optim.batch=128 optim.accumulate=4 optim.warmup=4000 optim.schedule=inverse-sqrt "
               "optim.eps=1e-8 eval.epochs=0 eval.steps=1000",
               kOurs, "as table 2"}};
constexpr auto kTunedParaphrase = tuned({RecipeLine{
    "task.tokens=words task.length=64 model.d=64 model.layers=2 system.heads=4 "
    "system.feed_size=128 model.dropout=0 model.embedding_dropout=0 optim.lr=3e-3 "
    "optim.decay=0.01 optim.decay_on=matrices optim.batch=64 optim.epochs=20 optim.warmup=200 "
    "eval.best=accuracy",
    kOurs, "a small stand-in for pairs of sentences, which is no task of the paper"}});

}  // namespace

std::span<const PaperRecipe> s4pp_glue_recipes() {
  static constexpr std::array kRows = {
      PaperRecipe{"s4++", "glue-mnli", "s4++", "*", kTunedMnli},
      PaperRecipe{"s4++", "glue-qnli", "s4++", "*", kTunedQnli},
      PaperRecipe{"s4++", "glue-qqp", "s4++", "*", kTunedQqp},
      PaperRecipe{"s4++", "glue-sst2", "s4++", "*", kTunedSst2},
      PaperRecipe{"s4++", "glue-mrpc", "s4++", "*", kTunedMrpc},
      PaperRecipe{"s4++", "glue-cola", "s4++", "*", kTunedCola},
      PaperRecipe{"s4++", "glue-rte", "s4++", "*", kTunedRte},
      PaperRecipe{"s4++", "paraphrase", "s4++", "*", kTunedParaphrase},
      PaperRecipe{"s4++-masked", "wikitext-103", "s4++", "*", kMasked},
  };
  return kRows;
}

}  // namespace runner
