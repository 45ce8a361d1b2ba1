// Migrates results.db: schema/1.sql turns an empty file into version 1, schema/2.sql turns that
// into version 2, and so on.
#pragma once

#include <span>
#include <string_view>

#include "results/store/database.h"

namespace results {

// The script of version n is at index n - 1.
std::span<const std::string_view> schema_scripts();

inline constexpr int kApplicationId = 0x4C43534D;  // "LCSM"

// Migrates `database` to the newest version in one transaction. Throws std::runtime_error for a
// file that is not a results.db or is newer than this program.
void migrate(Database& database, std::span<const std::string_view> scripts = schema_scripts());

// Throws std::runtime_error unless it is a results.db of the newest version.
void expect_newest(Database& database);

}  // namespace results
