// `lcsm data`: data sets that are generated, and what is in them.
#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "runner/datasets/making.h"
#include "runner/datasets/png.h"
#include "runner/datasets/samples.h"
#include "runner/front/results_verb.h"
#include "runner/pages/data_page.h"
#include "runner/process/exit_code.h"
#include "runner/process/stderr_text.h"
#include "runner/process/stop_counter.h"
#include "runner/tasks/data_search.h"
#include "runner/verbs/verbs.h"
#include "runner/workspace/folder.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

constexpr int kMost = 100'000'000;

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

std::vector<Candidate> dataset_candidates(const std::string&) {
  std::vector<Candidate> candidates;
  for (const DatasetRow& row : dataset_rows())
    candidates.push_back({std::string(row.name), std::string(row.help)});
  return candidates;
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

// ----- make -----

struct MakeOptions {
  std::string name, as, workspace;
  std::int64_t train = -1, valid = -1, test = -1, seed = 1, over = -1, under = -1;
  int threads = 0;
};

Recipe recipe_of(const MakeOptions& options) {
  const DatasetRow* row = find_dataset(options.name);
  Recipe recipe = default_recipe(*row);
  recipe.seed = static_cast<std::uint64_t>(options.seed);
  const std::int64_t counts[] = {options.train, options.valid, options.test};
  for (const Split split : kSplits)
    if (counts[index_of(split)] >= 0)
      recipe.examples[index_of(split)] = static_cast<std::uint64_t>(counts[index_of(split)]);
  if ((options.over >= 0 || options.under >= 0) && row->under == 0)
    throw std::invalid_argument("--over and --under are of lra-listops, got " + options.name);
  if (options.over >= 0) recipe.over = options.over;
  if (options.under >= 0) recipe.under = options.under;
  if (row->under > 0 && recipe.over + 1 >= recipe.under)
    throw std::invalid_argument(
        fmt::format("expected --over to be at least 2 below --under, got "
                    "{} and {}",
                    recipe.over, recipe.under));
  if (recipe != default_recipe(*row) && options.as.empty())
    throw std::invalid_argument(
        fmt::format("expected --as NAME for what differs from {}, got none", options.name));
  return recipe;
}

void check_name(const std::string& name) {
  const bool plain =
      !name.empty() && !name.starts_with('.') && std::all_of(name.begin(), name.end(), [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.';
      });
  if (!plain)
    throw std::invalid_argument("expected a name of letters, digits, '-', '_' and '.', got '" +
                                name + "'");
}

// A line that is written over on a terminal, one for each tenth elsewhere.
class ProgressLine {
 public:
  explicit ProgressLine(std::string name) : name_(std::move(name)) {}
  void show(std::uint64_t done, std::uint64_t all) {
    const bool tty = err_terminal().tty;
    const std::uint64_t step = done * (tty ? 1000 : 10) / std::max<std::uint64_t>(1, all);
    if (step == shown_) return;
    shown_ = step;
    print_stderr(fmt::format("{}{}: {} of {} examples{}", tty ? "\r" : "", name_, done, all,
                             tty && done < all ? "" : "\n"));
  }

 private:
  std::string name_;
  std::uint64_t shown_ = 0;
};

void make(const MakeOptions& options) {
  const std::string name = options.as.empty() ? options.name : options.as;
  check_name(name);
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  ProgressLine line(name);
  const StopCounter stops;
  Making making{recipe_of(options), workspace_folder(options.workspace) / "data" / name,
                options.threads > 0 ? options.threads : static_cast<int>(cores),
                [&line](std::uint64_t done, std::uint64_t all) { line.show(done, all); },
                [] { return StopCounter::count() > 0; }};
  try {
    const Made made = make_dataset(making);
    if (made == Made::kStopped)
      throw Failure(ExitCode::kInterrupted, "stopped; the same command continues");
    fmt::print("{}\n", making.folder.string());
    if (made == Made::kWasThere) print_safe(name + ": was there already\n");
  } catch (const lcsm::WriteError& error) {
    throw Failure(ExitCode::kOutput, error.what());
  }
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
  Verb& verb = data.verb("list", "List data sets: those there, and those that can be made");
  ListOptions& options = verb.runs(list);
  verb.flag("--json", &options.json, "Print JSON (schema lcsm.data-list/1)");
  add_workspace_option(verb, &options.workspace);
  verb.footer("Examples:\n  lcsm data list\n  lcsm data list --json");
}

void add_make(Verb& data) {
  Verb& verb = data.verb("make", "Generate a data set");
  MakeOptions& options = verb.runs(make);
  std::vector<Candidate> names = dataset_candidates("");
  verb.argument("name", &options.name, "The data set").type("NAME").required().choices(names);
  verb.option("--as", &options.as, "Its name here, if it differs from what the papers use")
      .type("NAME");
  verb.option("--train", &options.train, "Examples to train on").type("N").range(0, kMost);
  verb.option("--valid", &options.valid, "Examples to validate on").type("N").range(0, kMost);
  verb.option("--test", &options.test, "Examples to test on").type("N").range(0, kMost);
  verb.option("--seed", &options.seed, "Other examples").type("N").range(0, kMost);
  verb.option("--over", &options.over, "Of lra-listops: more tokens than this (500)")
      .type("N")
      .range(0, 1 << 20);
  verb.option("--under", &options.under, "Of lra-listops: fewer tokens than this (2000)")
      .type("N")
      .range(2, 1 << 20);
  verb.option("--threads", &options.threads, "Threads (default: one for each core)")
      .type("N")
      .range(1, 1024);
  add_workspace_option(verb, &options.workspace);
  verb.footer(R"text(Examples:
  lcsm data make lra-listops
  lcsm data make lra-listops --as listops-short --over 10 --under 100 --train 2000
  lcsm data make lra-pathx --threads 8

The files go to data/NAME of the workspace. Interrupted, even by a power failure, the same command
continues; the files are the same for any number of threads.)text");
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
  verb.option("--from", &options.from, "The first example").type("N").range(0, kMost);
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
  Verb& verb = program.verb("data", "Generate data sets, check them, look at them");
  verb.footer("Examples:\n  lcsm data list\n  lcsm data make lra-listops");
  add_list(verb);
  add_make(verb);
  add_check(verb);
  add_show_samples(verb);
}

}  // namespace runner
