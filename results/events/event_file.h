// Finds the file that holds a run's events: `events.jsonl`, or the segment with the largest number,
// `segments/N.jsonl`. A process that takes over a run whose earlier host may still write begins a
// segment with a copy of the lines so far. Each file thus has one writer, and lines that an earlier
// writer still appends to its own file do not count.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace results {

inline constexpr std::string_view kSegmentsFolder = "segments";
inline constexpr std::string_view kClaimsFolder = "claims";  // who may train the run
inline constexpr std::string_view kSegmentFact = "segment";  // in an attempt's environment

// Relative to the run's folder: "segments/3.jsonl"; "events.jsonl" for 0.
std::string segment_name(std::int64_t segment);

// 0: no segment; events.jsonl counts, if it exists.
std::int64_t newest_segment(const std::filesystem::path& folder);

// The event file that counts; it need not exist.
std::filesystem::path event_file(const std::filesystem::path& folder);

// True if a process of this host is writing that file.
bool events_are_being_written(const std::filesystem::path& folder);

// The number before `end` in a name: 3 for "3.jsonl". nullopt for "03.jsonl".
std::optional<std::int64_t> number_in_name(std::string_view name, std::string_view end = "");

// The largest number among the names of a folder, 0 if there is none.
std::int64_t largest_number(const std::filesystem::path& folder, std::string_view end = "");

}  // namespace results
