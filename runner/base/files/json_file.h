// Our small JSON files: validated when read, written atomically.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

namespace runner {

// The result is_discarded() if the file is missing or not valid JSON.
nlohmann::ordered_json read_json_file(const std::filesystem::path& file);

// null if the value is not finite, since JSON has only finite numbers.
nlohmann::ordered_json number_json(double value);

// Replacement characters stand for bytes that are not UTF-8.
std::string json_line(const nlohmann::ordered_json& json);  // without its newline

// The text that `--json` prints; with `indent` -1 it is one line.
std::string printed_json(const nlohmann::ordered_json& json, int indent = 2);

// Writes printed_json. Throws std::system_error.
void write_json_file(const std::filesystem::path& file, const nlohmann::ordered_json& json);

}  // namespace runner
