#include "results/events/event_file.h"

#include <algorithm>
#include <charconv>

#include "results/events/run_folder.h"
#include "results/files/file_lock.h"

namespace results {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEnd = ".jsonl";

}  // namespace

std::optional<std::int64_t> number_in_name(std::string_view name, std::string_view end) {
  if (!name.ends_with(end)) return std::nullopt;
  name.remove_suffix(end.size());
  std::int64_t number = 0;
  const auto [rest, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  const bool whole = error == std::errc{} && number >= 0 && std::to_string(number) == name;
  return whole ? std::optional(number) : std::nullopt;
}

std::int64_t largest_number(const fs::path& folder, std::string_view end) {
  std::int64_t largest = 0;
  for (const fs::directory_entry& entry : entries_of(folder))
    if (const auto number = number_in_name(entry.path().filename().string(), end))
      largest = std::max(largest, *number);
  return largest;
}

std::string segment_name(std::int64_t segment) {
  if (segment == 0) return std::string(kEventFile);
  return std::string(kSegmentsFolder) + "/" + std::to_string(segment) + std::string(kEnd);
}

std::int64_t newest_segment(const fs::path& folder) {
  return largest_number(folder / kSegmentsFolder, kEnd);
}

fs::path event_file(const fs::path& folder) {
  return folder / segment_name(newest_segment(folder));
}

bool events_are_being_written(const fs::path& folder) {
  return is_being_written(event_file(folder));
}

}  // namespace results
