#include "runner/front/views/table_change.h"

#include <algorithm>

#include "lcsm/base/words.h"
#include "runner/config/keys/roles.h"

namespace runner {
namespace {

using Names = std::vector<std::string>;

void leave_out(const Names& names, Names* list) {
  std::erase_if(*list, [&](const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  });
}

}  // namespace

void set_names(const std::vector<std::string>& given, std::vector<std::string>* names) {
  if (!given.empty()) *names = given == Names{""} ? Names() : given;
}

void change_table(const results::TableSpec& given, results::TableSpec* spec) {
  set_names(given.rows, &spec->rows);
  set_names(given.columns, &spec->columns);
  set_names(given.values, &spec->values);
  if (!given.values.empty()) spec->of_file = false;
  set_names(given.tuned, &spec->tuned);
  set_if_given(given.by, &spec->by);
  set_names(given.across, &spec->across);
  set_if_given(given.statistic, &spec->statistic);
  set_if_given(given.baseline, &spec->baseline);
  set_if_given(given.relative, &spec->relative);
  spec->mean = given.mean || spec->mean;
  if (given.decimals >= 0) spec->decimals = given.decimals;
  // Settings of the file that name rows, columns or values which are no longer shown are dropped.
  if (!given.rows.empty()) leave_out(spec->rows, &spec->columns);
  if (given.rows.empty() && !given.columns.empty()) leave_out(spec->columns, &spec->rows);
  for (const Names* shown : {&given.rows, &given.columns})
    if (given.tuned.empty()) leave_out(*shown, &spec->tuned);
  if (!given.rows.empty() && given.baseline.empty()) spec->baseline.clear();
  if (!given.rows.empty() && given.relative.empty()) spec->relative.clear();
  if (!given.values.empty() && given.sort.empty()) spec->sort.clear();
  if (spec->columns.empty() || lcsm::has_word(spec->columns, kRoles.seed))
    spec->mean = given.mean;  // refused if it was asked for
}

}  // namespace runner
