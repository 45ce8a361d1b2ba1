// The numbers printed in papers: results/published/*.csv, compiled into the program.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace results {

struct PublishedValue {
  std::string paper, table;  // "lcsm", "table4-o-types"
  std::string row;           // a code, a system
  std::string task, metric, split;
  double value = 0;
  std::string params_m;  // millions of parameters as printed ("43.46"); may be empty
  std::string note;
  std::string read_in;  // the paper and its table, for a reader to find it
};

// A table or a figure of a paper, or a part of one.
struct PaperItem {
  std::string paper, item;  // "mega", "figure 4 left"
  std::string shows;
  std::string sweep;  // that reproduces it; or empty, and
  std::string why;    // why there is none
};

// Every table and figure of the papers, in their order: results/published/contents.csv.
std::span<const PaperItem> paper_items();

// All published values, in the order of the files.
std::span<const PublishedValue> published_values();

// Parses a CSV text with the header paper,table,row,task,metric,split,value,params_m,note. Fields
// may be in double quotes. Throws std::invalid_argument with the line and the mistake.
std::vector<PublishedValue> parse_published(std::string_view csv);

}  // namespace results
