#include "runner/data/import/intake.h"

#include "lcsm/base/row_names.h"
#include "runner/data/import/readers.h"

namespace runner {
namespace {

// ----- What several rows share -----

struct Published {
  std::string_view url, sha256, size, licence;
};

constexpr Published kImdb{"https://ai.stanford.edu/~amaas/data/sentiment/aclImdb_v1.tar.gz",
                          "c40f74a18d3b61f90feba1e17730e0d38e8b97c05fde7008942e91923d1658fe",
                          "84 MB", "none stated; cite Maas 2011"},
    kCifar{"https://www.cs.toronto.edu/~kriz/cifar-10-binary.tar.gz",
           "c4a38c50a1bc5f3a1c5537f2155ab9d68f9f25eb1ed8d9ddda3db29a59bca1dd", "170 MB",
           "none stated; cite Krizhevsky 2009"},
    kLra{"https://storage.googleapis.com/long-range-arena/lra_release.gz", "", "7.7 GB",
         "Apache 2.0"},
    kMega{"https://dl.fbaipublicfiles.com/mega/data/lra.zip", "", "1.4 GB",
          "that of Long Range Arena, Apache 2.0"},
    kSpeech{
        "https://storage.googleapis.com/download.tensorflow.org/data/"
        "speech_commands_v0.02.tar.gz",
        "af14739ee7dc311471de98f5f9d2c9191b18aedfe957f4a6ff791c709868ff58", "2.4 GB", "CC BY 4.0"};

constexpr std::uint64_t kSmall = std::uint64_t{1} << 23;  // bytes, of a set with mirrors

// GLUE's tasks have their sources' terms.
constexpr Published glue(std::string_view url, std::string_view size) {
  return {url, "", size, "that of its source, see https://gluebenchmark.com/tasks"};
}

constexpr Published wiki(std::string_view url, std::string_view sha256, std::string_view size) {
  return {url, sha256, size, "CC BY-SA 3.0"};
}

constexpr std::string_view kPapersSplit =
    "the validation set is the test set, as in the papers; `imdb` has a separate one";
constexpr std::string_view kGlueSplit =
    "the development set validates and tests, as in papers: the test set has no labels";
constexpr std::string_view kDrawnSplit = "split 80:10:10 at random, as in S4 and MEGA (seed 42)";
constexpr std::string_view kSpeechSplit =
    "split 70:15:15 by word at random, as in S4 and MEGA, but from sorted files (seeds 0 and 1)";
constexpr std::string_view kListOpsFiles = "basic_train.tsv basic_val.tsv basic_test.tsv";
constexpr std::string_view kPairFiles =
    "new_aan_pairs.train.tsv new_aan_pairs.eval.tsv new_aan_pairs.test.tsv";
constexpr std::string_view kReviewFiles =
    "train/neg/*.txt train/pos/*.txt test/neg/*.txt test/pos/*.txt";
constexpr std::string_view kCifarFiles =
    "data_batch_1.bin data_batch_2.bin data_batch_3.bin data_batch_4.bin data_batch_5.bin "
    "test_batch.bin";
constexpr std::string_view kPathfinderFiles = "imgs/*/sample_*.png metadata/*.npy";
constexpr std::string_view kMegaTextFiles =
    "src-bin/dict.txt src-bin/*.bin src-bin/*.idx label-bin/dict.txt label-bin/*.bin "
    "label-bin/*.idx";
constexpr std::string_view kMegaPairFiles =
    "src-bin/dict.txt src-bin/*.bin src-bin/*.idx src1-bin/*.bin src1-bin/*.idx label-bin/dict.txt "
    "label-bin/*.bin label-bin/*.idx";
constexpr std::string_view kMegaPictureFiles = "input/*.src label/*.label";
constexpr std::string_view kSpeechFiles =
    "yes/*.wav no/*.wav up/*.wav down/*.wav left/*.wav right/*.wav on/*.wav off/*.wav stop/*.wav "
    "go/*.wav";
constexpr std::string_view kWmt16Files =
    "train.tok.clean.bpe.32000.en train.tok.clean.bpe.32000.de newstest2013.tok.bpe.32000.en "
    "newstest2013.tok.bpe.32000.de newstest2014.tok.bpe.32000.en newstest2014.tok.bpe.32000.de "
    "newstest2013.en newstest2013.de newstest2014.en newstest2014.de";
constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;

constexpr IntakeRow row(std::string_view name, std::string_view help, std::string_view files,
                        const Published& origin, ReadFiles* read, IntakeRow more) {
  more.name = name;
  more.help = help;
  more.files = files;
  more.url = origin.url;
  more.sha256 = origin.sha256;
  more.size = origin.size;
  more.licence = origin.licence;
  more.read = read;
  return more;
}

// ----- The data sets -----

constexpr std::array kIntakes = {
    row("lra-listops", "the released expressions, or others in their format", kListOpsFiles, kLra,
        read_listops_release, {}),
    row("lra-retrieval", "pairs of papers, byte by byte; does one cite the other?", kPairFiles,
        kLra, read_pairs, {.most_bytes = 32 * kGiB}),
    row("lra-retrieval-characters", "the same, as the characters that S4 reads", kPairFiles, kLra,
        read_pair_characters, {.most_bytes = 32 * kGiB}),
    row("lra-pathfinder", "the released pictures of 32 x 32", kPathfinderFiles, kLra,
        read_pathfinder,
        {.most_bytes = 4 * kGiB,
         .inside = "pathfinder32/curv_contour_length_14",
         .side = 32,
         .note = kDrawnSplit}),
    row("lra-pathfinder-64", "the released pictures of 64 x 64", kPathfinderFiles, kLra,
        read_pathfinder,
        {.most_bytes = 8 * kGiB,
         .inside = "pathfinder64/curv_contour_length_14",
         .side = 64,
         .note = kDrawnSplit}),
    row("lra-pathx", "the released pictures of 128 x 128", kPathfinderFiles, kLra, read_pathfinder,
        {.most_bytes = 16 * kGiB,
         .inside = "pathfinder128/curv_contour_length_14",
         .side = 128,
         .note = kDrawnSplit}),
    row("lra-pathx-256", "the released pictures of 256 x 256", kPathfinderFiles, kLra,
        read_pathfinder,
        {.most_bytes = 32 * kGiB,
         .inside = "pathfinder256/curv_contour_length_14",
         .side = 256,
         .note = kDrawnSplit}),
    row("lra-image", "CIFAR-10 in gray, pixel by pixel", kCifarFiles, kCifar, read_cifar,
        {.note = "validation is the last tenth of the training set"}),
    row("lra-image-s4", "the same, gray and split as in S4 and MEGA", kCifarFiles, kCifar,
        read_cifar_drawn, {.note = "validation is a random tenth of the training set (seed 42)"}),
    row("cifar-10", "CIFAR-10 in color", kCifarFiles, kCifar, read_cifar_colours,
        {.note = "validation is the last tenth of the training set"}),
    row("lra-text", "IMDB reviews, byte by byte; validation is the test set, as in the papers",
        kReviewFiles, kImdb, read_reviews, {.note = kPapersSplit}),
    row("lra-text-characters", "the same, as the characters that S4 reads", kReviewFiles, kImdb,
        read_review_characters, {.note = kPapersSplit}),
    row("imdb", "IMDB reviews, byte by byte; validation is a tenth of the training set",
        kReviewFiles, kImdb, read_reviews_honestly,
        {.note = "validation is every tenth pair of training reviews"}),
    row("glue-cola", "is a sentence acceptable?", "train.tsv dev.tsv",
        glue("https://dl.fbaipublicfiles.com/glue/data/CoLA.zip", "0.4 MB"), read_glue,
        {.inside = "CoLA", .note = kGlueSplit}),
    row("glue-sst2", "does a phrase of a film review praise?", "train.tsv dev.tsv",
        glue("https://dl.fbaipublicfiles.com/glue/data/SST-2.zip", "7 MB"), read_glue,
        {.inside = "SST-2", .note = kGlueSplit}),
    row("glue-qqp", "do two questions ask the same?", "train.tsv dev.tsv",
        glue("https://dl.fbaipublicfiles.com/glue/data/QQP-clean.zip", "40 MB"), read_glue,
        {.inside = "QQP",
         .note = "lines with too few or too many fields are left out; the development set "
                 "validates and tests, as in papers: the test set has no labels"}),
    row("glue-mrpc", "do two sentences of news mean the same?", "train.tsv dev.tsv",
        glue("https://gluebenchmark.com/tasks", "1.4 MB"), read_glue,
        {.inside = "MRPC", .note = kGlueSplit}),
    row("glue-mnli", "does a sentence follow from another, or contradict it?",
        "train.tsv dev_matched.tsv dev_mismatched.tsv",
        glue("https://dl.fbaipublicfiles.com/glue/data/MNLI.zip", "300 MB"), read_glue,
        {.most_bytes = 4 * kGiB,
         .inside = "MNLI",
         .note = "the matched development set validates and tests, the mismatched one is tested "
                 "apart: the test sets have no labels"}),
    row("glue-qnli", "does a sentence answer a question?", "train.tsv dev.tsv",
        glue("https://dl.fbaipublicfiles.com/glue/data/QNLIv2.zip", "11 MB"), read_glue,
        {.inside = "QNLI", .note = kGlueSplit}),
    row("glue-rte", "does a sentence follow from another?", "train.tsv dev.tsv",
        glue("https://dl.fbaipublicfiles.com/glue/data/RTE.zip", "0.7 MB"), read_glue,
        {.inside = "RTE", .note = kGlueSplit}),
    row("wmt16-en-de", "news of WMT'16 in English and German, tokenized by Moses", kWmt16Files,
        {"https://github.com/facebookresearch/mega/blob/main/examples/mega/prepare-wmt16en2de.sh",
         "", "2 GB", "that of its sources, see https://www.statmt.org/wmt16"},
        read_wmt16,
        {.prepared = true,
         .most_bytes = 16 * kGiB,
         .note = "newstest2013 validates, newstest2014 tests"}),
    row("translate", "your own pairs of sentences, in tables of two columns",
        "train.tsv valid.tsv test.tsv", {"", "", "any size", "yours"}, read_sentence_pairs,
        {.most_bytes = 16 * kGiB}),
    row("mega-listops", "ListOps as MEGA numbered it", kMegaTextFiles, kMega, read_mega_texts,
        {.inside = "listops"}),
    row("mega-text", "IMDB reviews as MEGA numbered them", kMegaTextFiles, kMega, read_mega_texts,
        {.inside = "imdb-4000"}),
    row("mega-retrieval", "pairs of papers as MEGA numbered them", kMegaPairFiles, kMega,
        read_mega_pairs, {.most_bytes = 16 * kGiB, .inside = "aan"}),
    row("mega-image", "CIFAR-10, converted to gray and split as in MEGA", kMegaPictureFiles, kMega,
        read_mega_pictures, {.inside = "cifar10", .side = 32, .classes = 10}),
    row("mega-pathfinder", "Pathfinder as MEGA split it", kMegaPictureFiles, kMega,
        read_mega_pictures,
        {.most_bytes = 4 * kGiB, .inside = "pathfinder", .side = 32, .classes = 2}),
    row("mega-pathx", "Path-X as MEGA split it", kMegaPictureFiles, kMega, read_mega_pictures,
        {.most_bytes = 32 * kGiB, .inside = "path-x", .side = 128, .classes = 2}),
    row("speech-commands", "ten spoken words, sample by sample, as S4 and MEGA read them",
        kSpeechFiles, kSpeech, read_speech,
        {.most_bytes = 4 * kGiB, .length = 16000, .note = kSpeechSplit}),
    row("speech-commands-padded", "the same, shorter clips padded with zeros", kSpeechFiles,
        kSpeech, read_speech_padded,
        {.most_bytes = 4 * kGiB, .length = 16000, .note = kSpeechSplit}),
    row("wikitext-103", "Wikipedia articles, 103 M words, rare ones <unk>",
        "wiki.train.tokens wiki.valid.tokens wiki.test.tokens",
        wiki("https://s3.amazonaws.com/research.metamind.io/wikitext/wikitext-103-v1.zip",
             "242ba0f20b329cfdf1ccc61e9e9e5b59becf189db7f7a81cd2a0e2fc31539590", "190 MB"),
        read_wikitext,
        {.texts = "wiki.train.tokens|train.txt wiki.valid.tokens|valid.txt "
                  "wiki.test.tokens|test.txt",
         .words = {103227021, 217646, 245569}}),
    row("wikitext-103-raw", "the same articles, all words as they are",
        "wiki.train.raw wiki.valid.raw wiki.test.raw",
        wiki("https://s3.amazonaws.com/research.metamind.io/wikitext/wikitext-103-raw-v1.zip",
             "91c00ae287f0d699e18605c84afc9e45c192bc6b7797ff8837e5474655a33794", "192 MB"),
        read_wikitext,
        {.texts = "wiki.train.raw wiki.valid.raw wiki.test.raw", .folder = "wikitext-103"}),
    row("wikitext-2", "Wikipedia articles, 2 M words, rare ones <unk>",
        "wiki.train.tokens wiki.valid.tokens wiki.test.tokens",
        wiki("https://s3.amazonaws.com/research.metamind.io/wikitext/wikitext-2-v1.zip",
             "92675f1d63015c1c8b51f1656a52d5bdbc33aafa60cc47a218a66e7ee817488c", "4.5 MB"),
        read_wikitext,
        {.mirrors = "https://wikitext.smerity.com/wikitext-2-v1.zip "
                    "https://s3.amazonaws.com/research.metamind.io/wikitext/wikitext-2-v1.zip",
         .most_fetched = kSmall,
         .texts = "wiki.train.tokens|train.txt wiki.valid.tokens|valid.txt "
                  "wiki.test.tokens|test.txt",
         .words = {2088628, 217646, 245569}}),
    row("wikitext-2-raw", "the same articles, all words as they are",
        "wiki.train.raw wiki.valid.raw wiki.test.raw",
        wiki("https://s3.amazonaws.com/research.metamind.io/wikitext/wikitext-2-raw-v1.zip",
             "ef7edb566e3e2b2d31b29c1fdb0c89a4cc683597484c3dc2517919c615435a11", "4.7 MB"),
        read_wikitext,
        {.mirrors = "https://wikitext.smerity.com/wikitext-2-raw-v1.zip "
                    "https://s3.amazonaws.com/research.metamind.io/wikitext/wikitext-2-raw-v1.zip",
         .most_fetched = kSmall,
         .texts = "wiki.train.raw wiki.valid.raw wiki.test.raw",
         .folder = "wikitext-2"}),
    row("tiny-shakespeare", "1 MB of Shakespeare's plays, as in char-rnn", "input.txt",
        {"https://raw.githubusercontent.com/karpathy/char-rnn/master/data/tinyshakespeare/"
         "input.txt",
         "86c4e6aa9db7c042ec79f339dcb96d42b0075e16b8fc2e86bf0ca57e2dc565ed", "1.1 MB",
         "none stated; the plays are in the public domain"},
        read_one_text,
        {.mirrors = "https://raw.githubusercontent.com/karpathy/char-rnn/master/data/"
                    "tinyshakespeare/input.txt "
                    "https://storage.googleapis.com/download.tensorflow.org/data/shakespeare.txt",
         .most_fetched = kSmall,
         .note = "the task trains on 90 %, validates on 5 % and tests on 5 % of it",
         .texts = "input.txt"}),
    row("enwik8", "the first 100 MB of Wikipedia in 2006, with its markup", "enwik8",
        {"https://mattmahoney.net/dc/enwik8.zip",
         "547994d9980ebed1288380d652999f38a14fe291a6247c157c3d33d4932534bc", "36 MB",
         "CC BY-SA 3.0 (GFDL at its time)"},
        read_enwik8,
        {.note = "90 MB for training, 5 MB for validation, 5 MB for testing",
         .texts = "train.txt valid.txt test.txt"}),
};

}  // namespace

std::span<const IntakeRow> intake_rows() { return kIntakes; }

const IntakeRow* find_intake(std::string_view name) { return lcsm::row_named(kIntakes, name); }

}  // namespace runner
