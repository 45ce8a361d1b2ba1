// Writes Markdown, LaTeX and HTML: the cells' text with each format's markup.
#include <algorithm>

#include "lcsm/base/words.h"
#include "results/tables/claim.h"
#include "results/tables/table_formats.h"
#include "results/text/escape.h"

namespace results {
namespace {

using Escape = std::string (*)(std::string_view);

struct Markup {
  Escape text;
  std::string bold, bold_end, plus_minus, above, above_end, worse, minus, spread;
};

std::string mean_of(const ShownCell& cell, const Markup& markup) {
  const bool negative = cell.number && cell.text.starts_with('-');
  const std::string text = negative ? markup.minus + cell.text.substr(1) : markup.text(cell.text);
  return cell.star == "*" ? markup.bold + text + markup.bold_end : text;
}

// The text after the sign: the standard deviation, and the marks.
std::string spread_of(const ShownCell& cell, const Markup& markup) {
  std::string out = cell.interval.empty() ? cell.sd : " " + cell.interval;
  if (!cell.n.empty()) out += " (" + cell.n + ")";
  if (cell.star == "~") out += markup.worse;
  if (!cell.marks.empty()) out += markup.above + cell.marks + markup.above_end;
  return out;
}

std::string cell_of(const ShownCell& cell, const Markup& markup) {
  return mean_of(cell, markup) + (cell.sd.empty() ? "" : markup.plus_minus) +
         spread_of(cell, markup);
}

// Signs look as in the cells: the star is bold print, marks are superscripts.
std::string sign_of(const std::string& sign, const Markup& markup) {
  if (sign == "*") return markup.bold + "Bold" + markup.bold_end + ":";
  if (sign == "+-") return markup.spread;
  return sign == "~" ? markup.worse : markup.above + sign + markup.above_end;
}

// Signs look as in the cells: the star is bold print, marks are superscripts.
std::string note_of(const TableNote& note, const Markup& markup) {
  std::string out;
  for (const TableNote::Part& part : note.parts) {
    if (!part.sign.empty()) out += sign_of(part.sign, markup) + " ";
    out += markup.text(part.text);
  }
  return out.substr(std::min(out.size(), out.find_first_not_of(' ')));
}

// "supported: ..." with the verdict in bold print.
std::string claim_of(const Claim& claim, const Markup& markup) {
  return markup.bold + verdict_name(claim) + markup.bold_end +
         markup.text(": " + claim_reason(claim));
}

const Markup kMarkdown{markdown_text, "**", "**", " ± ", " <sup>", "</sup>", " ~", "-", "±"};
const Markup kTex{tex_text, "\\textbf{",  "}",   "\\,$\\pm$\\,", "\\textsuperscript{",
                  "}",      "\\,$\\sim$", "$-$", "$\\pm$"};
const Markup kHtml{html_text, "<b>", "</b>", " ± ", "<sup>", "</sup>", " ~", "-", "±"};

std::string tex_paragraph(const std::string& text) {
  return "\n\\par\\smallskip{\\noindent\\footnotesize " + text + "\\par}\n";
}

std::string in_two(const char* side, const std::string& text) {
  return std::string("\\multicolumn{2}{") + side + "}{" + text + "}";
}

bool explains_signs(const TableNote& note) {
  return note.about == TableNote::About::kSpread || note.about == TableNote::About::kBest ||
         note.about == TableNote::About::kMark;
}

// Explains the signs in the cells; marks share a line.
std::vector<std::string> tex_legend(const Table& table) {
  std::vector<std::string> notes, marks;
  for (const TableNote& note : table.notes)
    if (explains_signs(note))
      (note.about == TableNote::About::kMark ? marks : notes).push_back(note_of(note, kTex));
  if (!marks.empty()) notes.push_back(lcsm::joined(marks, "; "));
  return notes;
}

// The other notes, and the claims.
std::vector<std::string> tex_notes(const Table& table) {
  std::vector<std::string> notes;
  for (const TableNote& note : table.notes)
    if (!explains_signs(note)) notes.push_back(note_of(note, kTex));
  for (const Claim& claim : table.claims) notes.push_back(claim_of(claim, kTex));
  return notes;
}

}  // namespace

std::string table_markdown(const Table& table) {
  const ShownTable all = shown(table);
  std::string out = table.title.empty() ? "" : "**" + markdown_text(table.title) + "**\n\n";
  std::string rule = "|";
  out += "|";
  for (std::size_t i = 0; i < all.headers.size(); ++i) {
    out += " " + markdown_text(all.headers[i]) + " |";
    rule += all.numeric[i] ? "---:|" : "---|";
  }
  out += "\n" + rule + "\n";
  for (const auto& row : all.rows) {
    out += "|";
    for (const ShownCell& cell : row) out += " " + cell_of(cell, kMarkdown) + " |";
    out += "\n";
  }
  for (const TableNote& note : table.notes) out += "\n- " + note_of(note, kMarkdown);
  if (!table.notes.empty()) out += "\n";
  for (const Claim& claim : table.claims)
    out += (&claim == &table.claims[0] ? "\n- " : "- ") + claim_of(claim, kMarkdown) + "\n";
  return out;
}

std::string table_tex(const Table& table, bool notes) {
  const ShownTable all = shown(table);
  std::vector<bool> spread;  // columns aligned at the sign between mean and standard deviation
  for (std::size_t i = 0; i < all.headers.size(); ++i)
    spread.push_back(std::any_of(all.rows.begin(), all.rows.end(),
                                 [&](const auto& row) { return !row[i].sd.empty(); }));
  std::string out = "% needs \\usepackage{booktabs} and \\usepackage[T1]{fontenc}\n";
  const std::vector<std::string> below = tex_notes(table);
  for (std::string note : below) {
    std::replace(note.begin(), note.end(), '\n', ' ');
    if (!notes) out += "% " + note + "\n";
  }
  out += "\\begin{tabular}{";
  for (std::size_t i = 0; i < all.headers.size(); ++i)
    out += spread[i] ? "r@{" + kTex.plus_minus + "}l" : all.numeric[i] ? "r" : "l";
  out += "}\n\\toprule\n";
  for (std::size_t i = 0; i < all.headers.size(); ++i)
    out += (i > 0 ? " & " : "") +
           (spread[i] ? in_two("c", tex_text(all.headers[i])) : tex_text(all.headers[i]));
  out += " \\\\\n\\midrule\n";
  for (const auto& row : all.rows) {
    for (std::size_t i = 0; i < row.size(); ++i)
      out += (i > 0 ? " & " : "") + (!spread[i] ? cell_of(row[i], kTex)
                                     : row[i].sd.empty()
                                         ? in_two("l", cell_of(row[i], kTex))
                                         : mean_of(row[i], kTex) + " & " + spread_of(row[i], kTex));
    out += " \\\\\n";
  }
  out += "\\bottomrule\n\\end{tabular}\n";
  for (const std::string& note : tex_legend(table)) out += tex_paragraph(note);
  for (const std::string& note : below)
    if (notes) out += tex_paragraph(note);
  return out;
}

std::string table_html(const Table& table) {
  const ShownTable all = shown(table);
  std::string out = "<table>\n";
  if (!table.title.empty()) out += "<caption>" + html_text(table.title) + "</caption>\n";
  const auto cell = [&](std::size_t column, const char* tag, const std::string& text) {
    const std::string side = all.numeric[column] ? " style=\"text-align:right\"" : "";
    return "<" + std::string(tag) + side + ">" + text + "</" + tag + ">";
  };
  out += "<thead><tr>";
  for (std::size_t i = 0; i < all.headers.size(); ++i)
    out += cell(i, "th", html_text(all.headers[i]));
  out += "</tr></thead>\n<tbody>\n";
  for (const auto& row : all.rows) {
    out += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i) out += cell(i, "td", cell_of(row[i], kHtml));
    out += "</tr>\n";
  }
  out += "</tbody>\n</table>\n";
  if (table.notes.empty() && table.claims.empty()) return out;
  out += "<ul>\n";
  for (const Claim& claim : table.claims) out += "<li>" + claim_of(claim, kHtml) + "</li>\n";
  for (const TableNote& note : table.notes) out += "<li>" + note_of(note, kHtml) + "</li>\n";
  return out + "</ul>\n";
}

}  // namespace results
