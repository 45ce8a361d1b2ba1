#include "runner/data/own/own_sources.h"

#include <algorithm>
#include <system_error>

#include "lcsm/base/words.h"
#include "runner/config/keys/task_keys.h"
#include "runner/data/own/table_file.h"
#include "runner/data/tasks/data_search.h"

namespace fs = std::filesystem;

namespace runner {
namespace {

constexpr std::size_t kMostPictures = 10'000'000;

fs::path path_of(const RunConfig& config) {
  const std::string& path = config.text("task.path"_key);
  if (path.empty()) throw DataMissing("task.path is not set: expected the path of your data");
  std::error_code none;
  if (!fs::exists(path, none))
    throw DataMissing("task.path: expected a file or a folder, got none at '" +
                      fs::absolute(path).string() + "'");
  return path;
}

void add(const fs::path& file, const fs::path& root, OwnSources* sources) {
  if (fs::is_symlink(fs::symlink_status(file)))
    throw IntakeError("'" + file.string() + "': expected a file, got a symbolic link");
  sources->files.push_back(file);
  sources->names.push_back(file == root ? root.extension().string()
                                        : file.lexically_relative(root).generic_string());
}

std::vector<fs::path> sorted(const fs::path& folder) {
  std::vector<fs::path> all;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    all.push_back(entry.path());
    if (all.size() > kMostPictures)
      throw IntakeError("'" + folder.string() + "': expected at most " +
                        std::to_string(kMostPictures) + " files, got more");
  }
  std::sort(all.begin(), all.end());
  return all;
}

constexpr std::string_view kPictureEnds = ".png .jpg .jpeg",
                           kOtherPictureEnds = ".bmp .gif .tif .tiff .webp .avif .heic";

// The end of the file's name, without capitals.
std::string end_of(const fs::path& file) { return lcsm::lower_case(file.extension().string()); }

bool is_split(const std::string& name) {
  return std::ranges::any_of(kSplits, [&](Split split) { return to_string(split) == name; });
}

// Refuses `val` and the like, before a part of the training examples takes its place.
template <class IsPart>
void refuse_other_splits(const fs::path& folder, const OwnSources& sources, const IsPart& is_part) {
  if (sources.ends[1] < sources.ends[2] && sources.ends[2] < sources.ends[3]) return;
  for (const fs::path& part : sorted(folder))
    if (is_part(part) && !is_split(part.stem().string()) &&
        !part.filename().string().starts_with("."))
      throw IntakeError("'" + part.string() +
                        "': expected the name train, valid or test: rename it, or move it away");
}

// CLASS/*.png and the like
void add_classes(const fs::path& folder, const fs::path& root, OwnSources* sources) {
  for (const fs::path& label : sorted(folder)) {
    std::error_code none;
    if (fs::is_regular_file(label, none)) continue;
    if (fs::is_symlink(fs::symlink_status(label)))
      throw IntakeError("'" + label.string() +
                        "': expected a folder, got a symbolic link: copy the folder here");
    if (!fs::is_directory(label)) continue;
    const std::size_t before = sources->files.size();
    for (const fs::path& file : sorted(label)) {
      if (lcsm::has_word(kPictureEnds, end_of(file))) add(file, root, sources);
      if (lcsm::has_word(kOtherPictureEnds, end_of(file)))
        throw IntakeError("'" + file.string() +
                          "': expected .png or .jpg: convert it, or move it away");
      if (fs::is_directory(file, none) && !file.filename().string().starts_with("."))
        throw IntakeError("'" + file.string() +
                          "': expected pictures, got a folder: move its pictures up, or it away");
    }
    if (sources->files.size() == before && !label.filename().string().starts_with("."))
      throw IntakeError("'" + label.string() +
                        "': expected .png or .jpg files of this label, got "
                        "none: add some, or remove the folder");
  }
}

}  // namespace

OwnSources find_own_texts(const RunConfig& config) {
  const fs::path path = path_of(config);
  OwnSources sources;
  if (!fs::is_directory(path)) {
    if (!lcsm::has_word(kTableEnds, path.extension().string()))
      throw DataMissing("task.path: expected a file that ends in one of " +
                        std::string(kTableEnds) + ", got '" + path.string() + "'");
    add(path, path, &sources);
    sources.ends = {0, 1, 1, 1};
    return sources;
  }
  for (const Split split : kSplits) {
    for (const std::string& end : lcsm::words_of(kTableEnds))
      if (const fs::path file = path / (std::string(to_string(split)) + end);
          fs::exists(fs::symlink_status(file)))
        add(file, path, &sources);
    sources.ends[index_of(split) + 1] = sources.files.size();
    if (sources.files.size() > sources.ends[index_of(split)] + 1)
      throw IntakeError("'" + path.string() + "': expected one file for " +
                        std::string(to_string(split)) + ", got " + sources.names.back() + " and " +
                        sources.names[sources.names.size() - 2]);
  }
  if (sources.ends[1] == 0)
    throw DataMissing("'" + path.string() + "': expected a file train, ending in one of " +
                      std::string(kTableEnds) + ", got none");
  refuse_other_splits(path, sources, [](const fs::path& file) {
    return lcsm::has_word(kTableEnds, file.extension().string());
  });
  return sources;
}

OwnSources find_own_pictures(const RunConfig& config) {
  const fs::path path = path_of(config);
  if (!fs::is_directory(path))
    throw DataMissing(
        "task.path: expected a folder with a folder of .png or .jpg files per label, got '" +
        path.string() + "'");
  OwnSources sources;
  const bool split_folders = fs::is_directory(path / "train");
  for (const Split split : kSplits) {
    const fs::path folder = path / std::string(to_string(split));
    if (split_folders && fs::is_directory(folder)) {
      add_classes(folder, path, &sources);
      if (sources.files.size() == sources.ends[index_of(split)])
        throw DataMissing("'" + folder.string() + "': expected LABEL/*.png or *.jpg, got none");
    }
    if (!split_folders && split == Split::kTrain) add_classes(path, path, &sources);
    sources.ends[index_of(split) + 1] = sources.files.size();
  }
  if (split_folders)
    refuse_other_splits(path, sources, [](const fs::path& part) { return fs::is_directory(part); });
  if (sources.files.empty())
    throw DataMissing("'" + path.string() +
                      "': expected LABEL/*.png or *.jpg, or train/LABEL/*.png and so on, got none");
  return sources;
}

}  // namespace runner
