#include "results/store/schema.h"

#include <array>
#include <string>

#include "results/store/schema_files.h"

namespace results {
namespace {

constexpr std::array kScripts = {kSchema1, kSchema2, kSchema3, kSchema4, kSchema5, kSchema6};

std::string number(std::int64_t value) { return std::to_string(value); }

}  // namespace

std::span<const std::string_view> schema_scripts() { return kScripts; }

void migrate(Database& database, std::span<const std::string_view> scripts) {
  const auto newest = static_cast<std::int64_t>(scripts.size());
  if (database.integer("PRAGMA user_version") == newest &&
      database.integer("PRAGMA application_id") == kApplicationId)
    return;
  Transaction transaction(database);
  const std::int64_t version = database.integer("PRAGMA user_version");
  const std::int64_t kind = database.integer("PRAGMA application_id");
  const bool fresh = database.integer("SELECT count(*) FROM sqlite_master") == 0;
  if (!fresh && kind != kApplicationId)
    throw std::runtime_error("expected a results.db, got a database of another program");
  if (version > newest)
    throw std::runtime_error(
        "expected a results.db of version " + number(newest) + " or older, got " + number(version) +
        ": use the newer lcsm that wrote it, or remove it and run `lcsm rebuild`");
  for (std::int64_t next = fresh ? 0 : version; next < newest; ++next)
    database.run(std::string(scripts[static_cast<std::size_t>(next)]));
  database.run("PRAGMA user_version = " + number(newest));
  database.run("PRAGMA application_id = " + number(kApplicationId));
  transaction.commit();
}

void expect_newest(Database& database) {
  const auto newest = static_cast<std::int64_t>(kScripts.size());
  const std::int64_t version = database.integer("PRAGMA user_version");
  if (database.integer("PRAGMA application_id") != kApplicationId)
    throw std::runtime_error("expected a results.db, got a database of another program");
  if (version != newest)
    throw std::runtime_error("expected a results.db of version " + number(newest) + ", got " +
                             number(version) + ": run `lcsm rebuild` to rebuild it");
}

}  // namespace results
