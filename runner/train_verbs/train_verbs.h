// The verbs of `lcsm-train`, each in a file of its name.
#pragma once

namespace CLI {
class App;
}

namespace runner {

void add_apply(CLI::App& app);
void add_params(CLI::App& app);
void add_run(CLI::App& app);

}  // namespace runner
