#include "runner/front/sweep_verb.h"

#include "runner/front/completion.h"
#include "runner/front/setting_candidates.h"
#include "runner/sweeps/search.h"

namespace runner {
namespace {

std::vector<Candidate> sweep_candidates(const std::string&) {
  std::vector<Candidate> candidates;
  for (const KnownSweep& known : known_sweeps()) candidates.push_back({known.text.name, ""});
  return candidates;
}

// Of the sweep that was typed before; of a wrong or unknown one only its own.
std::vector<Candidate> scale_candidates(const std::string&,
                                        const std::vector<std::string>& before) {
  std::vector<Candidate> candidates = {{std::string(kPaperScale), "the sweep as it stands"}};
  for (const std::string& word : before) {
    if (word.starts_with('-')) continue;
    try {
      const SweepFile sweep = read_sweep(find_sweep(word), find_sweep, [](const std::string&) {});
      for (const auto& [scale, layers] : sweep.scales) candidates.push_back({scale, sweep.name});
    } catch (const std::exception&) {
      continue;  // the verb itself, or the value of an option
    }
  }
  return candidates;
}

}  // namespace

void add_sweep_options(CLI::App* verb, SweepChoice* choice) {
  complete_with(verb->add_option("sweep", choice->name, "A sweep by name, or its file")
                    ->type_name("SWEEP")
                    ->required(),
                SimpleCompleter(sweep_candidates));
  add_request_options(verb, &choice->request);
}

void add_request_options(CLI::App* verb, SweepRequest* request) {
  complete_with(verb->add_option("--scale", request->scale, "The sweep at another size")
                    ->type_name("SCALE")
                    ->capture_default_str(),
                Completer(scale_candidates));
  add_set_option(verb, &request->settings, "A value in every point");
}

}  // namespace runner
