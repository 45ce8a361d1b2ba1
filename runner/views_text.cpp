#include "runner/views_text.h"

#include "runner/figure_text.h"
#include "runner/table_text.h"

namespace runner {

std::string views_text(results::Database& database, const SweepViews& views,
                       const Terminal& terminal) {
  std::string text;
  for (const results::Table& table : make_tables(database, views.tables, views.claims))
    text += table_text(table, terminal) + "\n";
  for (const results::FigureSpec& figure : views.figures)
    text += figure_text(results::make_figure(database, figure), terminal) + "\n";
  return text;
}

}  // namespace runner
