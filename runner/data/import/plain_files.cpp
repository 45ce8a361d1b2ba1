#include "runner/data/import/plain_files.h"

#include <algorithm>
#include <system_error>

#include "lcsm/base/safe_text.h"
#include "results/text/number_text.h"

namespace fs = std::filesystem;

namespace runner {
namespace {

constexpr std::size_t kMostFiles = 1'000'000;  // of a folder
constexpr std::size_t kShown = 40;             // bytes of what was got

}  // namespace

void refuse_file(const fs::path& path, const std::string& where, const std::string& expected,
                 const std::string& got) {
  throw IntakeError("'" + path.string() + "'" + (where.empty() ? "" : " " + where) + ": expected " +
                    expected + ", got " + lcsm::safe_text(got));
}

std::string quoted_start(std::string_view text) {
  return "'" + std::string(text.substr(0, kShown)) + "'";
}

std::string at_line(std::size_t number) { return "line " + std::to_string(number); }

std::string at_byte(std::uint64_t offset) { return "at byte " + std::to_string(offset); }

MappedFile open_plain(const fs::path& path, Sha256& contents, std::uintmax_t most) {
  std::error_code none;
  const fs::file_status status = fs::symlink_status(path, none);
  if (fs::is_symlink(status)) refuse_file(path, "", "a file", "a symbolic link");
  if (!fs::is_regular_file(status)) refuse_file(path, "", "a file", "none");
  const std::uintmax_t size = fs::file_size(path, none);
  if (none || size > most)
    refuse_file(path, "", "at most " + std::to_string(most) + " bytes", std::to_string(size));
  MappedFile file(path.string());
  contents.add(file.bytes().data(), file.bytes().size());
  return file;
}

std::vector<fs::path> plain_files_in(const fs::path& folder, std::string_view end,
                                     std::string_view what) {
  std::error_code none;
  if (fs::is_symlink(fs::symlink_status(folder, none)) || !fs::is_directory(folder, none))
    refuse_file(folder, "", "a folder of " + std::string(what), "none, or a symbolic link");
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == end) files.push_back(entry.path());
    if (files.size() > kMostFiles)
      refuse_file(folder, "", "at most 1 000 000 " + std::string(what), "more");
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<std::string_view> fields_of(std::string_view line, char separator) {
  std::vector<std::string_view> fields;
  for (std::size_t from = 0; from <= line.size();) {
    const std::size_t end = std::min(line.find(separator, from), line.size());
    fields.push_back(line.substr(from, end - from));
    from = end + 1;
  }
  return fields;
}

std::int64_t whole_number(std::string_view text) {
  return std::max<std::int64_t>(-1, results::whole_number_in(text).value_or(-1));
}

}  // namespace runner
