// `lcsm data make` and `lcsm data get`: generate data sets, or import them from files.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "lcsm/base/allowance.h"
#include "lcsm/base/words.h"
#include "runner/base/cli/parse.h"
#include "runner/base/cli/shell_words.h"
#include "runner/base/process/exit_code.h"
#include "runner/base/process/stderr_text.h"
#include "runner/base/process/stop_signals.h"
#include "runner/base/text/duration.h"
#include "runner/base/text/terminal.h"
#include "runner/config/keys/task_rows.h"
#include "runner/data/datasets/making.h"
#include "runner/data/import/intake.h"
#include "runner/data/import/source.h"
#include "runner/data/own/own_data.h"
#include "runner/data/tasks/data_search.h"
#include "runner/data/tasks/set_task.h"
#include "runner/front/options/results_verb.h"
#include "runner/front/options/set_option.h"
#include "runner/front/verbs/data.h"
#include "runner/workspace/folder.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

bool is_own(const std::string& name) {
  const TaskRow* row = task_row(name);
  return row != nullptr && lcsm::has_word(row->keys, "task.classes");
}

std::vector<Candidate> data_to_make() {
  std::vector<Candidate> candidates = choices_of(dataset_rows());
  for (const TaskRow& row : kTaskRows)
    if (is_own(std::string(row.name)))
      candidates.push_back({std::string(row.name), std::string(row.help)});
  return candidates;
}

// ----- make -----

struct MakeOptions {
  std::string name, as, workspace;
  std::vector<std::string> settings;
  std::int64_t train = -1, valid = -1, test = -1, seed = 1, over = -1, under = -1, length = -1;
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
    throw std::invalid_argument("--over and --under apply only to lra-listops, got " +
                                options.name);
  if (options.over >= 0) recipe.over = options.over;
  if (options.under >= 0) recipe.under = options.under;
  if (row->under > 0 && recipe.over + 1 >= recipe.under)
    throw std::invalid_argument(
        fmt::format("expected --over to be at least 2 below --under, got "
                    "{} and {}",
                    recipe.over, recipe.under));
  if (options.length >= 0 && row->length == 0)
    throw std::invalid_argument("--length applies only to sounds, got " + options.name);
  if (options.length >= 0) recipe.length = options.length;
  if (recipe != default_recipe(*row) && options.as.empty())
    throw std::invalid_argument(fmt::format(
        "expected --as NAME for a data set that differs from {}, got none", options.name));
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

// A progress line: rewritten on a terminal, one per tenth elsewhere; if the total is unknown, one
// per 100 MB.
class ProgressLine {
 public:
  explicit ProgressLine(std::string name) : name_(std::move(name)) {}
  void show(std::uint64_t done, std::uint64_t all, const std::string& text) {
    const bool tty = err_terminal().tty;
    constexpr std::uint64_t kUnknown = 100'000'000;
    const std::uint64_t step =
        all > 0 ? done * (tty ? 1000 : 10) / all : done / (tty ? kUnknown / 100 : kUnknown);
    if (step == shown_) return;
    shown_ = step;
    print_stderr(fmt::format("{}{}: {}{}", tty ? "\r" : "", name_, text,
                             tty && (all == 0 || done < all) ? "" : "\n"));
  }

