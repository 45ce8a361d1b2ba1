// A run that takes milliseconds, and its files as text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "results/events/run_state.h"
#include "runner/config/run/run_config.h"
#include "runner/train/trainer/trainer.h"

namespace runner {

// Ends in the middle of an epoch; losses are logged apart from evaluations, and not at each
// checkpoint.
std::vector<std::string> small_run();

RunConfig config_of(std::vector<std::string> settings, const std::vector<std::string>& more = {});

// Trains as the program does, without its output.
results::RunState train(const RunConfig& config, const std::filesystem::path& workspace,
                        std::int64_t claim = 0);

// The outcome of a run: tensors and states of its checkpoints, its last metrics, its end. Without
// facts that depend on time, host and build: time.*, host.*, written.json, source-*.diff, segments.
std::string outcome_of(const std::filesystem::path& workspace, const RunConfig& config);

// Trains in a workspace that has the data, and tests every n-th change of its files, at least
// `least` of them: resuming from the files that a kill would leave gives an equal outcome.
void expect_exact_resume(const RunConfig& config, const std::filesystem::path& workspace, int n,
                         std::size_t least);

// Takes these steps on both. The tolerances are relative.
void expect_steps_of_the_cpu(Trainer& gpu, Trainer& cpu, int steps, double of_loss, double of_norm);

void expect_same(const NamedTensors& got, const NamedTensors& expected);

}  // namespace runner
