#include "runner/sweeps/plan/open_results.h"

#include <fmt/format.h>

#include <algorithm>

#include "results/store/current_results.h"
#include "results/text/escape.h"
#include "runner/config/run/run_id.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kShown = 5;  // of many messages

void complain(const std::vector<std::string>& reasons, const char* what) {
  for (std::size_t i = 0; i < std::min(kShown, reasons.size()); ++i)
    fmt::print(stderr, "{}: {}\n", what, results::safe_text(reasons[i]));
  if (reasons.size() > kShown) fmt::print(stderr, "{}: {} more\n", what, reasons.size() - kShown);
}

void print_trouble(const results::CurrentResults& current) {
  using Source = results::CurrentResults::Source;
  if (current.trouble.empty()) return;
  const char* const what = current.source == Source::kMemory
                               ? "results.db was not updated; this answer is from the run folders"
                               : "results may be out of date";
  fmt::print(stderr, "{}: {}\n", what, results::safe_text(current.trouble));
}

}  // namespace

results::FoldOptions fold_options(std::chrono::milliseconds patience) {
  return {id_of_identity, patience};
}

std::unique_ptr<results::Database> open_results(const fs::path& workspace) {
  results::CurrentResults current =
      results::current_results(workspace, fold_options(kReadersPatience));
  print_left_out(current.report);
  print_trouble(current);
  return std::move(current.database);
}

void print_left_out(const results::FoldReport& report) {
  complain(report.warnings, "ignored");
  complain(report.refused, "refused");
}

}  // namespace runner
