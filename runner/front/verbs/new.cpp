// `lcsm new`: writes a sweep to start from.
#include <fmt/format.h>

#include <filesystem>
#include <stdexcept>
#include <string>

#include "lcsm/files/whole_file.h"
#include "runner/base/process/exit_code.h"
#include "runner/front/verbs/verbs.h"

namespace runner {
namespace {

constexpr const char* kNewSweep =
    R"toml(# A sweep: which runs should exist, and what to show of them. `lcsm plan FILE` says what they cost,
# `lcsm run FILE` trains those that are missing. Interrupt it whenever you like: it resumes.
title = "Which gate remembers more?"
question = """
What do you want to know? This is printed above the results."""

# The same in every run. `lcsm config` lists all keys; `extends = "quickstart"`, or another sweep of
# `lcsm sweeps`, takes them from there.
[base]
task = { name = "mqar", vocab = 64, length = 16, pairs = 2, train = 20000, valid = 1000, test = 1000 }
model = { d = 32, k = 32, layers = 2 }
optim = { batch = 64, steps = 2500, epochs = 0, schedule = "cosine", lr = 1e-2 }
eval = { steps = 250, epochs = 0, stop = 0 }

# Every combination is a run.
[grid]
model.code = ["1-3-1-2", "1-9-1-2"]      # codes, patterns such as "1-{2,3}-1-2", systems such as "mamba"
seed = [1, 2, 3]                         # fewer than three cannot show that a difference is real
# optim.lr = [3e-3, 1e-2]                # the table shows the best rate of each row

# A gate of your own, for model.code = "1-mine-1-2". `lcsm codes --help` explains formulas.
# [oscillation.mine]
# o = "sigmoid(w_k) + (1 - sigmoid(w_k)) * sigmoid(p_k)"

[[table]]
rows = "model.code"
values = ["valid.accuracy", "test.accuracy"]

[[figure]]
x = "step"
y = "valid.accuracy"
series = "model.code"

# Supported, contradicted or undecided by the runs.
[[claim]]
claim = "1-9-1-2 > 1-3-1-2 in test.accuracy"
)toml";

void write_sweep(const std::string& file) {
  if (!file.ends_with(".toml"))
    throw std::invalid_argument("expected a file name that ends in .toml, got '" + file + "'");
  if (std::filesystem::exists(file))
    throw Failure(ExitCode::kOutput, file + " exists: name a new file");
  lcsm::write_whole(file, kNewSweep);
  fmt::print("{} is written: a sweep of six small runs. Next: lcsm plan {}\n", file, file);
}

}  // namespace

void add_new(Verb& program) {
  Verb& verb = program.verb("new", "Write a sweep to start from, with comments");
  std::string& file = verb.runs(write_sweep);
  verb.argument("file", &file, "The file to write, such as mine.toml").type("FILE").required();
  verb.footer("Examples:\n  lcsm new mine.toml\n  lcsm plan mine.toml");
}

}  // namespace runner
