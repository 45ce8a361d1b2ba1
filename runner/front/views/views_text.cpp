#include "runner/front/views/views_text.h"

#include <stdexcept>

#include "runner/config/keys/roles.h"
#include "runner/front/views/figure_text.h"
#include "runner/front/views/table_text.h"
#include "runner/front/views/view_results.h"

namespace runner {
namespace {

// The text that `make` returns, or the reason why these runs have none.
template <class Make>
std::string text_or_why(const Make& make) {
  try {
    return make() + "\n";
  } catch (const std::invalid_argument& error) {
    return std::string("not shown: ") + error.what() + "\n\n";
  }
}

}  // namespace

std::string views_text(results::Database& database, const SweepViews& views,
                       const Terminal& terminal) {
  std::string text;
  for (std::size_t i = 0; i < views.tables.size(); ++i)
    text += text_or_why([&] { return table_text(table_result(database, views, i), terminal); });
  for (const results::FigureSpec& spec : views.figures)
    text += text_or_why(
        [&] { return figure_text(results::make_figure(database, kRoles, spec), terminal); });
  return text;
}

}  // namespace runner
