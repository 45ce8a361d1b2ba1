// The verbs of `lcsm-train bench`.
#pragma once

namespace CLI {
class App;
}

namespace runner {

void add_bench(CLI::App& app);
void add_bench_step(CLI::App& bench);  // a verb of `bench`

}  // namespace runner
