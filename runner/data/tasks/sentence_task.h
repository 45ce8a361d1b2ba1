// Tasks that translate: pairs of sentences in our file format, as texts in bytes. A text may be
// followed by a newline and the text as published, before Moses tokenized it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "runner/config/run/run_config.h"
#include "runner/data/tasks/task.h"

namespace runner {

bool reads_sentences(const RunConfig& config);

// The name of the run's data set.
std::string sentence_set_name(const RunConfig& config);

std::string_view tokenized_text(std::string_view stored);
std::string_view published_text(std::string_view stored);  // "" if it is the text itself

// The number of training examples for `sentences` sentences: about as many bundles as their tokens
// fill, or the sentences themselves.
std::int64_t bundles_in(const RunConfig& config, std::int64_t sentences);

// Functions for the rows of tasks/task.cpp.
TaskCount sentence_vocabulary(const RunConfig& config);
TaskCount sentence_examples(const RunConfig& config, Split split);
std::int64_t sentence_scored(const RunConfig& config);
std::vector<FilePart> sentence_files(const RunConfig& config,
                                     const std::filesystem::path& workspace);
void require_sentences(const RunConfig& config, const std::filesystem::path& workspace);

}  // namespace runner
