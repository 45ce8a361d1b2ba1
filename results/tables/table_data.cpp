// CSV and JSON: every number in full precision, with all its details.
#include <cmath>
#include <nlohmann/json.hpp>

#include "lcsm/base/words.h"
#include "results/tables/table_formats.h"
#include "results/text/grid.h"

namespace results {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(double value) {
  return std::isfinite(value) ? Json(value) : std::isnan(value) ? Json() : Json(cell_text(value));
}
Json json_of(const std::optional<double>& value) { return value ? json_of(*value) : Json(); }

std::vector<std::string> meanings(const TableCell& cell) {
  std::vector<std::string> out;
  for (const Mark mark : cell.marks) out.emplace_back(row_of(mark).meaning);
  return out;
}

Json json_of(const TableCell& cell) {
  Json runs = Json::array();
  for (const Sample& sample : cell.samples)
    runs.push_back({{"id", sample.id},
                    {"seed", sample.seed},
                    {"status", stored_name(sample.state)},
                    {"commit", sample.commit},
                    {"value", json_of(sample.value)}});
  const Statistics& s = cell.statistics;
  Json json = {{"mean", json_of(s.mean)},
               {"sd", json_of(s.sd)},
               {"median", json_of(s.median)},
               {"interval", {json_of(s.low), json_of(s.high)}},
               {"n", s.n},
               {"best", cell.best},
               {"not_worse", cell.not_worse},
               {"difference", json_of(cell.difference)},
               {"published", json_of(cell.published)},
               {"as_paper", cell.as_paper},
               {"chosen", cell.chosen},
               {"marks", meanings(cell)},
               {"runs", runs}};
  if (!cell.text.empty()) json["text"] = cell.text;
  if (cell.estimate)
    json["estimate"] = {{"value", json_of(cell.estimate->value)},
                        {"interval", {json_of(cell.estimate->low), json_of(cell.estimate->high)}}};
  return json;
}

Json json_of(const Claim& claim) {
  return {{"claim", claim.text},
          {"paper", claim.paper},
          {"verdict", kVerdicts[static_cast<std::size_t>(claim.verdict)]},
          {"metric", claim.metric},
          {"against", claim.against},
          {"effect", json_of(claim.effect)},
          {"interval", {json_of(claim.low), json_of(claim.high)}},
          {"p", json_of(claim.p)},
          {"n", claim.n},
          {"seeds_needed", claim.seeds ? Json(*claim.seeds) : Json()},
          {"test", claim.test},
          {"why", claim.why},
          {"marks", claim.signs}};
}

}  // namespace

std::string table_csv(const Table& table) {
  Grid grid{table.row_keys, {}};
  grid.headers.insert(grid.headers.end(), table.column_keys.begin(), table.column_keys.end());
  for (const char* name : {"value", "mean", "sd", "median", "low", "high", "n", "best", "not_worse",
                           "difference", "published", "as_paper", "chosen", "marks"})
    grid.headers.emplace_back(name);
  const bool estimated = table.statistic != Statistic::kMean;
  if (estimated)
    for (const char* name : {"estimate", "estimate_low", "estimate_high"})
      grid.headers.emplace_back(name);
  for (std::size_t r = 0; r < table.rows.size(); ++r)
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      const TableCell& cell = table.cells[r][c];
      std::vector<Cell> row(table.rows[r].begin(), table.rows[r].end());
      row.insert(row.end(), table.columns[c].labels.begin(), table.columns[c].labels.end());
      const Statistics& s = cell.statistics;
      for (Cell value :
           {Cell{table.columns[c].value}, cell.text.empty() ? number_cell(s.mean) : Cell{cell.text},
            number_cell(s.sd), number_cell(s.median), number_cell(s.low), number_cell(s.high),
            Cell{s.n}, Cell{std::int64_t{cell.best}}, Cell{std::int64_t{cell.not_worse}},
            number_cell(cell.difference), number_cell(cell.published),
            Cell{std::int64_t{cell.as_paper}}, Cell{cell.chosen},
            Cell{lcsm::joined(meanings(cell), "; ")}})
        row.push_back(std::move(value));
      const std::optional<Estimate>& e = cell.estimate;
      if (estimated)
        for (const double value : {e ? e->value : NAN, e ? e->low : NAN, e ? e->high : NAN})
          row.push_back(number_cell(value));
      grid.rows.push_back(std::move(row));
    }
  return csv_of(grid);
}

std::string table_json(const Table& table) {
  Json json = {{"schema", "lcsm.table/1"},   {"title", table.title},
               {"row_keys", table.row_keys}, {"column_keys", table.column_keys},
               {"rows", table.rows},         {"columns", Json::array()},
               {"cells", Json::array()},     {"notes", note_texts(table)}};
  if (table.statistic != Statistic::kMean)
    json["statistic"] = kStatistics[static_cast<std::size_t>(table.statistic)].name;
  for (const TableColumn& column : table.columns)
    json["columns"].push_back({{"labels", column.labels},
                               {"value", column.value},
                               {"lower_is_better", column.lower_better}});
  for (const auto& cells : table.cells) {
    Json row = Json::array();
    for (const TableCell& cell : cells) row.push_back(json_of(cell));
    json["cells"].push_back(std::move(row));
  }
  if (!table.claims.empty()) json["claims"] = Json::array();
  for (const Claim& claim : table.claims) json["claims"].push_back(json_of(claim));
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace results
