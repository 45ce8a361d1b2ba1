#include "results/events/run_folder.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>

#include "lcsm/files/json_text.h"
#include "lcsm/files/whole_file.h"
#include "results/events/event_file.h"
#include "results/files/checksum.h"

namespace results {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kMarkSchema = "lcsm.mark/1";
constexpr std::string_view kDiffStart = "source-", kDiffEnd = ".diff";

SweepMark read_mark(const fs::path& file) {
  const Json json = Json::parse(lcsm::read_json_text(file), nullptr, /*allow_exceptions=*/false);
  const auto refuse = [&](const std::string& expected) {
    throw std::invalid_argument(file.string() + ": expected " + expected +
                                ", got something else; remove it: the next `lcsm run " +
                                file.stem().string() + "` writes it again");
  };
  const auto field = [&](const char* key, bool optional = false) {
    if (optional && json.is_object() && !json.contains(key)) return std::string();
    if (!json.is_object() || !json.contains(key) || !json[key].is_string())
      refuse(std::string("a JSON object with text as '") + key + "'");
    return json[key].get<std::string>();
  };
  if (field("schema") != kMarkSchema || field("sweep") != file.stem())
    refuse(std::string("the schema ") + kMarkSchema +
           " and the sweep that the file is named after");
  return {field("sweep"), field("title"), field("paper"), field("scale", true),
          field("settings", true)};
}

}  // namespace

bool is_run_id(std::string_view name) {
  return name.size() == 32 && name.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

fs::directory_iterator entries_of(const fs::path& folder) {
  std::error_code error;
  fs::directory_iterator found(folder, error);
  if (error && error != std::errc::no_such_file_or_directory && error != std::errc::not_a_directory)
    throw std::system_error(error, folder.string() + " cannot be read");
  return found;
}

std::vector<std::string> run_ids(const fs::path& workspace) {
  std::vector<std::string> ids;
  for (const fs::directory_entry& entry : entries_of(workspace / kRunsFolder))
    if (is_run_id(entry.path().filename().string())) ids.push_back(entry.path().filename());
  std::sort(ids.begin(), ids.end());
  return ids;
}

fs::path run_folder(const fs::path& workspace, std::string_view id) {
  return workspace / kRunsFolder / id;
}

std::int64_t event_bytes(const fs::path& folder) {
  std::error_code missing;
  const std::uintmax_t bytes = fs::file_size(event_file(folder), missing);
  return missing ? 0 : static_cast<std::int64_t>(bytes);
}

bool is_sweep_name(std::string_view name) {
  const auto letter_or_digit = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  };
  return !name.empty() && name.size() <= 100 && letter_or_digit(name[0]) &&
         std::all_of(name.begin(), name.end(), [&](char c) {
           return letter_or_digit(c) || c == '.' || c == '_' || c == '-';
         });
}

void write_mark(const fs::path& folder, const SweepMark& mark) {
  if (!is_sweep_name(mark.sweep))
    throw std::invalid_argument(
        "expected a sweep's name of " + std::string(kSweepNameRule) + ", got " +
        Json(mark.sweep).dump(-1, ' ', true, Json::error_handler_t::replace));
  Json json = {
      {"schema", kMarkSchema}, {"sweep", mark.sweep}, {"title", mark.title}, {"paper", mark.paper}};
  if (!mark.scale.empty()) json["scale"] = mark.scale;
  if (!mark.settings.empty()) json["settings"] = mark.settings;
  fs::create_directory(folder / kMarksFolder);
  lcsm::write_whole(folder / kMarksFolder / (mark.sweep + ".json"),
                    json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

std::vector<SweepMark> read_marks(const fs::path& folder) {
  std::vector<SweepMark> marks;
  for (const fs::directory_entry& entry : entries_of(folder / kMarksFolder))
    if (entry.path().extension() == ".json" && is_sweep_name(entry.path().stem().string()))
      marks.push_back(read_mark(entry.path()));
  std::sort(marks.begin(), marks.end(),
            [](const SweepMark& a, const SweepMark& b) { return a.sweep < b.sweep; });
  return marks;
}

std::string keep_diff(const fs::path& folder, std::string_view diff) {
  const std::string name = std::string(kDiffStart) + crc_text(crc32(diff)) + std::string(kDiffEnd);
  try {
    if (!fs::exists(folder / name)) lcsm::write_whole(folder / name, diff);
    return name;
  } catch (const std::system_error&) {
    return "";
  }
}

bool is_diff_name(std::string_view name) {
  if (!name.starts_with(kDiffStart) || !name.ends_with(kDiffEnd)) return false;
  name.remove_prefix(kDiffStart.size());
  return name.find_first_not_of("0123456789abcdef") == 8 && name.size() == 8 + kDiffEnd.size();
}

}  // namespace results
