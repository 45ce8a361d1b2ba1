// The tasks, one row each.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include "lcsm/base/row_names.h"
#include "runner/config/keys/task_texts.h"

namespace runner {

inline constexpr std::string_view kMqarKeys =
    "task.vocab task.pairs task.power task.filler task.train task.valid task.test task.seed";

inline constexpr std::array kMqarRules = {
    NumberRule{"task.length", "", [](std::int64_t T, std::int64_t) { return T % 2 == 0; },
               "an even number"},
    NumberRule{"task.pairs", "task.length",
               [](std::int64_t D, std::int64_t T) { return 4 * D <= T; },
               "at most a quarter of {}"},
    NumberRule{"task.vocab", "task.length", [](std::int64_t V, std::int64_t T) { return V > T; },
               "more than {}"},
};

// Also reported by runs on tokens that are bytes.
inline constexpr std::string_view kBits = "bpc";

// Metrics that every run reports besides the task's metrics.
inline constexpr std::string_view kRunMetrics =
    "train.loss train.lr train.gradient_norm params state time.seconds "
    "time.tokens_per_second host.peak_mib host.training_mib";

// The recipe of zoology's figure 2, as used in the LCSM paper.
inline constexpr std::string_view kMqarUsual =
    "task.length=64 model.d=64 model.layers=2 model.heads=1 model.skeleton=zoology "
    "model.dropout=0 model.embedding_dropout=0.1 optim.batch=512 optim.steps=0 optim.epochs=64 "
    "optim.lr=1e-3 optim.schedule=cosine-epochs optim.warmup=0 optim.beta2=0.999 eval.steps=0 "
    "eval.epochs=1 eval.batch=512 eval.best=accuracy eval.stop=0.99";

inline constexpr std::string_view kReleases =
    "task.tokens task.segments task.format task.path task.masked model.softmax";
inline constexpr std::string_view kPlainTexts =
    "task.tokens task.segments task.path task.masked model.softmax";

// ----- Data sets in files of ours: the recipes of MEGA for LRA, without its model -----
inline constexpr std::string_view kLabelled =
    "task.data task.data_options task.content model.head model.head_width";
inline constexpr std::string_view kPaired =
    "task.data task.data_options task.content model.head model.head_width model.pair";
inline constexpr std::string_view kWaves =
    "task.data task.data_options task.content task.mean task.deviation model.head model.head_width "
    "optim.smoothing optim.mixup optim.repeats";
inline constexpr std::string_view kPictures =
    "task.data task.data_options task.content task.mean task.deviation task.patch model.head "
    "model.head_width optim.smoothing optim.mixup optim.cutmix optim.erase optim.repeats";
inline constexpr std::string_view kOwnTexts =
    "task.path task.content task.classes task.text task.label task.split task.valid_share "
    "task.test_share task.seed task.tokens task.rarest model.head model.head_width";
inline constexpr std::string_view kOwnPictures =
    "task.path task.content task.classes task.valid_share task.test_share task.seed task.mean "
    "task.deviation task.colours task.patch model.head model.head_width optim.smoothing "
    "optim.mixup "
    "optim.cutmix optim.erase optim.repeats";
inline constexpr std::string_view kToys =
    "task.data task.data_options task.content task.mean task.deviation";

inline constexpr std::string_view kListOpsUsual =
    "task.length=2000 model.d=80 model.layers=6 optim.batch=64 optim.steps=90000 optim.lr=1e-3 "
    "optim.schedule=linear optim.warmup=3000 optim.decay=0.01 optim.clip=1 eval.best=accuracy";
inline constexpr std::string_view kReviewsUsual =
    "task.length=4000 model.d=128 model.layers=4 optim.batch=50 optim.steps=25000 optim.lr=4e-3 "
    "optim.schedule=linear optim.warmup=10000 optim.decay=0.01 optim.clip=1 eval.best=accuracy";
inline constexpr std::string_view kRetrievalUsual =
    "task.length=4000 model.d=128 model.layers=6 model.head=gelu optim.batch=64 "
    "optim.steps=91960 optim.lr=3e-3 optim.schedule=linear optim.warmup=10000 optim.decay=0.04 "
    "optim.clip=1 eval.best=accuracy";
inline constexpr std::string_view kImageUsual =
    "task.length=1024 task.mean=0.48 task.deviation=0.24 model.d=160 model.layers=8 "
    "model.dropout=0 optim.batch=50 optim.steps=180000 optim.lr=0.01 optim.schedule=linear "
    "optim.warmup=9000 optim.decay=0.02 optim.clip=1 eval.best=accuracy";
inline constexpr std::string_view kPathfinderUsual =
    "task.length=1024 model.d=128 model.layers=6 model.dropout=0 optim.batch=128 "
    "optim.steps=250000 optim.lr=0.01 optim.schedule=linear optim.warmup=50000 optim.decay=0.01 "
    "optim.clip=1 eval.best=accuracy";
inline constexpr std::string_view kPathXUsual =
    "task.length=16384 model.d=64 model.layers=4 model.dropout=0 optim.batch=128 "
    "optim.steps=125000 optim.lr=0.01 optim.schedule=linear optim.warmup=25000 optim.decay=0.01 "
    "optim.clip=1 eval.best=accuracy";

// ----- Language understanding: texts in bytes, tokenized as the run asks -----
inline constexpr std::string_view kUnderstood =
    "task.data task.data_options task.content task.tokens task.rarest model.head model.head_width";
inline constexpr std::string_view kUnderstoodUsual =
    "task.length=512 task.tokens=words model.d=128 model.k=64 model.layers=4 optim.batch=32 "
    "optim.steps=0 optim.epochs=10 optim.lr=1e-3 optim.schedule=linear optim.warmup=500 "
    "optim.decay=0.01 optim.clip=1 eval.steps=0 eval.epochs=1 eval.best=accuracy";

constexpr TaskRow understanding(std::string_view name, std::string_view help, SetFacts set,
                                std::string_view reports = "accuracy f1 mcc loss",
                                std::int64_t classes = 2, std::string_view apart = "") {
  set.cut = true;
  return {.name = name,
          .help = help,
          .keys = kUnderstood,
          .usual = kUnderstoodUsual,
          .reports = reports,
          .set = set,
          .head = "classes",
          .outputs = classes,
          .apart = apart};
}

// ----- Translation: pairs of sentences, byte pairs learned from both languages -----
inline constexpr std::string_view kTranslated =
    "task.data task.data_options task.content task.merges task.bundle optim.smoothing eval.beam "
    "eval.length_penalty";
inline constexpr std::string_view kTranslatedUsual =
    "task.length=256 model.skeleton=encoder-decoder model.layers=6 model.embedding_dropout=0.1 "
    "optim.smoothing=0.1 eval.batch=32 eval.best=bleu";
inline constexpr std::string_view kPhrasesUsual =
    "task.length=64 task.merges=300 model.skeleton=encoder-decoder model.d=64 model.layers=2 "
    "model.dropout=0 optim.smoothing=0.1 optim.batch=64 optim.steps=1500 optim.lr=2e-3 "
    "optim.schedule=linear optim.warmup=150 optim.decay=0.01 optim.clip=1 eval.steps=500 "
    "eval.batch=100 eval.best=bleu";
inline constexpr SetFacts kWmt16Facts{.vocabulary = 40500,
                                      .examples = {4500000, 3000, 3003},
                                      .cut = true,
                                      .stored = "wmt16-en-de",
                                      .words = 30};
inline constexpr SetFacts kPhrasesFacts{.vocabulary = 330,
                                        .examples = {20000, 500, 1000},
                                        .cut = true,
                                        .stored = "phrases",
                                        .words = 15};

constexpr SetFacts other_way(SetFacts facts) {
  facts.backward = true;
  return facts;
}
constexpr SetFacts into(SetFacts facts, std::string_view language) {
  facts.moses = language;
  return facts;
}

constexpr TaskRow translation(std::string_view name, std::string_view help, std::string_view usual,
                              const SetFacts& set) {
  return {.name = name,
          .help = help,
          .keys = kTranslated,
          .usual = usual,
          .reports = "bleu sacrebleu ppl loss",
          .reader = "sentences",
          .set = set,
          .inputs = "sentences"};
}

// MEGA's command for ten words of Speech Commands.
inline constexpr std::string_view kSpeechUsual =
    "task.length=16000 task.mean=0 task.deviation=1 model.d=60 model.layers=6 model.dropout=0 "
    "optim.batch=20 optim.steps=250000 optim.lr=0.01 optim.schedule=linear optim.warmup=10000 "
    "optim.decay=0.01 optim.clip=1 eval.best=accuracy";

// A user's own data: a small model, a short training.
inline constexpr std::string_view kOwnTextsUsual =
    "task.length=1024 task.tokens=bytes model.d=128 model.k=64 model.layers=4 optim.batch=32 "
    "optim.steps=5000 optim.lr=1e-3 optim.schedule=linear optim.warmup=500 optim.decay=0.01 "
    "optim.clip=1 eval.steps=500 eval.best=accuracy";
inline constexpr std::string_view kOwnPicturesUsual =
    "task.length=1024 model.d=128 model.k=64 model.layers=4 optim.batch=32 "
    "optim.steps=5000 optim.lr=1e-3 optim.schedule=linear optim.warmup=500 optim.decay=0.01 "
    "optim.clip=1 eval.steps=500 eval.best=accuracy";

// Small values for the sizes that S4++ does not give for its toys.
inline constexpr std::string_view kSineUsual =
    "task.length=100 task.mean=0 task.deviation=1 model.d=32 model.k=16 model.layers=2 "
    "model.dropout=0 optim.batch=20 optim.steps=0 optim.epochs=100 optim.schedule=constant "
    "optim.warmup=0 optim.lr=3e-3 optim.decay=0 eval.steps=0 eval.epochs=10";
inline constexpr std::string_view kPlantUsual =
    "task.length=1000 task.mean=0 task.deviation=1 model.d=32 model.k=16 model.layers=2 "
    "model.dropout=0 optim.batch=20 optim.steps=0 optim.epochs=100 optim.schedule=constant "
    "optim.warmup=0 optim.lr=3e-3 optim.decay=0 eval.steps=0 eval.epochs=10";

// The data sets that `lcsm data make` generates by their names.
inline constexpr std::string_view kGeneratedSets =
    "lra-listops lra-pathfinder lra-pathfinder-64 lra-pathx lra-pathx-256 digits-12 "
    "nss etc etc-perturbed pythagorean paraphrase phrases sounds";

inline constexpr std::array kTaskRows = {
    TaskRow{.name = "mqar",
            .help = "multi-query associative recall",
            .keys = kMqarKeys,
            .usual = kMqarUsual,
            .reader = "mqar",
            .rules = kMqarRules},
    TaskRow{.name = "wikitext-103",
            .help = "the next token of Wikipedia articles, 103 M words",
            .keys = kReleases,
            .usual = "",
            .reports = "ppl loss",
            .reader = "text",
            .texts = kWikiText103},
    TaskRow{.name = "wikitext-2",
            .help = "the next token of Wikipedia articles, 2 M words",
            .keys = kReleases,
            .usual = "task.tokens=words task.format=tokens",
            .reports = "ppl loss",
            .reader = "text",
            .texts = kWikiText2},
    TaskRow{.name = "tiny-shakespeare",
            .help = "the next token of 1 MB of Shakespeare",
            .keys = kPlainTexts,
            .usual = "task.tokens=bytes",
            .reports = "ppl loss",
            .reader = "text",
            .texts = kTinyShakespeare},
    TaskRow{.name = "enwik8",
            .help = "the next byte of 100 MB of Wikipedia with its markup",
            .keys = kPlainTexts,
            .usual = "task.tokens=bytes",
            .reports = "bpc ppl loss",
            .reader = "text",
            .texts = kEnwik8},
    TaskRow{.name = "text",
            .help = "the next token of a custom text file",
            .keys = "task.tokens task.segments task.path task.content task.masked model.softmax",
            .usual = "task.tokens=bytes",
            .reports = "ppl loss",
            .reader = "text",
            .texts = kAnyText},
    TaskRow{
        .name = "lra-listops",
        .help = "the value of an expression, 0 to 9",
        .keys = kLabelled,
        .usual = kListOpsUsual,
        .set = {.vocabulary = 15, .examples = {96000, 2000, 2000}, .steps = 1000, .longest = 1999},
        .head = "classes",
        .outputs = 10},
    TaskRow{
        .name = "lra-text",
        .help = "whether a review, read byte by byte, is positive",
        .keys = kLabelled,
        .usual = kReviewsUsual,
        .set = {.vocabulary = 256, .examples = {25000, 25000, 25000}, .cut = true, .steps = 1300},
        .head = "classes",
        .outputs = 2},
    TaskRow{.name = "lra-retrieval",
            .help = "whether one of two texts cites the other",
            .keys = kPaired,
            .usual = kRetrievalUsual,
            .set = {.vocabulary = 256, .examples = {147086, 18090, 17437}, .cut = true},
            .head = "pairs",
            .outputs = 2},
    TaskRow{.name = "lra-image",
            .help = "which of ten classes a gray picture shows, pixel by pixel",
            .keys = kPictures,
            .usual = kImageUsual,
            .set = {.vocabulary = 256, .examples = {45000, 5000, 10000}, .longest = 1024},
            .inputs = "numbers",
            .head = "classes",
            .outputs = 10},
    TaskRow{.name = "cifar-10",
            .help = "which of ten classes a picture in color shows",
            .keys = kPictures,
            .usual = kImageUsual,
            .set = {.vocabulary = 256, .examples = {45000, 5000, 10000}, .longest = 1024},
            .inputs = "numbers",
            .head = "classes",
            .outputs = 10,
            .channels = 3},
    TaskRow{.name = "lra-pathfinder",
            .help = "whether two discs are the ends of one contour; 32 x 32 pixels",
            .keys = kPictures,
            .usual = kPathfinderUsual,
            .set = {.vocabulary = 256, .examples = {160000, 20000, 20000}, .longest = 1024},
            .inputs = "numbers",
            .head = "classes",
            .outputs = 2},
    TaskRow{.name = "lra-pathx",
            .help = "the same; 128 x 128 pixels",
            .keys = kPictures,
            .usual = kPathXUsual,
            .set = {.vocabulary = 256, .examples = {160000, 20000, 20000}, .longest = 16384},
            .inputs = "numbers",
            .head = "classes",
            .outputs = 2},
    understanding("imdb", "whether a review is positive",
                  {.vocabulary = 65536, .examples = {22500, 2500, 25000}, .steps = 1300}),
    understanding("glue-cola", "whether a sentence is acceptable",
                  {.vocabulary = 6000, .examples = {8551, 1043, 1043}, .steps = 40},
                  "mcc accuracy loss"),
    understanding("glue-sst2", "whether a phrase of a film review praises",
                  {.vocabulary = 15000, .examples = {67349, 872, 872}, .steps = 50}),
    understanding("glue-qqp", "whether two questions ask the same",
                  {.vocabulary = 65536, .examples = {363846, 40430, 40430}, .steps = 120}),
    understanding("glue-mrpc", "whether two sentences of news mean the same",
                  {.vocabulary = 17000, .examples = {3668, 408, 408}, .steps = 240},
                  "f1 accuracy mcc loss"),
    understanding("glue-mnli", "whether a sentence follows from another, or contradicts it",
                  {.vocabulary = 65536, .examples = {392702, 9815, 9815}, .steps = 170},
                  "accuracy loss", 3, "accuracy_mismatched"),
    understanding("glue-qnli", "whether a sentence answers a question",
                  {.vocabulary = 65536, .examples = {104743, 5463, 5463}, .steps = 220}),
    understanding("glue-rte", "whether a sentence follows from another",
                  {.vocabulary = 20000, .examples = {2490, 277, 277}, .steps = 340}),
    understanding("paraphrase", "whether two sentences of a small grammar say the same",
                  {.vocabulary = 41, .examples = {20000, 1000, 1000}, .steps = 46}),
    translation("wmt16-en-de", "news from English into German", kTranslatedUsual,
                into(kWmt16Facts, "de")),
    translation("wmt16-de-en", "news from German into English", kTranslatedUsual,
                into(other_way(kWmt16Facts), "en")),
    translation("phrases", "sentences of a small grammar into another language", kPhrasesUsual,
                kPhrasesFacts),
    translation("phrases-back", "the other way", kPhrasesUsual, other_way(kPhrasesFacts)),
    translation("translate", "your own pairs of sentences", kTranslatedUsual,
                {.vocabulary = 32000, .examples = {1000000, 2000, 2000}, .cut = true, .words = 30}),
    TaskRow{.name = "speech-commands",
            .help = "which of ten words is spoken, sample by sample",
            .keys = kWaves,
            .usual = kSpeechUsual,
            .set = {.vocabulary = 1, .examples = {24482, 5246, 5247}},
            .inputs = "numbers",
            .head = "classes",
            .outputs = 10},
    TaskRow{.name = "sounds",
            .help = "which of ten kinds a generated waveform is",
            .keys = kWaves,
            .usual = kSpeechUsual,
            .set = {.vocabulary = 1, .examples = {20000, 2000, 2000}},
            .inputs = "numbers",
            .head = "classes",
            .outputs = 10},
    TaskRow{.name = "classify",
            .help = "the labels of your own texts, in CSV, TSV or JSON lines",
            .keys = kOwnTexts,
            .usual = kOwnTextsUsual,
            .set = {.vocabulary = 256, .examples = {10000, 1000, 1000}, .cut = true},
            .head = "classes"},
    TaskRow{.name = "classify-pictures",
            .help = "the labels of your own pictures, in folders of PNG and JPEG",
            .keys = kOwnPictures,
            .usual = kOwnPicturesUsual,
            .set = {.vocabulary = 256, .examples = {10000, 1000, 1000}},
            .inputs = "numbers",
            .head = "classes"},
    TaskRow{.name = "nss",
            .help = "a sine on a grid from off-grid samples",
            .keys = kToys,
            .usual = kSineUsual,
            .reports = "mse loss",
            .set = {.vocabulary = 1, .examples = {100, 100, 100}, .scored = 100},
            .inputs = "numbers",
            .head = "values",
            .outputs = 1},
    TaskRow{.name = "etc",
            .help = "the state of a plant from its event-triggered input",
            .keys = kToys,
            .usual = kPlantUsual,
            .reports = "mse loss",
            .set = {.vocabulary = 1, .examples = {800, 100, 100}, .scored = 1000},
            .inputs = "numbers",
            .head = "values",
            .outputs = 2,
            .channels = 2},
    TaskRow{.name = "pythagorean",
            .help = "the sum of two squares far apart",
            .keys = kToys,
            .usual = kSineUsual,
            .reports = "mse loss",
            .set = {.vocabulary = 1, .examples = {160, 40, 40}, .position = 63},
            .inputs = "numbers",
            .head = "values",
            .outputs = 1},
};

static_assert(std::ranges::all_of(kTaskRows, has_all_facts));

// True if `rows` has the row that each task names: has_rows(kHeadRows, &TaskRow::head).
template <class Rows>
constexpr bool has_rows(const Rows& rows, std::string_view TaskRow::*name) {
  return std::ranges::all_of(
      kTaskRows, [&](const TaskRow& task) { return lcsm::row_named(rows, task.*name) != nullptr; });
}

constexpr const TaskRow* task_row(std::string_view name) {
  return lcsm::row_named(kTaskRows, name);
}

}  // namespace runner
