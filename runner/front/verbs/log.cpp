// `lcsm log`: prints the events of a run, in order.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>
#include <thread>

#include "lcsm/files/confined.h"
#include "results/events/event_file.h"
#include "results/events/run_folder.h"
#include "results/store/run_facts.h"
#include "results/text/escape.h"
#include "runner/base/files/text_tail.h"
#include "runner/base/process/exit_code.h"
#include "runner/front/options/results_verb.h"
#include "runner/front/pages/log_follow.h"
#include "runner/front/verbs/verbs.h"
#include "runner/sweeps/plan/run_choice.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

struct LogOptions {
  std::string run, workspace;
  bool standard_error = false, follow = false;
};

constexpr auto kBetweenLooks = std::chrono::milliseconds(200);

std::string time_text(const results::Cell& seconds) {
  const auto* value = std::get_if<double>(&seconds);
  if (value == nullptr) return std::string(20, ' ');
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(static_cast<std::time_t>(*value)));
}

void print_events(results::Database& database, const std::string& id) {
  for (const auto& row : results::log_of(database, id).rows)
    fmt::print("{}  {}  {:<12} {}\n", time_text(row[0]), results::cell_text(row[1]),
               results::safe_text(results::cell_text(row[2])),
               results::safe_text(results::cell_text(row[3])));
}

void print_standard_error(const std::filesystem::path& folder) {
  constexpr std::uintmax_t kMost = 16 << 20;
  const fs::path file = folder / results::kLogFile;
  if (!lcsm::link_on_the_way(file).empty() || !fs::is_regular_file(file))
    throw Failure(ExitCode::kMissing, fmt::format("expected {}, got none", file.string()));
  if (fs::file_size(file) > kMost)
    fmt::print(stderr, "only the last {} MiB of {}\n", kMost >> 20, file.string());
  for (const std::string& line : last_lines(file, std::string::npos, kMost))
    fmt::print("{}\n", results::safe_text(line));
}

// Reads once more after the end, for events written just before it.
void follow(const fs::path& workspace, const std::string& id, bool standard_error) {
  const fs::path folder = results::run_folder(workspace, id);
  EventTail events(folder);
  TextTail text(folder / results::kLogFile);
  Engines engines(workspace);
  for (bool more = true; more;) {
    more = may_go_on(workspace, id, events.ended(), engines);
    events.read([&](const results::Event& event) {
      if (!standard_error) fmt::print("{}\n", log_line(event));
    });
    for (const std::string& line : text.read())
      if (standard_error) fmt::print("{}\n", results::safe_text(line));
    std::fflush(stdout);
    if (more) std::this_thread::sleep_for(kBetweenLooks);
  }
  if (!events.ended())
    fmt::print(stderr, "lcsm log: {}: see `lcsm why {}`\n",
               fs::exists(results::event_file(folder))
                   ? "the run's process exited without an end event"
                   : "the run has not been started",
               id.substr(0, 8));
}

void log(const LogOptions& options) {
  const auto workspace = workspace_of(options.workspace);
  const auto database = open_results(workspace);
  if (options.follow) {
    const RunStates states = run_states(*database, workspace);
    const std::string id = find_run_or_point(options.run, *database, states, workspace).id;
    return follow(workspace, id, options.standard_error);
  }
  const std::string id = find_run(*database, workspace, options.run);
  if (options.standard_error)
    print_standard_error(results::run_folder(workspace, id));
  else
    print_events(*database, id);
}

}  // namespace

void add_log(Verb& program) {
  Verb& verb = program.verb("log", "Show a run's events: attempts, warnings, end");
  LogOptions& options = verb.runs(log);
  add_run_argument(verb, "run", &options.run, kRunHelp);
  verb.flag("--stderr", &options.standard_error, "Print its stderr instead");
  verb.flag("-f,--follow", &options.follow,
            "Follow the run until it ends, with its metrics; wait if it has not started");
  add_workspace_option(verb, &options.workspace);
  verb.footer(
      "Examples:\n  lcsm log 3f9c\n  lcsm log 3f9c --stderr\n  lcsm log 3f9c -f\n\nTimes are in "
      "UTC.");
}

}  // namespace runner
