// Small JSON files of ours: validated when read, written atomically.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

namespace runner {

// Discarded (`is_discarded()`) if the file is missing or not valid JSON.
nlohmann::ordered_json read_json_file(const std::filesystem::path& file);

// null unless it is finite, since JSON has no other numbers.
nlohmann::ordered_json number_json(double value);

// Text that is not UTF-8 is written with replacement characters. Throws std::system_error.
void write_json_file(const std::filesystem::path& file, const nlohmann::ordered_json& json);

}  // namespace runner
