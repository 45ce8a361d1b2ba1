// Stands for lcsm-train: `run FILE --workspace DIR --set ...`. The configuration's task.seed says
// how it ends: 1 done; 2 .. 8 with that exit status; 9 by a signal; 10 only when it is asked to,
// or killed; 11 done at the second try; 12 done, having printed 10 MB; 13 as 10
// but done then, and tells of twenty steps before; 14 done behind twenty steps.
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstring>

#include "results/event_writer.h"
#include "results/run_folder.h"
#include "runner/run_id.h"
#include "runner/toml_file.h"

namespace {

void ignore(const std::string&) {}

volatile std::sig_atomic_t asked = 0;
void ask(int) { asked = 1; }

results::Ending ending_of(std::int64_t way) {
  if (way == 1 || way >= 11) return results::Ending::kDone;
  if (way == 5 || way == 10) return results::Ending::kInterrupted;
  if (way == 6) return results::Ending::kDiverged;
  return way == 7 ? results::Ending::kOutOfMemory : results::Ending::kFailed;
}

int train(const runner::RunConfig& config, const std::filesystem::path& workspace) {
  const std::string id = runner::run_id(config);
  const auto folder = results::run_folder(workspace, id);
  results::EventWriter events(folder, {id, runner::canonical_json(config), {}});
  const bool again = events.position().lines > 1;
  events.append(results::AttemptLine{0, 0, {{"host", std::string("here")}}});
  const std::int64_t way = config.integer("task.seed");
  if (way == 9 || (way == 11 && !again)) {
    std::signal(SIGSEGV, SIG_DFL);  // a sanitizer's would exit
    raise(SIGSEGV);
  }
  if (way == 12)
    for (int i = 0; i < 200000; ++i)
      std::puts("a line of fifty characters, over and over again ..");
  for (int step = 1; (way == 13 || way == 14) && step <= 20; ++step) {
    events.append(results::MetricsLine{step, {{"train.loss", 1.0 / step}}});
    if (step % 10 == 0) events.append(results::MetricsLine{step, {{"valid.accuracy", 0.5}}});
  }
  while ((way == 10 || way == 13) && asked == 0) usleep(10000);
  events.append(results::EndLine{ending_of(way), 1, ""});
  return way == 1 || way >= 11 ? 0 : way == 10 ? 5 : static_cast<int>(way);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5 || std::strcmp(argv[1], "run") != 0) return 2;
  signal(SIGTERM, ask);
  const runner::RunConfig config =
      runner::parse_config(runner::read_toml_file(argv[2]), argv[2], {}, ignore);
  return train(config, argv[4]);
}
