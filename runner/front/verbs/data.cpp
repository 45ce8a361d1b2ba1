// `lcsm data`: lists data sets and inspects them.
#include "runner/front/verbs/data.h"

#include <fmt/format.h>

#include <algorithm>

#include "lcsm/base/safe_text.h"
#include "lcsm/base/words.h"
#include "lcsm/files/whole_file.h"
#include "runner/base/files/mapped_file.h"
#include "runner/base/process/exit_code.h"
#include "runner/base/process/stderr_text.h"
#include "runner/data/datasets/making.h"
#include "runner/data/datasets/png.h"
#include "runner/data/datasets/samples.h"
#include "runner/data/import/characters.h"
#include "runner/data/import/intake.h"
#include "runner/data/tasks/data_search.h"
#include "runner/front/options/results_verb.h"
#include "runner/front/pages/data_page.h"
#include "runner/front/verbs/verbs.h"
#include "runner/workspace/folder.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kShownOfLine = 80;  // bytes of a text

FoundDataset find_folder(const std::string& name, const fs::path& workspace) {
  if (fs::is_directory(name) && name.find('/') != std::string::npos) return look_at_dataset(name);
  const std::vector<fs::path> folders = data_folders(workspace);
  for (const fs::path& data : folders)
    if (FoundDataset found = look_at_dataset(data / name); !found.state.empty()) return found;
  const std::string places = lcsm::joined_of(
      folders, [&](const fs::path& data) { return "'" + (data / name).string() + "'"; });
  throw Failure(
      ExitCode::kMissing,
      fmt::format("expected the data set {} in {}, got none{}", name, places,
                  find_dataset(name) != nullptr ? ": generate it with `lcsm data make " + name + "`"
                                                : ": `lcsm data list` lists the data sets"));
}

std::vector<Candidate> there_candidates(const std::string&) {
  std::vector<Candidate> candidates;
  for (const FoundDataset& found : all_datasets(workspace_folder("")))
    if (!found.state.empty()) candidates.push_back({found.name, found.state});
  return candidates;
}

// The row of texts of this name; null if it names something else.
const IntakeRow* text_row(const std::string& name) {
  const IntakeRow* row = find_intake(name);
  return row != nullptr && !row->texts.empty() ? row : nullptr;
}

FoundTexts find_texts_of(const IntakeRow& row, const fs::path& workspace) {
  FoundTexts found = find_row_texts(row, workspace);
  if (found.parts[0].file.empty())
    throw Failure(ExitCode::kMissing,
                  fmt::format("expected {} in a folder {}, got {}: `lcsm data get {}` {}",
                              row.files, row.place(), found.any ? "some" : "none", row.name,
                              row.mirrors.empty() ? "says where to get them" : "fetches them"));
  return found;
}

std::string_view text_of(const FilePart& part, const MappedFile& whole) {
  return whole.bytes().substr(part.begin, part.end - part.begin);
}

// ----- list -----

struct ListOptions {
  std::string workspace;
  bool json = false;
};

void list(const ListOptions& options) {
  const std::vector<FoundDataset> all = all_datasets(workspace_folder(options.workspace));
  fmt::print("{}", options.json ? datasets_json(all) : datasets_text(all, out_terminal()));
}

// ----- check -----

void report(const std::vector<std::string>& mistakes) {
  std::fflush(stdout);
  for (const std::string& mistake : mistakes) print_safe(mistake + "\n");
  if (!mistakes.empty()) throw Failure(ExitCode::kFailed, "");
}

struct CheckOptions {
  std::string name, workspace;
  bool json = false;
};

void check_texts(const IntakeRow& row, const CheckOptions& options) {
  const FoundTexts found = find_texts_of(row, workspace_folder(options.workspace));
  TextsFacts facts;
  for (const Split split : kSplits) {
    const FilePart& part = found.parts[index_of(split)];
    const std::string file = part.file.string();
    const MappedFile whole(file);
    const std::string_view text = text_of(part, whole);
    TextFacts& counts = facts.splits[index_of(split)] = text_facts(text);
    if (const std::uint64_t words = row.words[index_of(split)]; words > 0 && words != counts.words)
      facts.mistakes.push_back(
          fmt::format("'{}': expected {} words with <eos>, got {}", file, words, counts.words));
    if (const std::size_t at = first_not_utf8(text); at < counts.bytes)
      facts.mistakes.push_back(fmt::format("'{}': byte {} is not UTF-8", file, at));
  }
  fmt::print("{}", options.json ? texts_facts_json(found.folder, facts)
                                : texts_facts_text(facts, out_terminal()));
  report(facts.mistakes);
}

void check(const CheckOptions& options) {
  if (const IntakeRow* row = text_row(options.name)) return check_texts(*row, options);
  const FoundDataset found = find_folder(options.name, workspace_folder(options.workspace));
  DatasetFacts facts = check_dataset(found.folder);
  if (is_unfinished(found.folder))
    facts.mistakes.insert(
        facts.mistakes.begin(),
        fmt::format("'{}' is unfinished: repeat the command that generates it, which resumes",
                    found.folder.string()));
  fmt::print("{}", options.json ? dataset_facts_json(found.folder, facts)
                                : dataset_facts_text(facts, out_terminal()));
  report(facts.mistakes);
}

