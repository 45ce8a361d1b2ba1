// The checkpoints in a run's folder, `checkpoints/STEP/`: their names, and which of them are kept.
// What is in them is up to the trainer.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace results {

inline constexpr std::string_view kCheckpointsFolder = "checkpoints";

// Relative to the run's folder: "checkpoints/1200".
std::string checkpoint_name(std::int64_t step);

// The step of a folder in `checkpoints/`: 1200 of "1200", nothing of "01200" or ".new-1200".
std::optional<std::int64_t> checkpoint_step(const std::filesystem::path& folder);

// Of the checkpoints at `steps` those that are still needed: the last one, or the last two of a
// run that is not done, which resumes from the one before where the last is damaged; and those
// at the best steps.
std::set<std::int64_t> kept_checkpoints(const std::set<std::int64_t>& steps,
                                        const std::set<std::int64_t>& best, bool done);

}  // namespace results
