// Formats the cells as short text, shared by all formats.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "lcsm/base/words.h"
#include "results/tables/table_formats.h"
#include "results/tables/table_steps.h"
#include "results/text/number_text.h"

namespace results {
namespace {

std::string fixed(double value, int decimals, bool sign = false) {
  if (std::isnan(value)) return "";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  char text[400];  // the largest double has 309 digits
  std::snprintf(text, sizeof text, sign ? "%+.*f" : "%.*f", decimals, value);
  return text;
}

// Too large for a table, or a fraction of which the decimals show fewer than two digits.
bool needs_exponent(double value, int decimals) {
  constexpr double kWidest = 1e9;
  const double size = std::abs(value), least = std::min(1.0, std::pow(10, 1 - decimals));
  return std::isfinite(value) && size != 0 && (size < least || size >= kWidest);
}

std::string with_exponent(double value, bool sign) {
  if (!std::isfinite(value)) return fixed(value, 0);
  char text[32];
  std::snprintf(text, sizeof text, sign ? "%+.2e" : "%.2e", value);
  return text;
}

// Formats a mean, or a number that belongs to it, such as its standard deviation.
std::string beside(double mean, const TableColumn& column, double value, bool sign = false) {
  return !column.fixed && needs_exponent(mean, column.decimals)
             ? with_exponent(value, sign)
             : fixed(value, column.decimals, sign);
}

// The decimals of a paper's numbers: those of the column, and more where one is printed with more.
int printed_decimals(const Table& table, std::size_t index) {
  const TableColumn& column = table.columns[index];
  constexpr int kMost = 12;
  int decimals = column.decimals;
  if (column.fixed || column.mean) return decimals;
  for (const auto& cells : table.cells)
    if (const auto& one = cells[index].published)
      while (decimals < kMost &&
             number_in(fixed(*one, decimals)) != number_in(short_number(*one, kMost)))
        ++decimals;
  return decimals;
}

ShownCell plain(std::string text) { return {std::move(text), "", "", "", true}; }

std::string last_part(const std::string& key) { return key.substr(key.rfind('.') + 1); }

// The key's own name, or its last part.
std::string short_name(const Table& table, const std::string& key) {
  const std::string& name = shown_name(table.names, key);
  return name == key ? last_part(key) : name;
}

// "length=64 ", of the column's parameters; a name speaks for itself: "lra-text ".
std::string labels_of(const Table& table, const TableColumn& column) {
  if (column.mean) return "mean ";
  std::string text;
  for (std::size_t i = 0; i < table.column_keys.size(); ++i)
    text += (number_in(column.labels[i]) ? short_name(table, table.column_keys[i]) + "=" : "") +
            shown_name(table.names, column.labels[i]) + " ";
  return text;
}

bool has_any(const Table& table, std::optional<double> TableCell::*number) {
  return std::ranges::any_of(table.cells, [&](const auto& cells) {
    return std::ranges::any_of(cells,
                               [&](const TableCell& cell) { return (cell.*number).has_value(); });
  });
}

// An estimate with its interval; nothing where there is none.
ShownCell estimate_of(const Table& table, const TableColumn& column, const TableCell& cell) {
  ShownCell out{"", "", cell.best ? "*" : "", signs_of(cell), true};
  if (!cell.estimate) return out;
  const Estimate& estimate = *cell.estimate;
  const auto text = [&](double value) {
    return table.statistic == Statistic::kImprovement ? fixed(value, 2)
                                                      : beside(estimate.value, column, value);
  };
  out.text = text(estimate.value);
  if (!std::isnan(estimate.low))
    out.interval = "[" + text(estimate.low) + ", " + text(estimate.high) + "]";
  return out;
}

// A parameter that does not vary within the cell is shown as it was given.
ShownCell mean_of(const Table& table, const TableColumn& column, const TableCell& cell) {
  if (table.statistic != Statistic::kMean && column.is_metric)
    return estimate_of(table, column, cell);
  if (!cell.text.empty()) return {cell.text, "", "", signs_of(cell), false};
  const Statistics& s = cell.statistics;
  const bool exact = !column.is_metric && !column.fixed && s.n > 0 &&
                     (s.n == 1 || are_tied(s.mean + s.sd, s.mean));
  return {exact ? short_number(s.mean) : beside(s.mean, column, s.mean),
          exact ? "" : beside(s.mean, column, s.sd),
          cell.best        ? "*"
          : cell.not_worse ? "~"
                           : "",
          signs_of(cell),
          true,
          s.n > 0 && table.n > 0 && s.n != table.n ? std::to_string(s.n) : ""};
}

// "optim.lr=0.001" is shown as 0.001 under "lr"; several parameters also show their names.
std::string choice_of(const Table& table, const std::string& chosen) {
  if (chosen.empty()) return "";
  if (table.tuned.size() == 1) return chosen.substr(chosen.find('=') + 1);
  std::string text;
  for (std::size_t at = 0; at < chosen.size();) {
    const std::size_t end = std::min(chosen.find(", ", at), chosen.size());
    text += (text.empty() ? "" : ", ") + last_part(chosen.substr(at, end - at));
    at = end + 2;
  }
  return text;
}

// The values of tuned parameters that were chosen for the columns with these labels.
void show_choice(const Table& table, std::size_t index, ShownTable* out) {
  const std::string name = table.tuned.size() == 1 ? short_name(table, table.tuned[0]) : "chosen";
  out->headers.push_back(labels_of(table, table.columns[index]) + name);
  out->numeric.push_back(table.tuned.size() == 1);
  for (std::size_t row = 0; row < table.rows.size(); ++row)
    out->rows[row].push_back(plain(choice_of(table, table.cells[row][index].chosen)));
}

void show_column(const Table& table, std::size_t index, ShownTable* out) {
  const TableColumn& column = table.columns[index];
  const auto add = [&](const std::string& header, const auto& text_of) {
    out->headers.push_back(header);
    out->numeric.push_back(true);
    for (std::size_t row = 0; row < table.rows.size(); ++row)
      out->rows[row].push_back(text_of(table.cells[row][index]));
  };
  add(header_of(table, column),
      [&](const TableCell& cell) { return mean_of(table, column, cell); });
  const auto printed = [&](const TableCell& cell) {
    return cell.published && (!column.as_paper || cell.as_paper || cell.samples.empty());
  };
  if (column.has_published)
    add(column.as_paper ? "paper" : "paper, other task",
        [&, decimals = printed_decimals(table, index)](const TableCell& cell) {
          return plain(printed(cell) ? fixed(*cell.published, decimals) : "");
        });
  if (column.has_published && column.as_paper)
    add("minus paper", [&](const TableCell& cell) {
      return plain(
          cell.published && cell.as_paper
              ? beside(cell.statistics.mean, column, cell.statistics.mean - *cell.published, true)
              : "");
    });
  const auto add_any = [&](const char* header, std::optional<double> TableCell::*number,
                           const auto& text_of) {
    if (has_any(table, number))
      add(header, [&](const TableCell& cell) {
        return plain(cell.*number ? text_of(*(cell.*number)) : "");
      });
  };
  const auto ratio = [](double value) { return short_number(value, 3); };
  add_any("relative", &TableCell::ratio, ratio);
  add_any("paper's", &TableCell::published_ratio, ratio);
  if (has_any(table, &TableCell::difference))
    add("minus baseline", [&](const TableCell& cell) {
      return plain(cell.difference ? beside(shown_value(cell), column, *cell.difference, true)
                                   : "");
    });
}

}  // namespace

std::string header_of(const Table& table, const TableColumn& column) {
  return labels_of(table, column) + shown_name(table.names, column.value);
}

ShownTable shown(const Table& table) {
  ShownTable out{{}, std::vector<bool>(table.row_keys.size(), false), {}};
  for (const std::string& key : table.row_keys) out.headers.push_back(shown_name(table.names, key));
  for (const auto& labels : table.rows) {
    auto& row = out.rows.emplace_back();
    for (const std::string& label : labels)
      row.push_back({shown_name(table.names, label), "", "", "", false});
  }
  for (std::size_t column = 0; column < table.columns.size(); ++column) {
    show_column(table, column, &out);
    const bool last = column + 1 == table.columns.size() ||
                      table.columns[column + 1].labels != table.columns[column].labels;
    if (last && !table.tuned.empty() && !table.columns[column].mean)
      show_choice(table, column, &out);
  }
  return out;
}

std::vector<std::string> note_texts(const Table& table) {
  std::vector<std::string> texts;
  for (const TableNote& note : table.notes) {
    const auto text = [](const TableNote::Part& part) {
      return part.sign + (part.sign.empty() ? "" : " ") + part.text;
    };
    texts.push_back(lcsm::joined_of(note.parts, text, " "));
  }
  return texts;
}

}  // namespace results
