#include "runner/front/views/report_gates.h"

#include <exception>
#include <utility>

#include "lcsm/base/words.h"
#include "results/store/run_facts.h"
#include "runner/config/run/run_id.h"

namespace runner {
namespace {

// "floored" for "1-floored-1-2@tau=8".
std::string gate_name(const std::string& code) {
  const std::size_t start = code.find('-') + 1;
  return code.substr(start, code.find('-', start) - start);
}

std::string text_of(const lcsm::Expr& formula) { return formula ? lcsm::to_string(formula) : ""; }

// "w_d = 0.5 + 0.1 * normal; p_d = 0"
std::string text_of(const std::map<lcsm::Symbol, lcsm::Expr>& formulas) {
  return lcsm::joined_of(
      formulas,
      [](const auto& one) { return lcsm::to_string(one.first) + " = " + text_of(one.second); },
      "; ");
}

std::vector<results::Cell> row_of(const std::string& name, const std::string& gate,
                                  const std::string& help) {
  try {
    const lcsm::Oscillation is = oscillation_of(name, gate);
    return {name,
            text_of(is.o),
            text_of(is.scale),
            text_of(is.read),
            text_of(is.inits),
            text_of(is.ranks),
            help};
  } catch (const std::exception&) {  // formulas of another version
    return {name, gate, "", "", "", "", help};
  }
}

std::string help_of(const std::string& name, const std::string& gate,
                    const lcsm::Catalogue& catalogue) {
  const lcsm::Oscillation* found = catalogue.find(name);
  return found != nullptr && gate_text_of(*found) == gate ? found->help : "";
}

void leave_out_empty_columns(results::Grid* grid) {
  for (std::size_t column = grid->headers.size(); column-- > 0;) {
    bool empty = true;
    for (const auto& row : grid->rows) empty = empty && results::cell_text(row[column]).empty();
    if (!empty) continue;
    const auto at = static_cast<std::ptrdiff_t>(column);
    grid->headers.erase(grid->headers.begin() + at);
    for (auto& row : grid->rows) row.erase(row.begin() + at);
  }
}

}  // namespace

results::Grid report_gates(results::Database& database, const std::string& sweep,
                           const std::set<std::string>& only, const lcsm::Catalogue& catalogue) {
  results::Statement select(database,
                            "SELECT DISTINCT r.id, g.value, c.value FROM runs r "
                            "JOIN settings g ON g.id = r.id AND g.key = 'model.oscillation' "
                            "JOIN settings c ON c.id = r.id AND c.key = 'model.code'");
  const std::set<std::string> ids = results::existing_runs(database, sweep, only);
  std::set<std::pair<std::string, std::string>> gates;  // two gates may have had one name
  while (select.step())
    if (ids.contains(select.text(0))) gates.insert({gate_name(select.text(2)), select.text(1)});
  results::Grid grid{{"gate", "o", "scale", "read", "first values", "ranks", "help"}, {}};
  for (const auto& [name, gate] : gates)
    grid.rows.push_back(row_of(name, gate, help_of(name, gate, catalogue)));
  leave_out_empty_columns(&grid);
  return grid;
}

}  // namespace runner
