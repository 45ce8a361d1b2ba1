// ETSMLP on language understanding (table 2). Its code is RoBERTa's of fairseq with another
// encoder, on data prepared by fairseq's README.glue.md, "which you should follow". Where fairseq
// reads the first token, this code has the mean: sen_rep_type=mp in each architecture of a task.
#include "runner/config/recipes/recipe.h"

namespace runner {
namespace {

using enum SaidBy;

constexpr RecipeLine kSees{"system.bidirectional=true system.max_lambda=0.9999", kPaper,
                           "appendix B: 'we use bidirectional models for all datasets'"};
constexpr RecipeLine kDecays{"system.r_min=0.1 system.r_max=0.9 system.max_phase=6.28", kCode,
                             "architectures/NLU_model.py"};
constexpr RecipeLine kNluSizes{
    "model.d=512 system.hidden=512 system.norm=layer optim.lr=1e-5 "
    "optim.decay=0.1 model.dropout=0.1 model.embedding_dropout=0.1",
    kPaper, "table 5; the README's command has lr 0.01 and decay 0.01"};
constexpr RecipeLine kNluCourse{
    "optim.schedule=linear optim.lr_first=1e-7 optim.beta1=0.9 optim.beta2=0.98", kPaper,
    "appendix B: from 1e-7 over the first 10 %, then a linear annealing"};
constexpr RecipeLine kNluRoberta{
    "task.tokens=gpt2 task.length=512 model.skeleton=source model.head=tanh optim.steps=0 "
    "optim.epochs=10 optim.name=adamw optim.eps=1e-6 optim.clip=0 optim.decay_on=all "
    "eval.epochs=1 eval.steps=0 eval.best=accuracy",
    kCode,
    "README.md: max-positions 512, max-epoch 10, clip-norm 0, adam-eps 1e-06; tanh in "
    "NLU_model.py"};
// The paper says only "of a fairly similar size".
constexpr RecipeLine kNluTransformer{"system.heads=8 system.feed_size=512", kOurs,
                                     "the paper gives no size of its encoder", "transformer"};

constexpr RecipeLine depth(std::string_view settings, std::string_view where = "table 5") {
  return {settings, kPaper, where};
}
// Steps of the first tenth of ten epochs.
constexpr RecipeLine batch_of(std::string_view settings) {
  return {
      settings, kOurs,
      "README.glue.md of fairseq has 32, or 16; the README's command 16 840 tokens; the warm-up "
      "is the paper's tenth of these steps"};
}

// Settings of all tasks, then of each task.
template <std::size_t n>
constexpr std::array<RecipeLine, 6 + n> nlu(const RecipeLine (&own)[n]) {
  std::array<RecipeLine, 6 + n> lines = {kSees,      kDecays,     kNluSizes,
                                         kNluCourse, kNluRoberta, kNluTransformer};
  for (std::size_t i = 0; i < n; ++i) lines[6 + i] = own[i];
  return lines;
}

constexpr auto kCola = nlu({depth("model.layers=3"), batch_of("optim.batch=16 optim.warmup=535")}),
               kSst2 =
                   nlu({depth("model.layers=12"), batch_of("optim.batch=32 optim.warmup=2105")}),
               kQqp = nlu({depth("model.layers=6"), batch_of("optim.batch=32 optim.warmup=11371")}),
               kMrpc = nlu({depth("model.layers=6"), batch_of("optim.batch=16 optim.warmup=230")}),
               kMnli = nlu({depth("model.layers=6", "table 5; smlp_mlm_complex_mnli has 12"),
                            batch_of("optim.batch=32 optim.warmup=12272")}),
               kQnli = nlu({depth("model.layers=6"), batch_of("optim.batch=32 optim.warmup=3274")});
constexpr auto kImdb = nlu({depth("model.layers=4 model.dropout=0.3 model.embedding_dropout=0.3"),
                            batch_of("optim.batch=32 optim.warmup=704"),
                            RecipeLine{"system.max_phase=3.14", kCode, "smlp_mlm_complex_imdb"}});
constexpr auto kParaphrase = nlu({RecipeLine{
    "task.tokens=words task.length=64 model.d=64 model.layers=2 system.hidden=64 "
    "model.dropout=0 model.embedding_dropout=0 optim.lr=3e-3 optim.decay=0.01 optim.batch=64 "
    "optim.epochs=20 optim.warmup=200",
    kOurs, "a small stand-in for pairs of sentences, which is no task of the paper"}});

}  // namespace

std::span<const PaperRecipe> etsmlp_nlu_recipes() {
  static constexpr std::array kRows = {
      PaperRecipe{"etsmlp", "glue-cola", "etsmlp", "*", kCola},
      PaperRecipe{"etsmlp", "glue-sst2", "etsmlp", "*", kSst2},
      PaperRecipe{"etsmlp", "imdb", "etsmlp", "*", kImdb},
      PaperRecipe{"etsmlp", "glue-qqp", "etsmlp", "*", kQqp},
      PaperRecipe{"etsmlp", "glue-mrpc", "etsmlp", "*", kMrpc},
      PaperRecipe{"etsmlp", "glue-mnli", "etsmlp", "*", kMnli},
      PaperRecipe{"etsmlp", "glue-qnli", "etsmlp", "*", kQnli},
      PaperRecipe{"etsmlp", "paraphrase", "etsmlp", "*", kParaphrase},
  };
  return kRows;
}

}  // namespace runner
