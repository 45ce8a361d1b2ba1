// Names the checkpoints in a run's folder, `checkpoints/STEP/`, or `checkpoints/STEP.SEGMENT/`
// beside a segment (event_file.h), and decides which are kept. Their content is up to the trainer.
#pragma once

#include <compare>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace results {

inline constexpr std::string_view kCheckpointsFolder = "checkpoints";

struct CheckpointPlace {
  std::int64_t step = 0, segment = 0;
  auto operator<=>(const CheckpointPlace&) const = default;

  std::string text() const;  // "1200", "1200.3"
};

// Relative to the run's folder: "checkpoints/1200".
std::string checkpoint_name(const CheckpointPlace& place);

// Parses the name of a folder in `checkpoints/`: "1200" is step 1200; "01200", "1200.0" and
// ".new-1200" are none.
std::optional<CheckpointPlace> checkpoint_place(const std::filesystem::path& folder);

// The checkpoints in a run's folder, unsorted.
std::vector<CheckpointPlace> checkpoints_of(const std::filesystem::path& folder);
// The step from which the run would resume; 0: no checkpoint.
std::int64_t newest_checkpoint(const std::filesystem::path& folder);

// The checkpoints among `steps` to keep: the ones at `best`, and the last. A run that is not done
// keeps the last two, since it resumes from the earlier one if the last is damaged.
std::set<std::int64_t> kept_checkpoints(const std::set<std::int64_t>& steps,
                                        const std::set<std::int64_t>& best, bool done);

}  // namespace results
