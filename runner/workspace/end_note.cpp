#include "runner/workspace/end_note.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "results/events/run_folder.h"
#include "runner/files/json_file.h"
#include "runner/process/process_facts.h"

namespace runner {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kNoteFile = "outcome.json";
constexpr const char* kSchema = "lcsm.outcome/1";

}  // namespace

EndNote note_of(const Scheduler::Entry& entry, const Ended& ended, double now) {
  const bool waits = entry.state == Scheduler::State::kWaiting;
  return {std::string(name_of(ended.outcome)),
          ended.why,
          entry.starts,
          waits ? std::max(0.0, entry.not_before - now) : -1,
          fmt::format("{}, process {}", user_at_host(), getpid()),
          utc_now()};
}

void write_end_note(const fs::path& folder, const EndNote& note) {
  const Json json = {{"schema", kSchema},   {"outcome", note.outcome},           {"why", note.why},
                     {"tries", note.tries}, {"starts_again", note.starts_again}, {"by", note.by},
                     {"time", note.time},   {"events", event_bytes(folder)}};
  write_json_file(folder / kNoteFile, json);
}

std::optional<EndNote> read_end_note(const fs::path& folder) {
  const Json json = read_json_file(folder / kNoteFile);
  try {
    if (json.at("schema") != kSchema || json.at("events") != event_bytes(folder))
      return std::nullopt;
    return EndNote{json.at("outcome"),      json.at("why"), json.at("tries"),
                   json.at("starts_again"), json.at("by"),  json.at("time")};
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

std::int64_t event_bytes(const fs::path& folder) {
  std::error_code missing;
  const std::uintmax_t bytes = fs::file_size(folder / results::kEventFile, missing);
  return missing ? 0 : static_cast<std::int64_t>(bytes);
}

}  // namespace runner
