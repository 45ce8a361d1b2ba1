// The data sets that tasks read: their files, the names they may have, and their sources.
#pragma once

#include <array>
#include <string_view>

namespace runner {

// The size of a text before it is read: round figures.
struct TextSize {
  double bytes = 0, words = 0, gpt2 = 0;  // tokens to train on, by task.tokens
  double held_out = 0;                    // the validation and the test text, each a share of that
  double vocabulary = 0;                  // of words
};

struct DataRow {
  std::string_view name;  // folder below a data folder, and alternative names, separated by blanks
  std::string_view format;              // of task.format; "" = there is only one
  std::string_view train, valid, test;  // names that the file may have, separated by blanks; "" =
                                        // parts of the one file named in `train`
  std::string_view size;                // the expected size
  std::string_view from;                // "" = from the user
  TextSize about = {};
};

inline constexpr TextSize kWikiText103 = {540e6, 103e6, 117e6, 0.0021, 267735},
                          kWikiText2 = {10.8e6, 2.09e6, 2.4e6, 0.104, 33278},
                          kTinyShakespeare = {1.0e6, 0.23e6, 0.30e6, 0.055, 24e3},
                          kSomeText = {1e6, 0.2e6, 0.25e6, 0.055, 33e3};

inline constexpr std::array kDataRows = {
    DataRow{"wikitext-103", "raw", "wiki.train.raw", "wiki.valid.raw", "wiki.test.raw",
            "540 MB of raw text for training, 1.1 and 1.3 MB",
            "wikitext-103-raw-v1.zip (192 MB) of https://wikitext.smerity.com", kWikiText103},
    DataRow{"wikitext-103", "tokens", "wiki.train.tokens train.txt", "wiki.valid.tokens valid.txt",
            "wiki.test.tokens test.txt", "540 MB of words for training, 1.1 and 1.3 MB",
            "wikitext-103-v1.zip (190 MB) of https://wikitext.smerity.com", kWikiText103},
    DataRow{"wikitext-2", "raw", "wiki.train.raw", "wiki.valid.raw", "wiki.test.raw",
            "11 MB of raw text for training, 1.1 and 1.3 MB",
            "wikitext-2-raw-v1.zip (4.7 MB) of https://wikitext.smerity.com", kWikiText2},
    DataRow{"wikitext-2", "tokens", "wiki.train.tokens train.txt", "wiki.valid.tokens valid.txt",
            "wiki.test.tokens test.txt", "10.8 MB of words for training, 1.1 and 1.3 MB",
            "wikitext-2-v1.zip (4.5 MB) of https://wikitext.smerity.com", kWikiText2},
    DataRow{"tiny-shakespeare tinyshakespeare", "", "input.txt", "", "", "1.1 MB of text",
            "data/tinyshakespeare of https://github.com/karpathy/char-rnn", kTinyShakespeare},
    DataRow{"text", "", "train.txt", "valid.txt", "test.txt", "your own texts", "", kSomeText},
};

// The files of GPT-2's tokens.
inline constexpr DataRow kGpt2Row{"gpt2-bpe",
                                  "",
                                  "vocab.bpe",
                                  "dict.txt",
                                  "",
                                  "0.5 and 0.6 MB",
                                  "https://dl.fbaipublicfiles.com/fairseq/gpt2_bpe"};

}  // namespace runner
