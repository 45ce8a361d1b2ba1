// Readers of published files, one function per format and reading.
#pragma once

#include "runner/data/import/intake_row.h"

namespace runner {

// ----- Long Range Arena, as released -----
ReadFiles read_listops_release;
ReadFiles read_pairs;            // bytes
ReadFiles read_pair_characters;  // as S4 reads them
ReadFiles read_pathfinder;       // folders of PNG and metadata

// ----- The sources of two of its tasks -----
ReadFiles read_cifar;              // gray and split as Long Range Arena does
ReadFiles read_cifar_drawn;        // as S4 and MEGA do
ReadFiles read_cifar_colours;      // split as read_cifar
ReadFiles read_reviews;            // bytes; validation is the test
ReadFiles read_reviews_honestly;   // bytes; a tenth of the training validates
ReadFiles read_review_characters;  // as S4 reads them; validation is the test

// ----- GLUE, as released -----
ReadFiles read_glue;

// ----- Pairs of sentences -----
ReadFiles read_wmt16;           // side by side, as MEGA's script leaves them
ReadFiles read_sentence_pairs;  // tables of two columns

// ----- As MEGA prepared them -----
ReadFiles read_mega_texts;     // src-bin, label-bin
ReadFiles read_mega_pairs;     // and src1-bin
ReadFiles read_mega_pictures;  // input/*.src, label/*.label

// ----- Speech Commands: ten words -----
ReadFiles read_speech;         // clips of one second, as S4 and MEGA
ReadFiles read_speech_padded;  // all of them, shorter ones padded with zeros

// ----- Texts -----
ReadFiles read_wikitext;
ReadFiles read_one_text;  // the row's only file, with its SHA-256
ReadFiles read_enwik8;

}  // namespace runner
