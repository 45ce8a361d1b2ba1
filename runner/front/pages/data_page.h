// Prints the pages of `lcsm data`.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "runner/base/text/terminal.h"
#include "runner/data/datasets/check.h"
#include "runner/data/import/found.h"
#include "runner/data/import/texts.h"

namespace runner {

std::string datasets_text(const std::vector<FoundDataset>& all, const Terminal& terminal);
std::string datasets_json(const std::vector<FoundDataset>& all);

// Facts about three texts, by split, and their mistakes.
struct TextsFacts {
  std::array<TextFacts, 3> splits;
  std::vector<std::string> mistakes;
};
std::string texts_facts_text(const TextsFacts& facts, const Terminal& terminal);
std::string texts_facts_json(const std::filesystem::path& folder, const TextsFacts& facts);

std::string dataset_facts_text(const DatasetFacts& facts, const Terminal& terminal);
std::string dataset_facts_json(const std::filesystem::path& folder, const DatasetFacts& facts);

}  // namespace runner
