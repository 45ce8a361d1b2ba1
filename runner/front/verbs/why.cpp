// `lcsm why`: explains a run's state and what to do about it.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "results/text/escape.h"
#include "runner/base/files/json_file.h"
#include "runner/front/options/results_verb.h"
#include "runner/front/pages/run_why.h"
#include "runner/front/verbs/verbs.h"

namespace runner {
namespace {

using Json = nlohmann::ordered_json;

struct WhyOptions {
  std::string run, workspace;
  bool json = false;
};

std::string json_text(const RunWhy& why) {
  Json end = nullptr;
  if (why.end)
    end = {
        {"outcome", name_of(why.end->state)},    {"why", why.end->why}, {"tries", why.end->tries},
        {"starts_again", why.end->starts_again}, {"by", why.end->by},   {"time", why.end->time}};
  const Json json = {{"schema", "lcsm.why/1"},
                     {"id", why.id},
                     {"state", name_of(counted_as(why.state))},
                     {"point", why.point},
                     {"because", why.because},
                     {"set_by", why.set_by},
                     {"next", why.next},
                     {"steps", why.steps},
                     {"attempts", why.attempts},
                     {"end", end},
                     {"log", why.last_log},
                     {"folder", why.folder.string()}};
  return printed_json(json);
}

void print_line(const char* title, const std::string& text) {
  if (!text.empty()) fmt::print("{:<9} {}\n", title, results::safe_text(text));
}

void print_page(const RunWhy& why) {
  print_line("run", why.id);
  print_line("point", why.point);
  print_line("state", std::string(name_of(counted_as(why.state))));
  for (std::size_t i = 0; i < why.because.size(); ++i)
    print_line(i == 0 ? "because" : "", why.because[i]);
  print_line("by", why.set_by);
  if (why.attempts > 0) print_line("attempts", std::to_string(why.attempts));
  for (std::size_t i = 0; i < why.last_log.size(); ++i)
    print_line(i == 0 ? "log" : "", "| " + why.last_log[i]);
  print_line("next", why.next);
}

void why(const WhyOptions& options) {
  const RunWhy found = why_of(workspace_of(options.workspace), options.run);
  if (options.json)
    fmt::print("{}", json_text(found));
  else
    print_page(found);
}

}  // namespace

void add_why(Verb& program) {
  Verb& verb = program.verb("why", "Explain a run's state and what to do about it");
  WhyOptions& options = verb.runs(why);
  add_run_argument(verb, "run", &options.run, kRunHelp);
  verb.flag("--json", &options.json, "Print JSON (schema lcsm.why/1)");
  add_workspace_option(verb, &options.workspace);
  verb.footer("Examples:\n  lcsm why 3f9c\n  lcsm why 3f9c --json");
}

}  // namespace runner
