// A database as text, for tests that compare databases.
#pragma once

#include <filesystem>
#include <string>

#include "results/store/database.h"

namespace results {

// Every row of every table and view but `files`, sorted.
std::string dump(Database& database);
std::string dump(const std::filesystem::path& workspace);

// The rows of a query as "a|b\nc|d\n".
std::string answer(const std::filesystem::path& workspace, const std::string& sql);

}  // namespace results
