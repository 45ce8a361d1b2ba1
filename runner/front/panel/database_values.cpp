#include "runner/front/panel/database_values.h"

#include <csignal>
#include <ctime>
#include <stdexcept>
#include <utility>

#include "results/store/current_results.h"
#include "results/store/fold.h"
#include "results/store/store.h"
#include "runner/config/keys/roles.h"
#include "runner/sweeps/plan/open_results.h"
#include "runner/workspace/folder.h"

namespace runner {
namespace {

// True if some run has the metric or parameter by now.
bool is_known(results::Database& database, const std::string& name) {
  results::Statement found(database,
                           "SELECT 1 FROM parameters WHERE key = ?1 UNION ALL "
                           "SELECT 1 FROM summaries WHERE metric = ?1 LIMIT 1",
                           name);
  return found.step();
}

// A value that no run has yet becomes a column later.
std::optional<results::Table> table_of(results::Database& database, results::TableSpec spec) {
  const bool chosen = !spec.values.empty();
  std::erase_if(spec.values, [&](const std::string& value) {
    return !is_known(database, results::parse_value(value).metric);
  });
  if (chosen && spec.values.empty()) return std::nullopt;
  try {
    return results::make_table(database, kRoles, spec);
  } catch (const std::invalid_argument&) {
    return std::nullopt;
  }
}

// The first validation metric of the table, else of any of its runs.
std::string metric_of(results::Database& database, const std::optional<results::Table>& table,
                      const results::TableSpec& spec) {
  if (table)
    for (const results::TableColumn& column : table->columns)
      if (column.value.starts_with("valid.")) return column.value;
  results::Statement rows(database,
                          "SELECT metric, id FROM summaries JOIN runs USING (run) "
                          "WHERE metric GLOB 'valid.*' ORDER BY metric");
  while (rows.step())
    if (spec.scope.only.contains(rows.text(1))) return rows.text(0);
  return "";
}

std::unordered_map<std::string, results::Summary> summaries_of(results::Database& database,
                                                               const std::string& metric) {
  std::unordered_map<std::string, results::Summary> found;
  results::Statement rows(database,
                          "SELECT id, last, lowest, highest FROM summaries JOIN runs USING (run) "
                          "WHERE metric = ?",
                          metric);
  while (rows.step()) {
    results::Summary summary;
    summary.last = rows.real(1);
    summary.lowest = {!rows.is_null(2), rows.real(2), 0};
    summary.highest = {!rows.is_null(3), rows.real(3), 0};
    found.emplace(rows.text(0), summary);
  }
  return found;
}

// If the database cannot be written, reads it as it is or, with `once`, reads the run folders.
std::unique_ptr<results::Database> open_database(const DatabaseQuery& query) {
  const results::FoldOptions options = fold_options(kReadersPatience);
  if (query.once) return std::move(results::current_results(query.workspace, options).database);
  try {
    results::fold(query.workspace, options);
  } catch (const std::exception&) {
  }
  return results::open_for_reading(query.workspace, kReadersPatience);
}

double thread_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace

std::optional<DatabaseValues> read_database(const DatabaseQuery& query) {
  if (!is_workspace(query.workspace)) return std::nullopt;
  const double start = thread_seconds();
  try {
    const auto database = open_database(query);
    DatabaseValues values{table_of(*database, query.table), query.metric, {}, 0};
    if (values.metric.empty()) values.metric = metric_of(*database, values.table, query.table);
    if (!values.metric.empty())
      values.of_run = summaries_of(*database, results::parse_value(values.metric).metric);
    values.seconds = thread_seconds() - start;
    return values;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

std::future<std::optional<DatabaseValues>> read_database_beside(DatabaseQuery query) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  auto values = std::async(std::launch::async, read_database, std::move(query));
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return values;
}

}  // namespace runner
