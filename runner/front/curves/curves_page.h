// The curve page: data, template, styles and scripts (client/) in one self-contained file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runner/sweeps/plan/run_counts.h"

namespace runner {

// `json`: from curves_json. `source`: the URL of newer data; empty for a static page.
std::string curves_page(std::string_view name, std::string_view json, std::string_view source = "");

// The content security policy of both pages.
extern const std::string_view kPagePolicy;

struct IndexRow {
  std::string sweep, address, title = {};
  RunCounts counts = {};
};
// The sweeps of a workspace, each with a link.
std::string index_page(std::string_view workspace, const std::vector<IndexRow>& rows);

}  // namespace runner