 private:
  std::string name_;
  std::uint64_t shown_ = 0;
};

// Prepares the data of the task `classify`, as a run would.
void make_own(const MakeOptions& options) {
  std::vector<std::string> settings = {"task.name=" + options.name, "model.family=attention"};
  settings.insert(settings.end(), options.settings.begin(), options.settings.end());
  RunConfig config = parse_config("", "", settings, [](const std::string&) {});
  const fs::path workspace = workspace_folder(options.workspace);
  try {
    pin_data(config, workspace);
    fmt::print("{}\n", set_files(config, workspace).front().file.parent_path().string());
  } catch (const IntakeError& error) {
    throw Failure(ExitCode::kFailed, error.what());
  }
}

Made make_generated(const MakeOptions& options, const fs::path& folder) {
  if (!options.settings.empty())
    throw std::invalid_argument("--set applies only to classify and classify-pictures, got " +
                                options.name);
  const std::string name = options.as.empty() ? options.name : options.as;
  check_name(name);
  ProgressLine line(name);
  const StopCounter stops(StopCounter::Second::kEnds);
  Making making{recipe_of(options), folder,
                options.threads > 0 ? options.threads : lcsm::read_allowance().cores(),
                [&line](std::uint64_t done, std::uint64_t all) {
                  line.show(done, all, fmt::format("{} of {} examples", done, all));
                },
                [] { return StopCounter::count() > 0; }};
  const Made made = make_dataset(making);
  if (made == Made::kStopped)
    throw Failure(ExitCode::kInterrupted, "stopped; run the same command to resume");
  return made;
}

fs::path folder_of(const MakeOptions& options) {
  return workspace_folder(options.workspace) / "data" /
         (options.as.empty() ? options.name : options.as);
}

void make(const MakeOptions& options) {
  if (is_own(options.name)) return make_own(options);
  const fs::path folder = folder_of(options);
  const Made made = make_generated(options, folder);
  fmt::print("{}\n", folder.string());
  if (made == Made::kWasThere) print_safe(folder.filename().string() + ": already exists\n");
}

// Prints nothing on stdout, which belongs to another verb.
void make_beside(const MakeOptions& options) { make_generated(options, folder_of(options)); }

// ----- get -----

struct GetOptions {
  std::string name, from, inside, as, workspace;
};

constexpr std::uint64_t kSoonDone = 100'000'000;  // bytes; less is unpacked without a progress line

std::string origin_of(const IntakeRow& row) {
  return fmt::format("{} ({}; licence: {})", row.url, row.size, row.licence);
}

SourceTalk talk_on(ProgressLine* line) {
  return {[](const std::string& text) { print_safe(text + "\n"); },
          [line](std::string_view what, std::uint64_t done, std::uint64_t all) {
            const double bytes = static_cast<double>(done), of = static_cast<double>(all);
            if (all > 0 && all < kSoonDone && !err_terminal().tty) return;
            line->show(done, all,
                       fmt::format("{} {}{}", what, size_text(bytes),
                                   all > 0 ? " of " + size_text(of) : ""));
          },
          [] { return StopCounter::count() > 0; }};
}

void take(const IntakeRow& row, const GetOptions& options, const fs::path& folder) {
  ProgressLine line(options.name);
  const StopCounter stops(StopCounter::Second::kEnds);
  const std::vector<std::string> sources =
      options.from.empty() ? lcsm::words_of(row.mirrors) : std::vector{options.from};
  take_from(row, sources, options.inside, workspace_folder(options.workspace) / "data", folder,
            talk_on(&line));
  fmt::print("{}\n", folder.string());
  if (!row.note.empty()) print_safe(fmt::format("{}: {}\n", row.name, row.note));
  if (find_dataset(row.name) != nullptr)
    print_safe(
        fmt::format("{}: train on it with task.data={}; the default is the data set that `lcsm "
                    "data make {}` generates\n",
                    row.name, folder.filename().string(), row.name));
}

// The advice for a missing --from.
std::string how_to_get(const IntakeRow& row) {
  const std::string import =
      fmt::format("import an archive or a folder that holds {} with --from PATH", row.files);
  if (row.url.empty()) return fmt::format("{} is your own: {}", row.name, import);
  if (row.prepared)
    return fmt::format("{} is prepared by {}: {}", row.name, origin_of(row), import);
  return fmt::format(
      "{0} is published at {1}: fetch it with `lcsm data get {0} --from {2}`, or {3}", row.name,
      origin_of(row), row.url, import);
}

void get(const GetOptions& options) {
  const IntakeRow& row = *find_intake(options.name);
  const std::string name = options.as.empty() ? std::string(row.place()) : options.as;
  check_name(name);
  if (options.from.empty() && row.mirrors.empty())
    throw Failure(ExitCode::kMissing, how_to_get(row));
  if (!row.url.empty())
    print_safe(fmt::format("{}: {} {}\n", row.name, row.prepared ? "prepared by" : "published at",
                           origin_of(row)));
  try {
    take(row, options, workspace_folder(options.workspace) / "data" / name);
  } catch (const Interrupted& error) {
    throw Failure(ExitCode::kInterrupted, error.what());
  } catch (const IntakeError& error) {
    throw Failure(
        ExitCode::kFailed,
        std::string(error.what()) +
            (options.from.empty() ? "; or download it yourself, and pass the file with --from"
                                  : ""));
  }
}

void declare_make(Verb& verb, MakeOptions& options) {
  verb.argument("name", &options.name, "The data set")
      .type("NAME")
      .required()
      .choices(data_to_make());
  verb.option("--as", &options.as, "Its name; required if it differs from the papers' data set")
      .type("NAME");
  verb.option("--train", &options.train, "Examples to train on").type("N").range(0, kMostExamples);
  verb.option("--valid", &options.valid, "Examples to validate on")
      .type("N")
      .range(0, kMostExamples);
  verb.option("--test", &options.test, "Examples to test on").type("N").range(0, kMostExamples);
  verb.option("--seed", &options.seed, "Random seed").type("N").range(0, kMostExamples);
  verb.option("--over", &options.over, "lra-listops: more tokens than this (default: 500)")
      .type("N")
      .range(0, 1 << 20);
  verb.option("--under", &options.under, "lra-listops: fewer tokens than this (default: 2000)")
      .type("N")
      .range(2, 1 << 20);
  verb.option("--length", &options.length, "sounds: samples of a waveform (default: 16000)")
      .type("N")
      .range(64, 1 << 20);
  add_set_option(verb, &options.settings, "classify: a key of the task, such as task.path=FILE");
  verb.option("--threads", &options.threads, "Threads (default: one per core)")
      .type("N")
      .range(1, 1024);
  add_workspace_option(verb, &options.workspace);
}

}  // namespace

