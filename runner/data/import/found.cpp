#include "runner/data/import/found.h"

#include <algorithm>

#include "lcsm/base/words.h"
#include "runner/data/datasets/making.h"
#include "runner/data/datasets/own_names.h"
#include "runner/data/import/intake.h"
#include "runner/data/import/plain_files.h"

namespace fs = std::filesystem;

namespace runner {

FoundDataset look_at_dataset(const fs::path& folder) {
  FoundDataset found{folder.filename().string(), "", folder, 0, ""};
  bool all = true, damaged = false;
  for (const Split split : kSplits) try {
      const fs::path file = split_file(folder, split);
      std::error_code none;
      if (!fs::is_regular_file(file, none)) {
        all = false;
        continue;
      }
      found.bytes += fs::file_size(file);
      const DataFile data(file.string());
      found.made_of = recipe_name(data.recipe());
      found.own_of = own_names(data.recipe()).from;
    } catch (const std::exception&) {
      damaged = true;
    }
  if (damaged)
    found.state = "damaged";
  else if (all)
    found.state = "ready";
  else if (found.bytes > 0 || is_unfinished(folder))
    found.state = "unfinished";
  return found;
}

FoundTexts find_row_texts(const IntakeRow& row, const fs::path& workspace) {
  FoundTexts none;
  std::error_code error;
  for (const fs::path& data : data_folders(workspace)) {
    FoundTexts found{data / row.place(), {}};
    const std::vector<std::string> splits = lcsm::words_of(row.texts);
    std::size_t there = 0;
    for (std::size_t split = 0; split < splits.size(); ++split)
      for (const std::string_view name : fields_of(splits[split], '|'))
        if (FilePart& part = found.parts[split];
            part.file.empty() && fs::is_regular_file(found.folder / name, error))
          part = whole_text(found.folder / name), ++there;
    none.any = none.any || there > 0;
    if (there < splits.size()) continue;
    if (splits.size() == 1) found.parts = cut_text(found.parts[0].file);
    return found;
  }
  return none;
}

namespace {

FoundDataset look_at_texts(const IntakeRow& row, const fs::path& workspace) {
  const FoundTexts texts = find_row_texts(row, workspace);
  FoundDataset found{std::string(row.name), texts.any ? "unfinished" : "", texts.folder, 0, ""};
  if (texts.parts[0].file.empty()) return found;
  found.state = "ready";
  found.made_of = row.name;
  for (const FilePart& part : texts.parts) found.bytes += part.end - part.begin;
  return found;
}

}  // namespace

std::vector<FoundDataset> all_datasets(const fs::path& workspace) {
  std::vector<FoundDataset> all;
  const auto known = [&all](const std::string& name) {
    return std::any_of(all.begin(), all.end(),
                       [&](const FoundDataset& one) { return one.name == name; });
  };
  for (const DatasetRow& row : dataset_rows())
    all.push_back({std::string(row.name), "", "", 0, ""});
  for (const IntakeRow& row : intake_rows())
    if (!row.texts.empty())
      all.push_back(look_at_texts(row, workspace));
    else if (!known(std::string(row.name)))
      all.push_back({std::string(row.name), "", "", 0, ""});
  for (const fs::path& data : data_folders(workspace)) {
    std::error_code none;
    std::vector<fs::path> folders;
    for (const fs::directory_entry& entry : fs::directory_iterator(data, none))
      if (entry.is_directory(none)) folders.push_back(entry.path());
    std::sort(folders.begin(), folders.end());
    for (const fs::path& folder : folders) {
      FoundDataset found = look_at_dataset(folder);
      if (found.state.empty()) continue;
      if (!known(found.name)) all.push_back(found);
      for (FoundDataset& one : all)
        if (one.name == found.name && one.state.empty()) one = found;
    }
  }
  return all;
}

}  // namespace runner
