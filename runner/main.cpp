// Program lcsm: its verbs, in the order in which the help shows them.
#include "runner/front.h"
#include "runner/verbs.h"

namespace {

void add_verbs(CLI::App& app) {
  runner::add_codes(app);
  runner::add_doctor(app);
  runner::add_config(app);
  runner::add_completions(app);
}

}  // namespace

int main(int argc, char** argv) { return runner::run_front(argc, argv, add_verbs); }