void make_data(const std::string& command, const fs::path& workspace) {
  Verb program("lcsm", "");
  Verb& verb = program.verb("data", "").verb("make", "");
  declare_make(verb, verb.runs(make_beside));
  std::vector<std::string> words = split_shell_line(command).words;
  words.erase(words.begin());  // lcsm
  words.insert(words.end(), {"--workspace", workspace.string()});
  const Parsed parsed = parse(program, words);
  if (parsed.what != Parsed::What::kRun) throw Failure(ExitCode::kUsage, parsed.mistake);
  parsed.verb->run();
}

void add_data_make(Verb& data) {
  Verb& verb = data.verb("make", "Generate a data set");
  declare_make(verb, verb.runs(make));
  verb.footer(R"text(Examples:
  lcsm data make lra-listops
  lcsm data make lra-listops --as listops-short --over 10 --under 100 --train 2000
  lcsm data make lra-pathx --threads 8
  lcsm data make sounds --as sounds-1024 --length 1024
  lcsm data make classify --set task.path=reviews.csv --set task.label=stars

The files go to data/NAME in the workspace. After an interruption, even a power failure, the same
command resumes. The files do not depend on the number of threads.)text");
}

void add_data_get(Verb& data) {
  Verb& verb = data.verb("get", "Fetch or import a data set as its authors publish it");
  GetOptions& options = verb.runs(get);
  verb.argument("name", &options.name, "The data set")
      .type("NAME")
      .required()
      .choices(choices_of(intake_rows()));
  verb.option(
          "--from", &options.from,
          "A folder, an archive or a URL (default: fetch a small set; print where to get a large "
          "one)")
      .type("PATH|URL");
  verb.option("--inside", &options.inside, "The folder of the archive to import, if several fit")
      .type("FOLDER");
  verb.option("--as", &options.as, "Its name in the workspace (default: NAME)").type("NAME");
  add_workspace_option(verb, &options.workspace);
  verb.footer(R"text(Examples:
  lcsm data get tiny-shakespeare            fetches it, 1 MB
  lcsm data get imdb                        where it comes from, its size and licence
  lcsm data get imdb --from https://ai.stanford.edu/~amaas/data/sentiment/aclImdb_v1.tar.gz
  lcsm data get lra-image --from cifar-10-binary.tar.gz
  lcsm data get speech-commands --from speech_commands_v0.02.tar.gz
  lcsm data get lra-pathfinder --from pathfinder32/curv_contour_length_14

All files are read and checked before anything is written. Only the needed files of an archive
(.zip, .tar.gz and the like) are unpacked, into a temporary folder. Links and oversized files are
refused. URLs are fetched with curl; after an interruption, the same command resumes.)text");
}

}  // namespace runner
