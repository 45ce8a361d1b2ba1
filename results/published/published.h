// Numbers that papers print, as they print them: results/published/*.csv, built into the program.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace results {

struct PublishedValue {
  std::string paper, table;  // "lcsm", "table4-o-types"
  std::string row;           // what the row is about: a code, a system
  std::string task, metric, split;
  double value = 0;
  std::string params_m;  // millions of parameters as printed ("43.46"), empty where not
  std::string note;
  std::string read_in;  // the paper and its table, as a reader finds it
};

// In the order of the files.
std::span<const PublishedValue> published_values();

// One CSV text with the header paper,table,row,task,metric,split,value,params_m,note; a field may
// stand in double quotes. Throws std::invalid_argument with the line and what is wrong there.
std::vector<PublishedValue> parse_published(std::string_view csv);

}  // namespace results
