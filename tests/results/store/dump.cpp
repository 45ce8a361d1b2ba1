#include "tests/results/store/dump.h"

#include <vector>

#include "results/store/store.h"

namespace results {
namespace {

std::string rows(Database& database, const std::string& sql) {
  Statement select(database, sql);
  std::string all;
  while (select.step())
    for (int i = 0; i < select.columns(); ++i)
      all += select.text(i) + (i + 1 < select.columns() ? "|" : "\n");
  return all;
}

}  // namespace

std::string dump(Database& database) {
  std::vector<std::string> names;
  Statement select(database,
                   "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') "
                   "AND name != 'files' ORDER BY name");
  while (select.step()) names.push_back(select.text(0));
  std::string all;
  for (const std::string& name : names) {
    std::string order = "1";
    const Statement columns(database, "SELECT * FROM " + name);
    for (int i = 2; i <= columns.columns(); ++i) order += ", " + std::to_string(i);
    all += "-- " + name + "\n" + rows(database, "SELECT * FROM " + name + " ORDER BY " + order);
  }
  return all;
}

std::string dump(const std::filesystem::path& workspace) {
  return dump(*open_for_reading(workspace));
}

std::string answer(const std::filesystem::path& workspace, const std::string& sql) {
  return rows(*open_for_reading(workspace), sql);
}

}  // namespace results
