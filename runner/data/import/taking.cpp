// Writes the examples that a reader has returned into our data files.

#include "runner/base/files/json_file.h"
#include "runner/base/files/mapped_file.h"
#include "runner/data/import/intake.h"
#include "runner/data/import/plain_files.h"
#include "runner/data/tasks/data_search.h"

namespace fs = std::filesystem;

namespace runner {
namespace {

using Json = nlohmann::ordered_json;

[[noreturn]] void refuse_there(const fs::path& file) {
  throw std::invalid_argument("'" + file.string() +
                              "' already exists with other contents, or is damaged: choose another "
                              "name with --as, or remove it");
}

bool is_there(const fs::path& file, const std::string& recipe) {
  if (!fs::exists(file)) return false;
  try {
    if (DataFile(file.string()).recipe() == recipe) return true;
  } catch (const DataFileError&) {
  }
  refuse_there(file);
}

bool is_there(const fs::path& file, const TakenText& text) {
  if (!fs::exists(file)) return false;
  if (MappedFile(file.string()).bytes() != text.bytes()) refuse_there(file);
  return true;
}

// Describes the tokens and classes in the form that own_names.h reads.
Json recipe_of(const IntakeRow& row, const std::string& contents, Split split, const Taken& taken) {
  Json recipe = {{"name", row.name}, {"contents", contents}, {"split", to_string(split)}};
  if (split == Split::kTest && taken.apart > 0) recipe["apart"] = taken.apart;
  if (taken.tokens.empty() && taken.labels.empty()) return recipe;
  recipe["from"] = "";
  recipe["tokens"] = taken.tokens;
  recipe["labels"] = taken.labels;
  recipe["vocabulary"] = taken.vocabulary;
  return recipe;
}

void write_sets(const IntakeRow& row, const std::string& contents, const Taken& taken,
                const fs::path& folder) {
  std::array<std::string, 3> recipes;
  std::array<bool, 3> there{};
  for (const Split split : kSplits) {
    const std::size_t i = index_of(split);
    recipes[i] = json_line(recipe_of(row, contents, split, taken));
    there[i] = is_there(split_file(folder, split), recipes[i]);
  }
  lcsm::create_folder(folder);
  for (const Split split : kSplits)
    if (!there[index_of(split)])
      write_examples(split_file(folder, split), taken.shape, recipes[index_of(split)],
                     taken.examples[index_of(split)]);
}

void write_texts(const Taken& taken, const fs::path& folder) {
  std::vector<const TakenText*> missing;
  for (const TakenText& text : taken.texts)
    if (!is_there(folder / text.name, text)) missing.push_back(&text);
  lcsm::create_folder(folder);
  for (const TakenText* text : missing) lcsm::write_whole(folder / text->name, text->bytes());
}

}  // namespace

void take_dataset(const IntakeRow& row, const fs::path& from, const fs::path& folder) {
  Sha256 contents;
  const Taken taken = row.read(row, from, contents);
  if (taken.texts.empty())
    write_sets(row, contents.hex(), taken, folder);
  else
    write_texts(taken, folder);
}

}  // namespace runner
