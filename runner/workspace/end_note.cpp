#include "runner/workspace/end_note.h"

#include <sys/stat.h>

#include "results/events/run_folder.h"
#include "runner/base/files/json_file.h"
#include "runner/base/process/process_facts.h"

namespace runner {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kNoteFile = "outcome.json";
constexpr const char* kEndNoteSchema = "lcsm.outcome/1";

}  // namespace

void write_end_note(const fs::path& folder, const EndNote& note) {
  const Json json = {
      {"schema", kEndNoteSchema}, {"outcome", name_of(note.state)},        {"why", note.why},
      {"tries", note.tries},      {"starts_again", note.starts_again},     {"by", note.by},
      {"time", note.time},        {"events", results::event_bytes(folder)}};
  write_json_file(folder / kNoteFile, json);
}

std::optional<EndNote> read_end_note(const fs::path& folder) {
  const Json json = read_json_file(folder / kNoteFile);
  try {
    if (json.at("schema") != kEndNoteSchema || json.at("events") != results::event_bytes(folder))
      return std::nullopt;
    const auto state = results::named_state(json.at("outcome").get<std::string>());
    if (!state) return std::nullopt;
    return EndNote{*state,        json.at("why"), json.at("tries"), json.at("starts_again"),
                   json.at("by"), json.at("time")};
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

std::int64_t end_note_time(const fs::path& folder) {
  struct stat file {};
  if (stat((folder / kNoteFile).c_str(), &file) != 0) return 0;
  return std::int64_t{file.st_mtim.tv_sec} * 1'000'000'000 + file.st_mtim.tv_nsec;
}

}  // namespace runner
