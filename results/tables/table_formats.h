// Writes a table in file formats. Equal tables give equal bytes on every host.
#pragma once

#include <string>

#include "results/tables/table.h"

namespace results {

// ----- The cells as text, before markup -----

struct ShownCell {
  std::string text, sd;  // "24.54", "0.12"; either may be empty
  std::string star;      // "*" best, "~" not significantly worse
  std::string marks;     // signs of kMarks: "m,e"
  bool number = false;
  std::string n = {};         // number of values, if it differs between cells
  std::string interval = {};  // "[24.31, 24.77]", in the place of sd
};

struct ShownTable {
  std::vector<std::string> headers;
  std::vector<bool> numeric;  // by column
  std::vector<std::vector<ShownCell>> rows;
};

// The row parameters, then for each column its mean and standard deviation and, where they exist,
// the paper's number, ours minus theirs, and the difference to the baseline.
ShownTable shown(const Table& table);

// The notes as lines of plain text: "* best mean of its column; ~ not significantly worse: ...".
std::vector<std::string> note_texts(const Table& table);

// ----- Files -----

std::string table_markdown(const Table& table);
// A booktabs tabular and the meaning of its signs. Other notes and claims are text below it if
// `notes`, else LaTeX comments.
std::string table_tex(const Table& table, bool notes = false);
std::string table_html(const Table& table);  // a <table> and its notes, to be embedded in a page
std::string table_csv(const Table& table);   // one line per cell, with all its details
std::string table_json(const Table& table);  // schema lcsm.table/1, with the runs of each cell

}  // namespace results
