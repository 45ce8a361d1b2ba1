#include "runner/train/verbs/run_argument.h"

#include <stdexcept>
#include <vector>

#include "results/events/run_folder.h"

namespace runner {

std::string run_that_begins(const std::filesystem::path& workspace, const std::string& digits) {
  std::vector<std::string> found;
  for (const std::string& id : results::run_ids(workspace))
    if (id.starts_with(digits)) found.push_back(id);
  if (found.size() == 1) return found[0];
  throw std::invalid_argument(
      "expected the first digits of one run's id, got '" + digits + "', which " +
      (found.empty() ? "no run" : std::to_string(found.size()) + " runs") + " in " +
      (workspace / results::kRunsFolder).string() + (found.size() > 1 ? " have" : " has"));
}

}  // namespace runner
