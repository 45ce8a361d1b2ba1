// The tasks, one row each: the keys it reads, the rules between them, the defaults it overrides,
// the inputs and head of its model, its metrics. The examples are in data/tasks/task.h.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "lcsm/base/row_names.h"
#include "runner/config/keys/number_rule.h"

namespace runner {

struct TaskRow {
  std::string_view name;
  std::string_view help;
  std::string_view keys;   // of group task, besides name, length and order; separated by blanks
  std::string_view usual;  // defaults that it overrides, "KEY=VALUE" separated by blanks
  std::string_view
      reports;  // rows of results' metric.h, separated by blanks; tables show the first
  std::string_view data = "";  // row of data_rows.h; "" = generated
  std::span<const NumberRule> rules = {};
  std::string_view inputs = "tokens";  // row of skeletons/inputs: the first stage of the model
  std::string_view head = "tokens";    // row of trainer/heads: how its output is scored
  std::int64_t outputs = 0;            // of a head that has a matrix of its own: classes, or values
  std::int64_t channels = 1;           // of inputs that are numbers
};

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

// Metrics that every run reports besides those of its task.
inline constexpr std::string_view kRunMetrics =
    "train.loss train.lr train.gradient_norm params time.seconds "
    "time.tokens_per_second host.peak_mib host.training_mib";

// The recipe of figure 2 of zoology, as used in the LCSM paper.
inline constexpr std::string_view kMqarUsual =
    "task.length=64 model.d=64 model.layers=2 model.heads=1 model.skeleton=zoology "
    "model.dropout=0 model.embedding_dropout=0.1 optim.batch=512 optim.steps=0 optim.epochs=64 "
    "optim.lr=1e-3 optim.schedule=cosine-epochs optim.warmup=0 optim.beta2=0.999 eval.steps=0 "
    "eval.epochs=1 eval.batch=512 eval.best=accuracy eval.stop=0.99";

inline constexpr std::string_view kReleases = "task.tokens task.format task.path model.softmax";

// ----- Data sets in files of ours: the recipes of MEGA for LRA, without its model -----
inline constexpr std::string_view kLabelled =
    "task.data task.data_options task.content model.head model.head_width";
inline constexpr std::string_view kPaired =
    "task.data task.data_options task.content model.head model.head_width model.pair";
inline constexpr std::string_view kPictures =
    "task.data task.data_options task.content task.mean task.deviation model.head model.head_width";
inline constexpr std::string_view kOwnTexts =
    "task.path task.content task.classes task.text task.label task.split task.valid_share "
    "task.test_share task.seed task.tokens task.rarest model.head model.head_width";
inline constexpr std::string_view kOwnPictures =
    "task.path task.content task.classes task.valid_share task.test_share task.seed task.mean "
    "task.deviation model.head model.head_width";
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

inline constexpr std::array kTaskRows = {
    TaskRow{"mqar", "multi-query associative recall", kMqarKeys, kMqarUsual, "accuracy loss", "",
            kMqarRules},
    TaskRow{"wikitext-103", "the next token of Wikipedia articles, 103 M words", kReleases, "",
            "ppl loss", "wikitext-103"},
    TaskRow{"wikitext-2", "the next token of Wikipedia articles, 2 M words", kReleases,
            "task.tokens=words task.format=tokens", "ppl loss", "wikitext-2"},
    TaskRow{"tiny-shakespeare", "the next token of 1 MB of Shakespeare",
            "task.tokens task.path model.softmax", "task.tokens=bytes", "ppl loss",
            "tiny-shakespeare"},
    TaskRow{"text", "the next token of a custom text file",
            "task.tokens task.path task.content model.softmax", "task.tokens=bytes", "ppl loss",
            "text"},
    TaskRow{"lra-listops",
            "the value of an expression, 0 to 9",
            kLabelled,
            kListOpsUsual,
            "accuracy loss",
            "lra-listops",
            {},
            "tokens",
            "classes",
            10},
    TaskRow{"lra-text",
            "whether a review, read byte by byte, is positive",
            kLabelled,
            kReviewsUsual,
            "accuracy loss",
            "lra-text",
            {},
            "tokens",
            "classes",
            2},
    TaskRow{"lra-retrieval",
            "whether one of two texts cites the other",
            kPaired,
            kRetrievalUsual,
            "accuracy loss",
            "lra-retrieval",
            {},
            "tokens",
            "pairs",
            2},
    TaskRow{"lra-image",
            "which of ten classes a grey picture shows, pixel by pixel",
            kPictures,
            kImageUsual,
            "accuracy loss",
            "lra-image",
            {},
            "numbers",
            "classes",
            10},
    TaskRow{"lra-pathfinder",
            "whether two discs are the ends of one contour; 32 x 32 pixels",
            kPictures,
            kPathfinderUsual,
            "accuracy loss",
            "lra-pathfinder",
            {},
            "numbers",
            "classes",
            2},
    TaskRow{"lra-pathx",
            "the same; 128 x 128 pixels",
            kPictures,
            kPathXUsual,
            "accuracy loss",
            "lra-pathx",
            {},
            "numbers",
            "classes",
            2},
    TaskRow{"classify",
            "the labels of your own texts, in CSV, TSV or JSON lines",
            kOwnTexts,
            kOwnTextsUsual,
            "accuracy loss",
            "classify",
            {},
            "tokens",
            "classes"},
    TaskRow{"classify-pictures",
            "the labels of your own pictures, in folders of PNG",
            kOwnPictures,
            kOwnPicturesUsual,
            "accuracy loss",
            "classify-pictures",
            {},
            "numbers",
            "classes"},
    TaskRow{"nss",
            "a sine on a grid from off-grid samples",
            kToys,
            kSineUsual,
            "mse loss",
            "nss",
            {},
            "numbers",
            "values",
            1},
    TaskRow{"etc",
            "the state of a plant from its event-triggered input",
            kToys,
            kPlantUsual,
            "mse loss",
            "etc",
            {},
            "numbers",
            "values",
            2,
            2},
    TaskRow{"pythagorean",
            "the sum of two squares far apart",
            kToys,
            kSineUsual,
            "mse loss",
            "pythagorean",
            {},
            "numbers",
            "values",
            1},
};

constexpr const TaskRow* task_row(std::string_view name) {
  return lcsm::row_named(kTaskRows, name);
}

}  // namespace runner
