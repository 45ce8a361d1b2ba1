// The verbs of `lcsm`, each in a file of its name.
#pragma once

namespace CLI {
class App;
}

namespace runner {

void add_codes(CLI::App& app);
void add_doctor(CLI::App& app);
void add_config(CLI::App& app);
void add_completions(CLI::App& app);

}  // namespace runner
