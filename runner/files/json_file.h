// Small JSON files of ours: read without trust, written whole or not at all.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

namespace runner {

// Discarded (is_discarded) where there is no file, or it is no JSON.
nlohmann::ordered_json read_json_file(const std::filesystem::path& file);

// Text that is not UTF-8 is written with replacement characters. Throws std::system_error.
void write_json_file(const std::filesystem::path& file, const nlohmann::ordered_json& json);

}  // namespace runner
