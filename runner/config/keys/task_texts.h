// The texts that tasks read.
#pragma once

#include <array>

#include "runner/config/keys/task_row.h"

namespace runner {

inline constexpr TextSize kWikiText103Size = {540e6, 103e6, 117e6, 0.0021, 267735},
                          kWikiText2Size = {10.8e6, 2.09e6, 2.4e6, 0.104, 33278};

inline constexpr std::array kWikiText103 = {
    TextSource{
        "wikitext-103", "raw", "wiki.train.raw", "wiki.valid.raw", "wiki.test.raw",
        "540 MB of raw text for training, 1.1 and 1.3 MB",
        "wikitext-103-raw-v1.zip (192 MB) of https://wikitext.smerity.com, by `lcsm data get "
        "wikitext-103-raw --from wikitext-103-raw-v1.zip`",
        kWikiText103Size},
    TextSource{"wikitext-103", "tokens", "wiki.train.tokens train.txt",
               "wiki.valid.tokens valid.txt", "wiki.test.tokens test.txt",
               "540 MB of words for training, 1.1 and 1.3 MB",
               "wikitext-103-v1.zip (190 MB) of https://wikitext.smerity.com, by `lcsm data get "
               "wikitext-103 --from wikitext-103-v1.zip`",
               kWikiText103Size},
};
inline constexpr std::array kWikiText2 = {
    TextSource{"wikitext-2", "raw", "wiki.train.raw", "wiki.valid.raw", "wiki.test.raw",
               "11 MB of raw text for training, 1.1 and 1.3 MB",
               "wikitext-2-raw-v1.zip (4.7 MB) of https://wikitext.smerity.com", kWikiText2Size,
               "lcsm data get wikitext-2-raw"},
    TextSource{"wikitext-2", "tokens", "wiki.train.tokens train.txt", "wiki.valid.tokens valid.txt",
               "wiki.test.tokens test.txt", "10.8 MB of words for training, 1.1 and 1.3 MB",
               "wikitext-2-v1.zip (4.5 MB) of https://wikitext.smerity.com", kWikiText2Size,
               "lcsm data get wikitext-2"},
};
inline constexpr std::array kTinyShakespeare = {
    TextSource{"tiny-shakespeare tinyshakespeare",
               "",
               "input.txt",
               "",
               "",
               "1.1 MB of text",
               "data/tinyshakespeare of https://github.com/karpathy/char-rnn",
               {1.0e6, 0.23e6, 0.30e6, 0.055, 24e3},
               "lcsm data get tiny-shakespeare"},
};
inline constexpr std::array kEnwik8 = {
    TextSource{"enwik8",
               "",
               "train.txt",
               "valid.txt",
               "test.txt",
               "90 MB of text for training, 5 and 5 MB",
               "enwik8.zip (36 MB) of https://mattmahoney.net/dc, by `lcsm data get enwik8 --from "
               "enwik8.zip`",
               {90e6, 13.1e6, 25e6, 0.0556, 750e3}},
};
inline constexpr std::array kAnyText = {
    TextSource{"text",
               "",
               "train.txt",
               "valid.txt",
               "test.txt",
               "your own texts",
               "",
               {1e6, 0.2e6, 0.25e6, 0.055, 33e3}},
};

}  // namespace runner
