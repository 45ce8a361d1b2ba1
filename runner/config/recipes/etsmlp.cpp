// ETSMLP (arXiv 2403.17445; PKUAI-LINGroup/ETSMLP) on Long Range Arena. Batches and updates are
// MEGA's: "we follow the general optimization approach used by Mega" (appendix B).
#include "runner/config/recipes/recipe.h"

namespace runner {
namespace {

using enum SaidBy;

constexpr RecipeLine kSmoothing{"system.bidirectional=true system.max_lambda=0.9999", kPaper,
                                "appendix B"};
constexpr RecipeLine kCourse{
    "optim.schedule=linear optim.lr_first=1e-7 optim.beta1=0.9 optim.beta2=0.98", kPaper,
    "appendix B"};
constexpr RecipeLine kEtsmlpAuthors{
    "model.skeleton=source optim.name=adamw optim.eps=1e-8 optim.clip=1 optim.decay_on=all "
    "eval.epochs=1 eval.steps=0 eval.best=accuracy model.head=linear",
    kCode, "architectures/LRA_model.py and fairseq: one group of tensors, which all decay"};

constexpr std::array kEtsmlpListOps = {
    kSmoothing,
    kCourse,
    kEtsmlpAuthors,
    RecipeLine{"model.d=160 model.layers=12 system.norm=layer optim.lr=0.01 optim.decay=0.01 "
               "model.dropout=0 model.embedding_dropout=0",
               kPaper, "table 5"},
    RecipeLine{
        "system.r_min=0.1 system.r_max=0.9", kPaper,
        "table 4, whose best is table 1's number; the README's command starts in 0.6 to 0.9"},
    RecipeLine{"system.max_phase=3.14", kCode, "smlp_listop_complex_test1; the README's has 6.28"},
    RecipeLine{"optim.batch=64 optim.steps=90000", kCode, "README.md"},
    RecipeLine{"optim.warmup=9000", kPaper,
               "appendix B: the first 10 %; the README warms for 3000"},
};

constexpr std::array kEtsmlpText = {
    kSmoothing,
    kCourse,
    kEtsmlpAuthors,
    RecipeLine{"model.d=160 model.layers=4 system.norm=layer optim.lr=0.005 optim.decay=0.01 "
               "model.dropout=0.1 model.embedding_dropout=0.1",
               kPaper, "table 5; the code also has 6 and 12 layers"},
    RecipeLine{"system.r_min=0.9 system.r_max=0.999 system.max_phase=0.314", kCode,
               "the architecture of 4 layers; of 6: 0.1 to 0.9, 3.14"},
    RecipeLine{"optim.batch=50 optim.steps=25000", kPaper, "appendix B: as MEGA"},
    RecipeLine{"optim.warmup=2500", kPaper, "appendix B: the first 10 %"},
};

constexpr std::array kEtsmlpRetrieval = {
    kSmoothing,
    kCourse,
    kEtsmlpAuthors,
    RecipeLine{"model.d=160 model.layers=6 system.norm=layer optim.lr=0.005 optim.decay=0.01 "
               "model.dropout=0.1 model.embedding_dropout=0.1",
               kPaper, "table 5"},
    RecipeLine{"system.r_min=0.1 system.r_max=0.9 system.max_phase=3.14", kCode,
               "the base architecture"},
    RecipeLine{"system.r_min=0.9 system.r_max=0.99 system.max_phase=0.314", kCode,
               "the architecture with a gate", "etsmlp-gate"},
    RecipeLine{"model.head=gelu model.head_width=160 model.pair=concat", kCode,
               "classifier_layers=1"},
    RecipeLine{"optim.batch=64 optim.steps=91960", kPaper, "appendix B: as MEGA"},
    RecipeLine{"optim.warmup=9196", kPaper, "appendix B: the first 10 %"},
};

constexpr std::array kEtsmlpImage = {
    kSmoothing,
    kCourse,
    kEtsmlpAuthors,
    RecipeLine{"model.d=160 model.layers=12 system.hidden=320 system.norm=batch optim.lr=0.01 "
               "optim.decay=0.01 model.dropout=0 model.embedding_dropout=0",
               kPaper, "table 5"},
    RecipeLine{"system.r_min=0.6 system.r_max=0.9 system.max_phase=3.14", kCode,
               "the architecture of these sizes"},
    RecipeLine{"task.mean=0.48 task.deviation=0.24", kCode, "as MEGA"},
    RecipeLine{"optim.batch=50 optim.steps=180000", kPaper, "appendix B: as MEGA"},
    RecipeLine{"optim.warmup=18000", kPaper, "appendix B: the first 10 %"},
};

constexpr std::array kEtsmlpPathfinder = {
    kSmoothing,
    kCourse,
    kEtsmlpAuthors,
    RecipeLine{"model.d=128 model.layers=6 system.hidden=256 system.norm=batch optim.lr=0.01 "
               "optim.decay=0.01 model.dropout=0 model.embedding_dropout=0",
               kPaper, "table 5"},
    RecipeLine{"system.r_min=0.9 system.r_max=0.9999 system.max_phase=0.314", kCode,
               "every architecture of Pathfinder"},
    RecipeLine{"task.mean=0.5 task.deviation=0.5", kCode, "as MEGA"},
    RecipeLine{"optim.batch=128 optim.steps=250000", kPaper, "appendix B: as MEGA"},
    RecipeLine{"optim.warmup=25000", kPaper, "appendix B: the first 10 %"},
};

constexpr std::array kEtsmlpPathX = {
    kSmoothing,
    kCourse,
    kEtsmlpAuthors,
    RecipeLine{"model.d=128 model.layers=6 system.hidden=256 system.norm=batch optim.lr=0.05 "
               "optim.decay=0.01 model.dropout=0 model.embedding_dropout=0",
               kPaper, "table 5"},
    RecipeLine{"system.balance=true", kPaper,
               "appendix B: extra normalization like LRU; one of the code's architectures has it, "
               "and a decay slower by 0.06"},
    RecipeLine{"system.r_min=0.99 system.r_max=0.9999 system.max_phase=0.314", kCode,
               "the base architecture and that with a gate"},
    RecipeLine{"task.mean=0.5 task.deviation=0.5", kCode, "as MEGA"},
    RecipeLine{"optim.batch=128 optim.steps=125000", kPaper, "appendix B: as MEGA"},
    RecipeLine{"optim.warmup=12500", kPaper, "appendix B: the first 10 %"},
};

}  // namespace

std::span<const PaperRecipe> etsmlp_recipes() {
  static constexpr std::array kRows = {
      PaperRecipe{"etsmlp", "lra-listops", "etsmlp", "etsmlp*", kEtsmlpListOps},
      PaperRecipe{"etsmlp", "lra-text", "etsmlp", "etsmlp*", kEtsmlpText},
      PaperRecipe{"etsmlp", "lra-retrieval", "etsmlp", "etsmlp*", kEtsmlpRetrieval},
      PaperRecipe{"etsmlp", "lra-image", "etsmlp", "etsmlp*", kEtsmlpImage},
      PaperRecipe{"etsmlp", "lra-pathfinder", "etsmlp", "etsmlp*", kEtsmlpPathfinder},
      PaperRecipe{"etsmlp", "lra-pathx", "etsmlp", "etsmlp*", kEtsmlpPathX},
  };
  return kRows;
}

}  // namespace runner
