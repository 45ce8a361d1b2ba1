// MEGA (arXiv 2209.10655; facebookresearch/mega): Long Range Arena, Speech Commands, WikiText-103,
// enwik8.
#include "runner/config/recipes/recipe.h"

namespace runner {
namespace {

using enum SaidBy;

constexpr RecipeLine kAverages{"system.modes=16 system.bidirectional=true system.causal=false",
                               kPaper, "table 8; both directions, as all encoders"};
constexpr RecipeLine kMegaAuthors{
    "model.skeleton=source optim.name=adamw optim.beta1=0.9 optim.beta2=0.98 optim.eps=1e-8 "
    "optim.clip=1 optim.decay_on=all optim.schedule=linear optim.lr_first=1e-7 eval.epochs=1 "
    "eval.steps=0 eval.best=accuracy model.head=gelu",
    kCode, "examples/mega/README.lra.md"};
constexpr RecipeLine kShort{"system.truncation=1024", kCode, "models/lra/model.py"};
constexpr RecipeLine kChunk{"system.chunk=128", kPaper, "section 4.1", "mega-chunk"};

constexpr std::array kMegaListOps = {
    kAverages,
    kMegaAuthors,
    kShort,
    kChunk,
    RecipeLine{"model.d=80 model.layers=6 system.z=64 system.v=160 system.feed_hidden=160 "
               "system.attention=softmax system.norm=layer system.norm_place=post optim.batch=64 "
               "optim.lr=0.001 model.dropout=0.1 model.embedding_dropout=0.1 optim.decay=0.01",
               kPaper, "table 8: 60 epochs"},
    RecipeLine{"optim.steps=90000 optim.warmup=3000 model.head_width=160", kCode, "README.lra.md"},
    RecipeLine{"system.positions=2002", kCode, "README.lra.md", "mega"},
};

constexpr std::array kMegaText = {
    kAverages,
    kMegaAuthors,
    kShort,
    kChunk,
    RecipeLine{"model.d=128 model.layers=4 system.z=64 system.v=256 system.feed_hidden=256 "
               "system.attention=softmax system.norm=scale system.norm_place=post optim.batch=50 "
               "optim.lr=0.004 model.dropout=0.1 model.embedding_dropout=0.1 optim.decay=0.01",
               kPaper, "table 8: 50 epochs"},
    RecipeLine{"optim.steps=25000 optim.warmup=10000 model.head_width=256", kCode, "README.lra.md"},
    RecipeLine{"system.positions=4002", kCode, "README.lra.md", "mega"},
};

constexpr std::array kMegaRetrieval = {
    kAverages,
    kMegaAuthors,
    kShort,
    kChunk,
    RecipeLine{"model.d=128 model.layers=6 system.z=64 system.v=256 system.feed_hidden=256 "
               "system.attention=softmax system.norm=scale system.norm_place=post optim.batch=64 "
               "optim.lr=0.003 model.dropout=0.1 model.embedding_dropout=0.1 optim.decay=0.04",
               kPaper, "table 8: 40 epochs"},
    RecipeLine{"optim.steps=91960 optim.warmup=10000 model.head_width=256 model.pair=concat", kCode,
               "README.lra.md"},
    RecipeLine{"system.positions=4002", kCode, "README.lra.md", "mega"},
};

constexpr std::array kMegaImage = {
    kAverages,
    kMegaAuthors,
    kShort,
    kChunk,
    RecipeLine{"model.d=160 model.layers=8 system.z=96 system.v=320 system.feed_hidden=320 "
               "system.attention=laplace system.norm=batch system.norm_place=pre optim.batch=50 "
               "optim.lr=0.01 model.dropout=0 model.embedding_dropout=0 optim.decay=0.02",
               kPaper, "table 8: 200 epochs"},
    RecipeLine{"optim.steps=180000 optim.warmup=9000 model.head_width=320 task.mean=0.48 "
               "task.deviation=0.24",
               kCode, "README.lra.md"},
    RecipeLine{"system.positions=1024", kCode, "README.lra.md", "mega"},
};

constexpr std::array kMegaPathfinder = {
    kAverages,
    kMegaAuthors,
    kShort,
    kChunk,
    RecipeLine{"model.d=128 model.layers=6 system.z=64 system.v=256 system.feed_hidden=256 "
               "system.attention=laplace system.norm=batch system.norm_place=pre optim.batch=128 "
               "optim.lr=0.01 model.dropout=0 model.embedding_dropout=0 optim.decay=0.01",
               kPaper, "table 8: 200 epochs"},
    RecipeLine{"optim.steps=250000 optim.warmup=50000 model.head_width=256 task.mean=0.5 "
               "task.deviation=0.5",
               kCode, "README.lra.md"},
    RecipeLine{"system.positions=1024", kCode, "README.lra.md", "mega"},
};

constexpr std::array kMegaPathX = {
    kAverages,
    kMegaAuthors,
    RecipeLine{"system.truncation=4096", kCode, "models/lra/model.py"},
    RecipeLine{"system.chunk=4096", kPaper, "section 4.1", "mega-chunk"},
    RecipeLine{"model.d=64 model.layers=4 system.z=32 system.v=128 system.feed_hidden=128 "
               "system.attention=laplace system.norm=batch system.norm_place=pre optim.batch=128 "
               "optim.lr=0.01 model.dropout=0 model.embedding_dropout=0 optim.decay=0.01",
               kPaper, "table 8: 100 epochs"},
    RecipeLine{"optim.steps=125000 optim.warmup=25000 model.head_width=128 task.mean=0.5 "
               "task.deviation=0.5",
               kCode, "README.lra.md; its warm-up is quadratic, this one linear"},
    RecipeLine{"system.positions=16384", kCode, "README.lra.md", "mega"},
};

constexpr RecipeLine kRaw{
    "system.attention=laplace system.norm=batch system.norm_place=pre model.layers=6 "
    "model.dropout=0 model.embedding_dropout=0 optim.batch=20 optim.lr=0.01 optim.decay=0.01",
    kPaper, "table 8: SC-Raw (base), 200 epochs; the code's 250000 steps are 204 of them"};

constexpr std::array kMegaSpeech = {
    kAverages,
    kMegaAuthors,
    kRaw,
    RecipeLine{"model.d=60 system.z=30 system.v=120 system.feed_hidden=120", kPaper,
               "table 8: SC-Raw (base); big: 72, 36, 144, 144, lr 0.008"},
    RecipeLine{"system.chunk=1000", kPaper, "section 4.2", "mega-chunk"},
    RecipeLine{"system.truncation=1000 model.head_width=120", kCode,
               "models/speech_commands/model.py"},
    RecipeLine{"optim.steps=250000 optim.warmup=10000", kCode, "README.sc.md"},
};

// For a generated task with fewer samples.
constexpr std::array kMegaSounds = {
    kAverages,
    kMegaAuthors,
    kRaw,
    RecipeLine{"model.d=32 system.z=16 system.v=64 system.feed_hidden=64 system.chunk=128 "
               "model.layers=2 model.head_width=64 optim.steps=20000 optim.warmup=800",
               kOurs, "the ratios of table 8; a sixteenth of the samples"},
};

constexpr std::array kMegaWikiText103 = {
    RecipeLine{"system.modes=16 system.z=256 "
               "system.attention=softmax system.bias=rotary model.d=1024 model.layers=16 "
               "optim.name=adamw optim.lr=0.005 optim.beta1=0.9 optim.beta2=0.98 "
               "optim.schedule=linear optim.decay=0.1 optim.warmup=24000 "
               "optim.steps=400000 model.dropout=0.3 model.embedding_dropout=0.3 "
               "system.attention_dropout=0.1 system.hidden_dropout=0.1 "
               "system.feed_hidden_dropout=0.1",
               kPaper, "table 9"},
    RecipeLine{"system.v=2048 system.feed_hidden=2048 optim.clip=0.25", kCode,
               "README.lm.md, and the printed 252 M parameters; table 9 has 1536 and 1"},
    RecipeLine{"system.chunk=1024", kPaper, "table 9", "mega-chunk"},
    RecipeLine{"task.tokens=ranked-words task.format=tokens model.softmax=adaptive", kPaper,
               "section 4.3: 260 000 words; adaptive softmax and embedding"},
    RecipeLine{"model.cutoffs=20000,60000 model.narrowing=4", kCode,
               "models/mega_lm.py; it also drops 0.2 of the projections"},
    RecipeLine{"task.length=6144 task.segments=2-6", kPaper,
               "appendix D.4: segments of 2 to 6 chunks"},
    RecipeLine{"optim.batch=36", kOurs,
               "36 segments of 4096 tokens on average: the 6144 x 24 tokens a step of table 9"},
    RecipeLine{"model.skeleton=source", kCode, "models/mega_lm.py"},
};

constexpr std::array kMegaEnwik8 = {
    RecipeLine{"system.modes=16 system.z=128 system.v=1024 system.feed_hidden=1024 "
               "system.attention=softmax system.bias=rotary model.d=512 model.layers=12 "
               "optim.name=adamw optim.lr=0.005 optim.beta1=0.9 optim.beta2=0.98 "
               "optim.schedule=linear optim.decay=0.1 optim.warmup=24000 "
               "optim.steps=400000 model.dropout=0.1 model.embedding_dropout=0.1 "
               "system.attention_dropout=0 system.hidden_dropout=0 system.feed_hidden_dropout=0",
               kPaper, "table 9"},
    RecipeLine{"optim.clip=0.25", kCode, "README.lm.md; table 9 has 1"},
    RecipeLine{"system.chunk=2048", kPaper, "table 9", "mega-chunk"},
    RecipeLine{"task.length=8192 task.segments=2-4", kPaper,
               "appendix D.4: segments of 2 to 4 chunks"},
    RecipeLine{"optim.batch=11", kOurs,
               "11 segments of 6144 tokens on average: nearest to the 8192 x 8 tokens a step of "
               "table 9"},
    RecipeLine{"model.skeleton=source", kCode, "models/mega_lm.py"},
};

}  // namespace

std::span<const PaperRecipe> mega_recipes() {
  static constexpr std::array kRows = {
      PaperRecipe{"mega", "lra-listops", "mega", "mega*", kMegaListOps},
      PaperRecipe{"mega", "lra-text", "mega", "mega*", kMegaText},
      PaperRecipe{"mega", "lra-retrieval", "mega", "mega*", kMegaRetrieval},
      PaperRecipe{"mega", "lra-image", "mega", "mega*", kMegaImage},
      PaperRecipe{"mega", "lra-pathfinder", "mega", "mega*", kMegaPathfinder},
      PaperRecipe{"mega", "lra-pathx", "mega", "mega*", kMegaPathX},
      PaperRecipe{"mega", "speech-commands", "mega-chunk", "mega*", kMegaSpeech},
      PaperRecipe{"mega", "sounds", "mega-chunk", "mega*", kMegaSounds},
      PaperRecipe{"mega", "wikitext-103", "mega-chunk", "mega*", kMegaWikiText103},
      PaperRecipe{"mega", "enwik8", "mega-chunk", "mega*", kMegaEnwik8},
  };
  return kRows;
}

}  // namespace runner
