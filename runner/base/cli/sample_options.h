// Options of `sample`. `lcsm` passes them on to `lcsm-train`.
#pragma once

#include <string>
#include <vector>

#include "runner/base/cli/verb.h"

namespace runner {

struct SampleOptions {
  std::string run, prompt, checkpoint = "best", workspace;
  int tokens = 200, top = 0, seed = 1, samples = 1;
  double temperature = 1;
};

// Declares all options but the run and the workspace.
void declare_sample(Verb& verb, SampleOptions* options);
std::vector<std::string> sample_words(const SampleOptions& options);

}  // namespace runner
