// Imports Pathfinder as released: imgs/BATCH/sample_N.png, and metadata/BATCH.npy, texts with one
// line per picture: folder, file, number, label, and what it was drawn with.
#include <algorithm>

#include "runner/data/datasets/png.h"
#include "runner/data/import/plain_files.h"
#include "runner/data/import/random_split.h"
#include "runner/data/import/readers.h"

namespace fs = std::filesystem;

namespace runner {
namespace {

constexpr std::uintmax_t kMostPicture = 1 << 22, kMostMetadata = 1 << 28;
constexpr std::size_t kMostExamples = 10'000'000;
constexpr std::size_t kFolder = 0, kFile = 1, kLabel = 3, kFields = 4;  // of a line, the least
constexpr std::uint32_t kPathfinderSeed = 42;                           // of S4 and of MEGA

// The one picture of the release that is empty; S4 and MEGA leave it out.
bool is_left_out(const fs::path& from, std::string_view folder, std::string_view file) {
  return folder == "imgs/0" && file == "sample_172.png" &&
         fs::weakly_canonical(from).filename() == "curv_baseline";
}

// Batch folders, sorted by number.
std::vector<fs::path> batches_in(const fs::path& from) {
  std::vector<fs::path> batches = plain_files_in(from / "metadata", ".npy", "metadata");
  for (const fs::path& batch : batches)
    if (whole_number(batch.stem().string()) < 0)
      refuse_file(batch, "", "a number as name", quoted_start(batch.stem().string()));
  std::sort(batches.begin(), batches.end(), [](const fs::path& a, const fs::path& b) {
    return whole_number(a.stem().string()) < whole_number(b.stem().string());
  });
  if (batches.empty()) refuse_file(from / "metadata", "", "metadata in files *.npy", "none");
  return batches;
}

std::vector<std::string_view> words_in(std::string_view line) {
  std::vector<std::string_view> words = fields_of(line, ' ');
  std::erase(words, std::string_view());
  return words;
}

// START, a number, END: a path can lead nowhere else.
bool is_numbered(std::string_view name, std::string_view start, std::string_view end) {
  return name.starts_with(start) && name.ends_with(end) &&
         name.size() > start.size() + end.size() &&
         whole_number(name.substr(start.size(), name.size() - start.size() - end.size())) >= 0;
}

std::string pixels_of(const fs::path& path, std::uint32_t side, Sha256& contents) {
  const MappedFile file = open_plain(path, contents, kMostPicture);
  const std::string size = std::to_string(side) + " x " + std::to_string(side) + " pixels";
  try {
    Picture picture = read_png(file.bytes(), std::uint64_t{side} * side);
    if (picture.rows == side && picture.columns == side) return std::move(picture.pixels);
    refuse_file(path, "", "a picture of " + size,
                std::to_string(picture.rows) + " x " + std::to_string(picture.columns));
  } catch (const DataMissing&) {
    throw;
  } catch (const std::runtime_error& error) {
    refuse_file(path, "", "a picture of " + size, error.what());
  }
}

void add_line(const fs::path& from, const fs::path& batch, std::size_t number,
              std::string_view line, std::uint32_t side, Sha256& contents,
              std::vector<NewExample>* into) {
  const std::vector<std::string_view> words = words_in(line);
  const std::string where = at_line(number);
  if (words.size() < kFields)
    refuse_file(batch, where, "a folder, a file, a number and a label", quoted_start(line));
  if (!is_numbered(words[kFolder], "imgs/", ""))
    refuse_file(batch, where, "a folder imgs/NUMBER", quoted_start(words[kFolder]));
  if (!is_numbered(words[kFile], "sample_", ".png"))
    refuse_file(batch, where, "a file sample_NUMBER.png", quoted_start(words[kFile]));
  if (words[kLabel] != "0" && words[kLabel] != "1")
    refuse_file(batch, where, "the label 0 or 1", quoted_start(words[kLabel]));
  if (is_left_out(from, words[kFolder], words[kFile])) return;
  if (into->size() == kMostExamples) refuse_file(batch, where, "at most 10 000 000 lines", "more");
  into->push_back({{pixels_of(from / words[kFolder] / words[kFile], side, contents)},
                   words[kLabel] == "1" ? 1u : 0u,
                   {}});
}

}  // namespace

Taken read_pathfinder(const IntakeRow& row, const fs::path& from, Sha256& contents) {
  const std::uint32_t side = row.side;
  std::vector<NewExample> all;
  for (const fs::path& batch : batches_in(from)) {
    const MappedFile file = open_plain(batch, contents, kMostMetadata);
    if (file.bytes().starts_with("\x93NUMPY"))
      refuse_file(batch, at_byte(0), "lines of text, as in the release", "an array of NumPy");
    for_each_numbered_line(file.bytes(), [&](std::string_view line, std::size_t number) {
      add_line(from, batch, number, line, side, contents, &all);
    });
  }
  if (all.empty()) refuse_file(from / "metadata", "", "lines about pictures", "none");
  Taken taken{
      {.vocabulary = 256, .classes = 2, .length = side * side, .rows = side, .columns = side}, {}};
  const auto splits =
      torch_split(static_cast<std::uint32_t>(all.size()), 0.1, 0.1, kPathfinderSeed);
  for (std::size_t split = 0; split < splits.size(); ++split)
    for (const std::uint32_t i : splits[split]) taken.examples[split].push_back(std::move(all[i]));
  return taken;
}

}  // namespace runner
