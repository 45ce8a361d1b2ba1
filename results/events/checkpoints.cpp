#include "results/events/checkpoints.h"

#include <algorithm>

#include "results/events/event_file.h"
#include "results/events/run_folder.h"

namespace results {

std::string CheckpointPlace::text() const {
  return std::to_string(step) + (segment > 0 ? "." + std::to_string(segment) : "");
}

std::string checkpoint_name(const CheckpointPlace& place) {
  return std::string(kCheckpointsFolder) + "/" + place.text();
}

std::optional<CheckpointPlace> checkpoint_place(const std::filesystem::path& folder) {
  const std::string name = folder.filename();
  const std::size_t dot = name.find('.');
  const auto step = number_in_name(name.substr(0, dot));
  if (!step || dot == std::string::npos)
    return step ? std::optional(CheckpointPlace{*step}) : std::nullopt;
  const auto segment = number_in_name(name.substr(dot + 1));
  return segment.value_or(0) > 0 ? std::optional(CheckpointPlace{*step, *segment}) : std::nullopt;
}

std::vector<CheckpointPlace> checkpoints_of(const std::filesystem::path& folder) {
  std::vector<CheckpointPlace> places;
  for (const auto& entry : entries_of(folder / kCheckpointsFolder))
    if (const auto place = checkpoint_place(entry.path())) places.push_back(*place);
  return places;
}

std::int64_t newest_checkpoint(const std::filesystem::path& folder) {
  std::int64_t step = 0;
  for (const CheckpointPlace& place : checkpoints_of(folder)) step = std::max(step, place.step);
  return step;
}

std::set<std::int64_t> kept_checkpoints(const std::set<std::int64_t>& steps,
                                        const std::set<std::int64_t>& best, bool done) {
  std::set<std::int64_t> kept;
  for (auto step = steps.rbegin(); step != steps.rend(); ++step)
    if (kept.size() < (done ? 1u : 2u) || best.contains(*step)) kept.insert(*step);
  return kept;
}

}  // namespace results
