#include "runner/front/options/sweep_verb.h"

#include "runner/front/options/result_candidates.h"
#include "runner/front/options/set_option.h"
#include "runner/sweeps/language/search.h"

namespace runner {
namespace {

// Scales of the sweep typed before; only `paper` if it is unknown or wrong.
std::vector<Candidate> scale_candidates(const std::string&,
                                        const std::vector<std::string>& before) {
  std::vector<Candidate> candidates = {{std::string(kPaperScale), "the sweep as in its file"}};
  for (const std::string& word : before) {
    if (word.starts_with('-')) continue;
    try {
      const SweepFile sweep = read_sweep(find_sweep(word), find_sweep, [](const std::string&) {});
      for (const auto& [scale, layers] : sweep.scales) candidates.push_back({scale, sweep.name});
    } catch (const std::exception&) {
      continue;  // the verb, or the value of an option
    }
  }
  return candidates;
}

}  // namespace

Option& add_sweep_options(Verb& verb, SweepChoice* choice) {
  Option& sweep = verb.argument("sweep", &choice->name, "A sweep's name, or its file")
                      .type("SWEEP")
                      .required()
                      .completes(sweep_candidates);
  add_request_options(verb, &choice->request);
  return sweep;
}

void add_request_options(Verb& verb, SweepRequest* request) {
  verb.option("--scale", &request->scale, "A scale of the sweep")
      .type("SCALE")
      .completes(scale_candidates);
  add_set_option(verb, &request->settings,
                 "Override a value in every point, or cross a list: optim.lr=[1e-3,3e-3]");
}

Option& add_runs(Verb& verb, RunChoice* choice) {
  Option& runs =
      verb.argument("runs", &choice->words,
                    "First digits of run ids, values ('model.code=1-3-1-2, seed=1'), or sweeps")
          .type("RUN|SWEEP")
          .required()
          .completes(sweep_candidates);
  verb.option("--scale", &choice->scale, "A scale of the sweep (default: all scales)")
      .type("SCALE");
  return runs;
}

Option& add_run_choice(Verb& verb, RunChoice* choice) {
  Option& runs = add_runs(verb, choice);
  add_set_option(verb, &choice->settings, "Override a value in every point of a sweep");
  return runs;
}

}  // namespace runner
