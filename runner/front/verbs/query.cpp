// `lcsm query`: runs SQL on results.db, read-only.
#include "results/store/query.h"

#include "runner/front/options/results_verb.h"
#include "runner/front/verbs/verbs.h"

namespace runner {
namespace {

constexpr const char* kQuerySchema = "lcsm.query/1";
constexpr const char* kQueryFooter = R"text(Examples:
  lcsm query 'SELECT * FROM overview'
  lcsm query "SELECT code, lr, n, mean, stddev FROM seeds WHERE metric = 'valid.ppl'"
  lcsm query --format csv 'SELECT * FROM history' > history.csv

Views: overview (runs), outcomes (metrics of runs), seeds (means over seeds), history (values by
step), settings (parameters), members (runs of sweeps), evaluated (evaluations). Tables: published,
refused and others. They are all described in results/README.md, with ten example queries.)text";

struct QueryOptions {
  std::string sql, workspace, format;
};

void query(const QueryOptions& options) {
  const auto database = open_results(workspace_of(options.workspace));
  print_grid(results::answer_query(*database, options.sql), options.format, kQuerySchema);
}

}  // namespace

void add_query(Verb& program) {
  Verb& verb = program.verb("query", "Query the results with SQL");
  QueryOptions& options = verb.runs(query);
  verb.argument("sql", &options.sql, "A read-only statement").type("SQL").required();
  add_format_option(verb, &options.format, kQuerySchema);
  add_workspace_option(verb, &options.workspace);
  verb.footer(kQueryFooter);
}

}  // namespace runner
