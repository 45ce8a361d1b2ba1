// Data sets that others publish, read from their files as they are and written as files of ours.
#pragma once

#include <array>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "runner/datasets/data_file_writer.h"
#include "runner/datasets/intake_error.h"
#include "runner/files/sha256.h"
#include "runner/tasks/split.h"

namespace runner {

using SplitExamples = std::array<std::vector<NewExample>, 3>;

struct IntakeRow {
  std::string_view name, help;
  std::string_view files;                  // what the folder must hold
  std::string_view source, size, licence;  // for people without it
  DataShape shape;
  SplitExamples (*read)(const std::filesystem::path& from, Sha256& contents);
};

std::span<const IntakeRow> intake_rows();
const IntakeRow* find_intake(std::string_view name);  // null if there is none

// All is read and checked before anything is written. Files that are there from the same contents
// are kept; others are refused with std::invalid_argument. Throws IntakeError and lcsm::WriteError.
void take_dataset(const IntakeRow& row, const std::filesystem::path& from,
                  const std::filesystem::path& folder);

}  // namespace runner
