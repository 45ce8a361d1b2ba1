#include "results/events/checkpoints.h"

#include <charconv>

namespace results {

std::string checkpoint_name(std::int64_t step) {
  return std::string(kCheckpointsFolder) + "/" + std::to_string(step);
}

std::optional<std::int64_t> checkpoint_step(const std::filesystem::path& folder) {
  const std::string name = folder.filename();
  std::int64_t step = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), step);
  const bool whole = error == std::errc{} && step >= 0 && std::to_string(step) == name;
  return whole ? std::optional(step) : std::nullopt;
}

std::set<std::int64_t> kept_checkpoints(const std::set<std::int64_t>& steps,
                                        const std::set<std::int64_t>& best, bool done) {
  std::set<std::int64_t> kept;
  for (auto step = steps.rbegin(); step != steps.rend(); ++step)
    if (kept.size() < (done ? 1u : 2u) || best.contains(*step)) kept.insert(*step);
  return kept;
}

}  // namespace results