// ----- show -----

struct ShowOptions {
  std::string name, split = "train", out, workspace;
  std::int64_t from = 0;
  std::int64_t count = 0;  // 0: some
};

void show_texts(const IntakeRow& row, const ShowOptions& options) {
  const FoundTexts found = find_texts_of(row, workspace_folder(options.workspace));
  if (!options.out.empty())
    throw std::invalid_argument("expected a picture data set with --out, got " + options.name);
  const std::size_t split = options.split == "train" ? 0 : options.split == "valid" ? 1 : 2;
  const MappedFile whole(found.parts[split].file.string());
  const std::int64_t count = options.count > 0 ? options.count : 3;
  std::int64_t number = 0, left = count;
  std::string_view rest = text_of(found.parts[split], whole);
  while (!rest.empty() && left > 0) {
    const std::string_view line = lcsm::take_until(&rest, '\n');
    if (number++ < options.from || line.find_first_not_of(" \r") == std::string_view::npos)
      continue;
    fmt::print("{}  {}\n", number - 1, lcsm::safe_text(line.substr(0, kShownOfLine)));
    --left;
  }
  if (left == count)
    throw std::invalid_argument(
        fmt::format("expected --from below {}, got {}", number, options.from));
}

void show(const ShowOptions& options) {
  if (const IntakeRow* row = text_row(options.name)) return show_texts(*row, options);
  const FoundDataset found = find_folder(options.name, workspace_folder(options.workspace));
  const DataFile file((found.folder / (options.split + ".set")).string());
  const std::uint64_t usual = options.out.empty() ? 3 : 64;
  const auto from = static_cast<std::uint64_t>(options.from);
  const std::uint64_t count = options.count > 0 ? static_cast<std::uint64_t>(options.count) : usual;
  if (from >= file.examples())
    throw std::invalid_argument(
        fmt::format("expected --from below {}, got {}", file.examples(), from));
  std::vector<std::uint64_t> examples;
  for (std::uint64_t i = from; i < std::min(file.examples(), from + count); ++i)
    examples.push_back(i);
  if (options.out.empty()) {
    for (const std::uint64_t i : examples)
      fmt::print("{}", sample_text(found.made_of, file, i, out_terminal()));
    return;
  }
  if (file.shape().rows == 0)
    throw std::invalid_argument("expected a picture data set with --out, got " + options.name);
  const Picture sheet = contact_sheet(file, examples);
  lcsm::write_whole(options.out, png_of(sheet.pixels, sheet.rows, sheet.columns));
}

void add_list(Verb& data) {
  Verb& verb = data.verb("list", "List data sets, installed and available");
  ListOptions& options = verb.runs(list);
  verb.flag("--json", &options.json, "Print JSON (schema lcsm.data-list/1)");
  add_workspace_option(verb, &options.workspace);
  verb.footer("Examples:\n  lcsm data list\n  lcsm data list --json");
}

void add_check(Verb& data) {
  Verb& verb =
      data.verb("check", "Check a data set: counts, ranges, labels, duplicates, checksums");
  CheckOptions& options = verb.runs(check);
  verb.argument("name", &options.name, "The data set, or its folder")
      .type("NAME")
      .required()
      .completes(there_candidates);
  verb.flag("--json", &options.json, "Print JSON (schema lcsm.data-check/1)");
  add_workspace_option(verb, &options.workspace);
  verb.footer(R"text(Examples:
  lcsm data check lra-listops
  lcsm data check ./data/mine --json

Expressions are evaluated again, and some examples of each split are regenerated and compared. The
exit code is 1 if anything is wrong.)text");
}

void add_show_samples(Verb& data) {
  Verb& verb = data.verb("show", "Show examples as text, pictures as blocks or PNG");
  ShowOptions& options = verb.runs(show);
  verb.argument("name", &options.name, "The data set, or its folder")
      .type("NAME")
      .required()
      .completes(there_candidates);
  verb.option("--split", &options.split, "The split")
      .choices({{"train"}, {"valid"}, {"test"}})
      .default_shown();
  verb.option("--from", &options.from, "The first example").type("N").range(0, kMostExamples);
  verb.option("--count", &options.count, "How many (default: 3; 64 in a PNG)")
      .type("N")
      .range(1, 4096);
  verb.option("--out", &options.out, "Write the pictures to this PNG file").type("FILE.png");
  add_workspace_option(verb, &options.workspace);
  verb.footer(R"text(Examples:
  lcsm data show lra-listops --split test --count 1
  lcsm data show lra-pathfinder --out pathfinder.png

In a PNG, a brighter frame around a picture means a higher label.)text");
}

}  // namespace

void add_data(Verb& program) {
  Verb& verb = program.verb("data", "Generate, import, check and inspect data sets");
  verb.footer("Examples:\n  lcsm data list\n  lcsm data make lra-listops");
  add_list(verb);
  add_data_make(verb);
  add_data_get(verb);
  add_check(verb);
  add_show_samples(verb);
}

}  // namespace runner
