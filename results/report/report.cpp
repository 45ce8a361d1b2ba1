#include "results/report/report.h"

#include <algorithm>
#include <set>

#include "lcsm/base/words.h"
#include "results/report/report_style.h"
#include "results/tables/findings.h"
#include "results/tables/table_formats.h"
#include "results/text/escape.h"

namespace results {
namespace {

bool is_number(const Cell& cell) {
  return std::holds_alternative<std::int64_t>(cell) || std::holds_alternative<double>(cell);
}

std::string grid_html(const Grid& grid) {
  std::string out = "<div class=\"wide\"><table>\n<thead><tr>";
  for (const std::string& header : grid.headers) out += "<th>" + html_text(header) + "</th>";
  out += "</tr></thead>\n<tbody>\n";
  for (const auto& row : grid.rows) {
    out += "<tr>";
    for (const Cell& cell : row)
      out += (is_number(cell) ? "<td class=\"number\">" : "<td>") + html_text(cell_text(cell)) +
             "</td>";
    out += "</tr>\n";
  }
  return out + "</tbody>\n</table></div>\n";
}

// Shows a value that all rows share once, above them, and leaves out empty columns.
std::string grid_without_repeats(Grid grid) {
  std::string common;
  for (std::size_t column = grid.headers.size(); column-- > 0;) {
    std::set<std::string> texts;
    for (const auto& row : grid.rows) texts.insert(cell_text(row[column]));
    if (texts.size() != 1) continue;
    if (!texts.begin()->empty())
      common = grid.headers[column] + ": " + *texts.begin() + (common.empty() ? "" : ", ") + common;
    const auto at = static_cast<std::ptrdiff_t>(column);
    grid.headers.erase(grid.headers.begin() + at);
    for (auto& row : grid.rows) row.erase(row.begin() + at);
  }
  return (common.empty() ? "" : "<p class=\"small\">" + html_text(common) + "</p>\n") +
         (grid.headers.empty() ? "" : grid_html(grid));
}

std::string section(const char* id, const std::string& title, const std::string& body) {
  return "<section id=\"" + std::string(id) + "\">\n<h2>" + title + "</h2>\n" + body +
         "</section>\n";
}

std::string folded(const std::string& summary, const std::string& body) {
  return "<details><summary>" + html_text(summary) + "</summary>\n" + body + "</details>\n";
}

// Prose in which words with a hyphen, such as codes, stay on one line.
std::string prose_html(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string_view word = text.substr(at, end - at);
    const bool whole = word.find('-') != std::string_view::npos && word.size() > 1;
    out += whole ? "<span class=\"whole\">" + html_text(word) + "</span>" : html_text(word);
    if (end < text.size()) out += ' ';
    at = end + 1;
  }
  return out;
}

std::string claims_html(const std::vector<Claim>& claims) {
  std::string out = "<ul class=\"claims\">\n";
  for (const Claim& claim : claims) {
    const std::string verdict = verdict_name(claim);
    out +=
        "<li><b class=\"" + verdict + "\">" + verdict + "</b> " + prose_html(claim_reason(claim));
    if (!claim.paper.empty()) out += "<br><q>" + html_text(claim.paper) + "</q>";
    out += "</li>\n";
  }
  return out + "</ul>\n";
}

std::string figure_html(const ReportFigure& one, const std::string& no_pictures) {
  const Figure& figure = one.figure;
  std::string out = "<figure>\n";
  if (one.svg.empty())
    out += "<p>No picture: " + html_text(no_pictures) + "</p>\n";
  else
    out += "<div class=\"wide\">" + one.svg + "</div>\n";
  out += "<figcaption>" +
         html_text(!figure.title.empty() ? figure.title
                   : figure.x.empty()    ? figure.y
                                         : figure.y + " over " + figure.x) +
         "\n<ul>\n";
  for (const std::string& note : figure.notes) out += "<li>" + html_text(note) + "</li>\n";
  out += "</ul></figcaption>\n</figure>\n";
  return out + folded(
                   "the numbers", "<pre>" + [&] {
                     std::string lines;
                     for (std::string rest = figure_csv(figure); !rest.empty();) {
                       const std::size_t end = rest.find('\n');
                       lines += html_text(rest.substr(0, end)) + "\n";
                       rest.erase(0, end + 1);
                     }
                     return lines;
                   }() + "</pre>\n");
}

bool is_used(Mark mark, const Report& report) {
  for (const Table& table : report.tables)
    for (const auto& row : table.cells)
      for (const TableCell& cell : row)
        if (std::find(cell.marks.begin(), cell.marks.end(), mark) != cell.marks.end()) return true;
  return false;
}

std::string findings_html(const Table& table) {
  std::string out;
  for (const std::string& text : findings(table)) out += "<p>" + prose_html(text) + "</p>\n";
  return out;
}

// The marks of the tables; figures and claims explain theirs.
std::string marks_html(const Report& report) {
  std::string out =
      "<p>Only finished runs are averaged. Cells with no finished run show a running one. "
      "<b>Bold</b> is the best of its column, ~ not significantly worse.</p>\n";
  std::string rows;
  for (const MarkRow& row : kMarks)
    if (is_used(row.mark, report))
      rows += "<dt>" + html_text(row.sign) + "</dt><dd>" + html_text(row.meaning) + "</dd>\n";
  return rows.empty() ? out : out + "<dl>\n" + rows + "</dl>\n";
}

std::string head(const std::string& title) {
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
         "style-src 'unsafe-inline'\">\n<title>" +
         html_text(title) + "</title>\n<style>" + report_style() + "</style>\n</head>\n<body>\n";
}

// Joins the lines of a text: the page breaks them again.
std::string flowed(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

}  // namespace

std::string report_html(const Report& report) {
  const std::string sweep = report.sweep.empty() ? "All runs" : report.sweep;
  const std::string title = report.title.empty() ? sweep : report.title;
  std::string out = head(title) + "<header>\n<h1>" + html_text(title) + "</h1>\n";
  if (!report.question.empty())
    out += "<p class=\"question\">" + prose_html(flowed(report.question)) + "</p>\n";
  out += "<p class=\"small\">" + html_text(report.sweep.empty() ? "all runs" : report.sweep) +
         ", " + lcsm::counted(report.runs.rows.size(), "run") + "</p>\n</header>\n<main>\n";
  if (!report.claims.empty()) out += section("claims", "Claims", claims_html(report.claims));
  std::string tables, figures;
  for (const Table& table : report.tables)
    tables += "<div class=\"wide\">" + table_html(table) + "</div>\n" + findings_html(table);
  for (const ReportFigure& figure : report.figures)
    figures += figure_html(figure, report.no_pictures);
  if (!tables.empty()) out += section("tables", "Tables", tables);
  if (!figures.empty()) out += section("figures", "Figures", figures);
  out += section("marks", "Marks", marks_html(report));
  std::string setup;
  for (const Grid& sizes : report.sizes)  // tables may have the same rows
    if (const std::string text = grid_without_repeats(sizes); setup.find(text) == std::string::npos)
      setup += text;
  if (!report.setup.rows.empty())
    out += section("setup", "Setup",
                   setup + folded(lcsm::counted(report.setup.rows.size(), "setting"),
                                  grid_html(report.setup)));
  if (!report.gates.rows.empty()) out += section("gates", "Gates", grid_html(report.gates));
  if (!report.published.rows.empty())
    out += section("paper", "Published numbers", grid_without_repeats(report.published));
  out += section("runs", "Runs",
                 folded(lcsm::counted(report.runs.rows.size(), "run"), grid_html(report.runs)));
  out += section("environments", "Environments",
                 folded(lcsm::counted(report.environments.rows.size(), "fact"),
                        grid_html(report.environments)));
  return out + "</main>\n</body>\n</html>\n";
}

}  // namespace results
