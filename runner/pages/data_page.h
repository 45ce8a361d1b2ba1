// What `lcsm data` prints: which data sets there are, and what is in one.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "runner/datasets/check.h"
#include "runner/datasets/found.h"
#include "runner/text/terminal.h"

namespace runner {

std::string datasets_text(const std::vector<FoundDataset>& all, const Terminal& terminal);
std::string datasets_json(const std::vector<FoundDataset>& all);

std::string dataset_facts_text(const DatasetFacts& facts, const Terminal& terminal);
std::string dataset_facts_json(const std::filesystem::path& folder, const DatasetFacts& facts);

}  // namespace runner
