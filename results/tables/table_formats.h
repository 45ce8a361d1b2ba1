// A table in the formats of files. The same table is the same bytes, everywhere.
#pragma once

#include <string>

#include "results/tables/table.h"

namespace results {

// ----- What is shown, before markup -----

struct ShownCell {
  std::string text, sd;  // "24.54", "0.12"; both may be empty
  std::string star;      // "*" best, "~" not significantly worse
  std::string marks;     // signs of kMarks: "me"
  bool number = false;
};

struct ShownTable {
  std::vector<std::string> headers;
  std::vector<bool> numeric;  // by column
  std::vector<std::vector<ShownCell>> rows;
};

// Row parameters, then for each column its mean and deviation and, where there are any, what the
// paper prints, ours minus theirs, the difference to the baseline.
ShownTable shown(const Table& table);

// The notes as lines of plain text: "* best mean of its column; ~ not significantly worse: ...".
std::vector<std::string> note_texts(const Table& table);

// ----- Files -----

std::string table_markdown(const Table& table);
std::string table_tex(const Table& table);   // a tabular with booktabs, notes below
std::string table_html(const Table& table);  // a <table> and its notes, to be put into a page
std::string table_csv(const Table& table);   // one line a cell, with all that is known of it
std::string table_json(const Table& table);  // schema lcsm.table/1, with the runs of every cell

}  // namespace results
