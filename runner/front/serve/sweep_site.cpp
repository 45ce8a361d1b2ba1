#include "runner/front/serve/sweep_site.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "results/store/current_results.h"
#include "results/store/run_facts.h"
#include "runner/base/process/exit_code.h"
#include "runner/base/process/steady_time.h"
#include "runner/front/curves/curves_json.h"
#include "runner/front/curves/curves_page.h"
#include "runner/front/curves/stored_sweep.h"
#include "runner/front/serve/guard.h"
#include "runner/sweeps/plan/open_results.h"
#include "runner/sweeps/plan/run_states.h"
#include "runner/sweeps/plan/running_sweep.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

constexpr double kSiteEvery = 2,
                 kSiteShare = 10;  // reading may use 1/10 of the time
constexpr const char* kHtml = "text/html; charset=utf-8";

std::unique_ptr<results::Database> results_of(const fs::path& workspace) {
  return results::current_results(workspace, fold_options(kReadersPatience)).database;
}

bool has_runs(const results::Database& database, const std::string& sweep) {
  const auto names = results::sweeps_with_runs(database);
  return std::find(names.begin(), names.end(), sweep) != names.end();
}

// The name in "/data/NAME.json".
std::string data_name(const std::string& path) {
  constexpr std::string_view kStart = "/data/", kEnd = ".json";
  if (!path.starts_with(kStart) || !path.ends_with(kEnd)) return "";
  return path.substr(kStart.size(), path.size() - kStart.size() - kEnd.size());
}

}  // namespace

const PanelModel& SweepSite::Live::look() {
  const double now = steady_seconds();
  folders.look(now);
  feed.refresh(now);
  return feed.model();
}

SweepSite::SweepSite(fs::path workspace, std::string token, SweepChoice named)
    : workspace_(std::move(workspace)), token_(std::move(token)), named_(std::move(named)) {
  if (named_.name.empty()) return;
  try {
    named_sweep_ = chosen_sweep(named_).name;
  } catch (const Failure&) {
    if (!has_runs(*results_of(workspace_), named_.name)) throw;
    named_sweep_ = named_.name;
  }
}

std::string SweepSite::address(const std::string& sweep) const {
  return "/" + sweep + "?token=" + token_;
}

HttpResponse SweepSite::answer(const HttpRequest& request) {
  if (auto no = refused(request, token_)) return std::move(*no);
  std::error_code none;
  if (!fs::is_directory(workspace_, none))
    return refusal(404, "expected the workspace '" + workspace_.string() +
                            "', got none: it was moved or removed; start `lcsm serve` again");
  if (request.path == "/") return index();
  const std::string data = data_name(request.path);
  const std::string sweep = data.empty() ? request.path.substr(1) : data;
  if (!knows(sweep)) return refusal(404, "no such page: / lists the sweeps of this workspace");
  Shown& shown = current(sweep);
  if (!data.empty()) return {.type = "application/json", .body = shown.json};
  if (!shown.page)
    shown.page =
        text_body(curves_page(sweep, *shown.json, "/data/" + sweep + ".json?token=" + token_));
  return {.type = kHtml, .body = shown.page};
}

bool SweepSite::knows(const std::string& sweep) const {
  if (sweep.empty()) return false;
  return sweep == named_sweep_ || shown_.contains(sweep) ||
         has_runs(*results_of(workspace_), sweep);
}

// A sweep from a file in another folder is found by that file only as long as it ran last.
SweepChoice SweepSite::choice_of(const std::string& sweep) const {
  if (sweep == named_sweep_) return named_;
  const auto last = read_running(workspace_);
  if (last && fs::path(last->choice.name).stem() == sweep) return last->choice;
  return {.name = sweep, .request = {}};
}

SweepSite::Shown& SweepSite::current(const std::string& sweep) {
  const double start = steady_seconds();
  Shown& shown = shown_[sweep];
  if (start < shown.until) return shown;
  shown.json = text_body(new_json(sweep, &shown));
  shown.page.reset();
  shown.until = steady_seconds() + std::max(kSiteEvery, kSiteShare * (steady_seconds() - start));
  return shown;
}

// `lcsm run` may have started the sweep again, at another scale or from another file.
std::string SweepSite::new_json(const std::string& sweep, Shown* shown) {
  const std::int64_t started = running_time(workspace_);
  if (std::exchange(shown->started, started) != started) {
    shown->live.reset();
    try {
      shown->live = std::make_unique<Live>(open_feed(choice_of(sweep), workspace_));
    } catch (const std::exception&) {
      // The page then shows what the runs tell.
    }
  }
  if (!shown->live) {
    const PanelModel model = stored_sweep(*results_of(workspace_), workspace_, sweep);
    return current_curves_json(model, workspace_, !model.runner.empty());
  }
  const PanelModel& model = shown->live->look();
  return current_curves_json(model, workspace_, !model.runner.empty());
}

HttpResponse SweepSite::index() const {
  const auto database = results_of(workspace_);
  RunStates states = run_states(*database, workspace_);
  results::Statement title(*database, "SELECT title FROM sweeps WHERE sweep = ?");
  std::vector<IndexRow> rows;
  for (const std::string& sweep : results::sweeps_with_runs(*database)) {
    IndexRow& row = rows.emplace_back(IndexRow{.sweep = sweep, .address = address(sweep)});
    for (const std::string& id : results::runs_of_sweep(*database, sweep))
      row.counts.add(states[id].state);
    title.bind(1, sweep);
    if (title.step()) row.title = title.text(0);
    title.reset();
  }
  return {.type = kHtml, .body = text_body(index_page(workspace_.string(), rows))};
}

}  // namespace runner
