#include "runner/sweeps/language/table_block.h"

#include <algorithm>

#include "runner/sweeps/language/result_names.h"
#include "runner/sweeps/language/view_block.h"

namespace runner {

results::TableSpec read_table_block(const toml::table& block, int source, Mistakes& mistakes) {
  ViewBlock in("table", block, source, mistakes);
  results::TableSpec spec;
  spec.title = in.text("title");
  spec.rows = in.names("rows", wrong_label);
  spec.columns = in.names("columns", wrong_label);
  spec.values = in.names("values", wrong_value);
  in.select(&spec.tuned, &spec.by);
  spec.where = in.where();
  spec.sort = in.text("sort", wrong_value);
  spec.baseline = in.text("baseline");
  spec.relative = in.text("relative");
  spec.mean = in.flag("mean", false);
  spec.decimals = in.whole("precision", 0, 17, -1);
  in.finish();
  for (const std::string& key : spec.rows)
    if (std::find(spec.columns.begin(), spec.columns.end(), key) != spec.columns.end())
      in.note("columns", "'" + key + "' is already in rows: rows and columns must differ");
  if (spec.mean && spec.columns.empty())
    in.note("mean", "expected columns to take the mean over, for example columns = \"task.name\"");
  return spec;
}

}  // namespace runner
