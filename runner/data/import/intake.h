// Imports published data sets: reads their original files and writes our data files.
#pragma once

#include <filesystem>
#include <span>
#include <string_view>

#include "runner/data/import/intake_row.h"

namespace runner {

std::span<const IntakeRow> intake_rows();
const IntakeRow* find_intake(std::string_view name);  // null if there is none

// Reads and checks everything before it writes. Keeps existing files that were imported from equal
// contents; refuses others with std::invalid_argument. Throws IntakeError and lcsm::WriteError.
void take_dataset(const IntakeRow& row, const std::filesystem::path& from,
                  const std::filesystem::path& folder);

}  // namespace runner
