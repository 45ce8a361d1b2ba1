// `lcsm data`: which data sets there are, and what is in them.
#include "runner/verbs/data.h"

#include <fmt/format.h>

#include <algorithm>

#include "runner/datasets/making.h"
#include "runner/datasets/png.h"
#include "runner/datasets/samples.h"
#include "runner/front/results_verb.h"
#include "runner/pages/data_page.h"
#include "runner/process/exit_code.h"
#include "runner/process/stderr_text.h"
#include "runner/tasks/data_search.h"
#include "runner/verbs/verbs.h"
#include "runner/workspace/folder.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

FoundDataset find_folder(const std::string& name, const fs::path& workspace) {
  if (fs::is_directory(name) && name.find('/') != std::string::npos) return look_at_dataset(name);
  std::string places;
  for (const fs::path& data : data_folders(workspace)) {
    FoundDataset found = look_at_dataset(data / name);
    if (!found.state.empty()) return found;
    places += (places.empty() ? "'" : ", '") + (data / name).string() + "'";
  }
  throw Failure(
      ExitCode::kMissing,
      fmt::format("expected the data set {} in {}, got none{}", name, places,
                  find_dataset(name) != nullptr ? ": make it with `lcsm data make " + name + "`"
                                                : ": `lcsm data list` shows what is there"));
}

std::vector<Candidate> there_candidates(const std::string&) {
  std::vector<Candidate> candidates;
  for (const FoundDataset& found : all_datasets(workspace_folder("")))
    if (!found.state.empty()) candidates.push_back({found.name, found.state});
  return candidates;
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

struct CheckOptions {
  std::string name, workspace;
  bool json = false;
};

void check(const CheckOptions& options) {
  const FoundDataset found = find_folder(options.name, workspace_folder(options.workspace));
  const DatasetFacts facts = check_dataset(found.folder);
  fmt::print("{}", options.json ? dataset_facts_json(found.folder, facts)
                                : dataset_facts_text(facts, out_terminal()));
  std::fflush(stdout);
  for (const std::string& mistake : facts.mistakes) print_safe(mistake + "\n");
  if (!facts.mistakes.empty()) throw Failure(ExitCode::kFailed, "");
}

// ----- show -----

struct ShowOptions {
  std::string name, split = "train", out, workspace;
  std::int64_t from = 0;
  std::int64_t count = 0;  // 0: some
};

void show(const ShowOptions& options) {
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
    throw std::invalid_argument("expected a data set of pictures with --out, got " + options.name);
  const Picture sheet = contact_sheet(file, examples);
  write_output(options.out, png_of(sheet.pixels, sheet.rows, sheet.columns));
}

void add_list(Verb& data) {
  Verb& verb = data.verb("list", "List data sets: those there, and those that can be had");
  ListOptions& options = verb.runs(list);
  verb.flag("--json", &options.json, "Print JSON (schema lcsm.data-list/1)");
  add_workspace_option(verb, &options.workspace);
  verb.footer("Examples:\n  lcsm data list\n  lcsm data list --json");
}

void add_check(Verb& data) {
  Verb& verb = data.verb("check", "Check a data set: counts, ranges, labels, duplicates, sums");
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

Expressions are evaluated again, some examples of each split are made again. The exit code is 1 if
anything is wrong.)text");
}

void add_show_samples(Verb& data) {
  Verb& verb = data.verb("show", "Show examples as text, pictures as blocks or PNG");
  ShowOptions& options = verb.runs(show);
  verb.argument("name", &options.name, "The data set, or its folder")
      .type("NAME")
      .required()
      .completes(there_candidates);
  verb.option("--split", &options.split, "Of which split")
      .choices({{"train"}, {"valid"}, {"test"}})
      .default_shown();
  verb.option("--from", &options.from, "The first example").type("N").range(0, kMostExamples);
  verb.option("--count", &options.count, "How many (3; of a PNG 64)").type("N").range(1, 4096);
  verb.option("--out", &options.out, "Write the pictures to this PNG file").type("FILE.png");
  add_workspace_option(verb, &options.workspace);
  verb.footer(R"text(Examples:
  lcsm data show lra-listops --split test --count 1
  lcsm data show lra-pathfinder --out pathfinder.png

In a PNG the frame of a picture is the brighter the higher its label.)text");
}

}  // namespace

void add_data(Verb& program) {
  Verb& verb = program.verb("data", "Make or take data sets, check them, look at them");
  verb.footer("Examples:\n  lcsm data list\n  lcsm data make lra-listops");
  add_list(verb);
  add_data_make(verb);
  add_data_get(verb);
  add_check(verb);
  add_show_samples(verb);
}

}  // namespace runner
