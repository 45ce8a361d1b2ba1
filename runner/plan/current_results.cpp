#include "runner/plan/current_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "results/store/store.h"
#include "results/text/escape.h"
#include "runner/config/run_id.h"
#include "runner/process/exit_code.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kShown = 5;  // of many messages

void complain(const std::vector<std::string>& reasons, const char* what) {
  for (std::size_t i = 0; i < std::min(kShown, reasons.size()); ++i)
    fmt::print(stderr, "{}: {}\n", what, results::safe_text(reasons[i]));
  if (reasons.size() > kShown) fmt::print(stderr, "{}: {} more\n", what, reasons.size() - kShown);
}

}  // namespace

std::unique_ptr<results::Database> current_results(const fs::path& workspace) {
  try {
    print_left_out(results::fold(workspace, {id_of_identity}));
  } catch (const std::system_error& error) {
    fmt::print(stderr, "results may be out of date: {}\n", error.what());
  } catch (const results::DatabaseError& error) {
    throw Failure(ExitCode::kFailed,
                  fmt::format("{}; `lcsm rebuild` rebuilds it from the run folders", error.what()));
  }
  return results::open_for_reading(workspace);
}

void print_left_out(const results::FoldReport& report) {
  complain(report.warnings, "ignored");
  complain(report.refused, "refused");
}

}  // namespace runner
