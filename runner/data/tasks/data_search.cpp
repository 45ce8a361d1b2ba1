#include "runner/data/tasks/data_search.h"

#include <system_error>

#include "lcsm/base/words.h"
#include "lcsm/files/read_file.h"
#include "runner/base/files/content_hash.h"
#include "runner/base/files/mapped_file.h"
#include "runner/base/process/process_facts.h"
#include "runner/config/keys/task_keys.h"
#include "runner/config/keys/task_row.h"

namespace fs = std::filesystem;

namespace runner {
namespace {

// The files of GPT-2's tokens.
constexpr TextSource kGpt2Row{"gpt2-bpe",
                              "",
                              "vocab.bpe",
                              "dict.txt",
                              "",
                              "0.5 and 0.6 MB",
                              "https://dl.fbaipublicfiles.com/fairseq/gpt2_bpe"};

bool is_file(const fs::path& path) {
  std::error_code none;
  return fs::is_regular_file(path, none);
}

// The set's folder below each folder, under each of its names.
std::vector<fs::path> places_of(const TextSource& row, const std::vector<fs::path>& folders) {
  std::vector<fs::path> places;
  for (const fs::path& folder : folders)
    for (const std::string& name : lcsm::words_of(row.name)) places.push_back(folder / name);
  return places;
}

// An existing archive that only has to be unpacked; "" if there is none.
std::string packed(const std::vector<fs::path>& places, const std::string& name) {
  for (const fs::path& place : places)
    for (const char* end : {".xz", ".gz", ".zip", ".zst"})
      if (is_file(place / (name + end))) return (place / (name + end)).string();
  return "";
}

[[noreturn]] void refuse(const TextSource& row, const std::string& names,
                         const std::vector<fs::path>& places) {
  const std::vector<std::string> all = lcsm::words_of(names);
  std::string text = lcsm::words_of(row.name).front() + " needs " + all.front();
  for (std::size_t i = 1; i < all.size(); ++i) text += " or " + all[i];
  text += " (" + std::string(row.size) + "), got none in ";
  for (const fs::path& place : places)
    text += (&place == &places.front() ? "" : ", ") + ("'" + place.string() + "'");
  for (const std::string& name : all)
    if (const std::string file = packed(places, name); !file.empty())
      throw DataMissing(text + "; found '" + file + "': unpack it");
  if (row.from.empty())
    throw DataMissing(text + "; set task.path to the file, or to a folder that holds these");
  const std::string command =
      row.had_by.empty() ? "" : "`" + std::string(row.had_by) + "` fetches it, or ";
  throw DataMissing(text + "; it comes from " + std::string(row.from) + ": " + command +
                    "put it there, or set LCSM_DATA to a folder that holds " +
                    lcsm::words_of(row.name).front() + "/");
}

fs::path find_file(const TextSource& row, std::string_view names,
                   const std::vector<fs::path>& places) {
  for (const fs::path& place : places)
    for (const std::string& name : lcsm::words_of(names))
      if (is_file(place / name)) return place / name;
  refuse(row, std::string(names), places);
}

// The first bytes of packed files, which a model of bytes would take for text.
struct PackedFormat {
  std::string_view begin, name;
};
constexpr PackedFormat kPackedFormats[] = {
    {"\x1f\x8b", "gzip"}, {"\x28\xb5\x2f\xfd", "zstd"}, {"\xfd\x37zXZ", "xz"},
    {"BZh", "bzip2"},     {"PK\x03\x04", "zip"},        {"PAR1", "parquet"},
};

// Refuses a packed file, and an empty part: a run would report nothing about it.
TextParts with_text(TextParts parts) {
  for (const FilePart& part : parts) {
    const std::string file = "'" + part.file.string() + "'";
    const std::string begin = lcsm::read_file(part.file, 0, 6);
    for (const PackedFormat& format : kPackedFormats)
      if (begin.starts_with(format.begin))
        throw DataMissing(file + ": expected plain text, got " + std::string(format.name) +
                          "; unpack it");
    if (part.begin < part.end) continue;
    if (part.begin == 0) throw DataMissing(file + " is empty: expected text");
    throw DataMissing(
        file +
        " leaves no text to validate and test on: it is cut at line ends into 90, 5 "
        "and 5 percent of its bytes; add line ends, or set task.path to a folder with "
        "a file for each part");
  }
  return parts;
}

}  // namespace

FilePart whole_text(const fs::path& file) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(file, error);
  if (error) throw std::runtime_error("'" + file.string() + "' cannot be read: " + error.message());
  return {file, 0, size};
}

TextParts cut_text(const fs::path& file) {
  const MappedFile mapped(file.string());
  const std::string_view text = mapped.bytes();
  const auto line_end = [&text](std::size_t at) {
    const std::size_t end = text.find('\n', at);
    return end == std::string_view::npos ? text.size() : end + 1;
  };
  const std::uint64_t first = line_end(text.size() * 9 / 10);
  const std::uint64_t second = std::max(first, line_end(text.size() * 19 / 20));
  return {{{file, 0, first}, {file, first, second}, {file, second, text.size()}}};
}

fs::path split_file(const fs::path& folder, Split split) {
  return folder / (std::string(to_string(split)) + ".set");
}

std::vector<fs::path> data_folders(const fs::path& workspace) {
  std::vector<fs::path> folders = {workspace / "data"};
  if (const std::string named = environment_variable("LCSM_DATA"); !named.empty())
    folders.emplace_back(named);
  return folders;
}

fs::path token_cache(const fs::path& workspace) { return workspace / "data" / "tokens"; }

const TextSource& text_row(const RunConfig& config) {
  for (const TextSource& row : config.task().texts)
    if (row.format.empty() || config.is("task.format"_key, row.format)) return row;
  throw std::logic_error(std::string(config.task().name) + " reads no text");
}

TextParts find_texts(const RunConfig& config, const fs::path& workspace) {
  const TextSource& row = text_row(config);
  const fs::path path = config.text("task.path"_key);
  if (is_file(path)) return with_text(cut_text(path));
  std::vector<fs::path> places = places_of(row, data_folders(workspace));
  if (!path.empty()) {
    std::error_code none;
    if (!fs::exists(path, none))
      throw DataMissing("task.path: expected a file or a folder, got none at '" +
                        fs::absolute(path).string() + "'");
    places = places_of(row, {path});
    places.insert(places.begin(), path);
  }
  const fs::path train = find_file(row, row.train, places);
  if (row.valid.empty()) return with_text(cut_text(train));
  return with_text({whole_text(train), whole_text(find_file(row, row.valid, places)),
                    whole_text(find_file(row, row.test, places))});
}

Gpt2Files find_gpt2_files(const fs::path& workspace) {
  const std::vector<fs::path> places = places_of(kGpt2Row, data_folders(workspace));
  return {find_file(kGpt2Row, kGpt2Row.train, places), find_file(kGpt2Row, kGpt2Row.valid, places)};
}

std::string content_of(const FilePart& part, const fs::path& workspace) {
  return content_hash(part.file.string(), token_cache(workspace).string()) + " " +
         std::to_string(part.begin) + " " + std::to_string(part.end);
}

}  // namespace runner
