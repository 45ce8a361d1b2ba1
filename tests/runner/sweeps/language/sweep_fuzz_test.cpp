// Mutated sweep files: nothing crashes or hangs, rejected files give an error message, and the
// resolved text of an accepted run parses to the same run. LCSM_FUZZ = number of inputs (10 000, a
// tenth of them here), LCSM_FUZZ_SEED = seed (1).
#include <gtest/gtest.h>

#include "runner/config/run/run_id.h"
#include "tests/lcsm/formula/fuzz.h"
#include "tests/runner/sweeps/language/sweep_texts.h"

namespace runner {
namespace {

const std::vector<std::string> kSweeps = {
    R"toml(title = "one"
paper = "lcsm/figure3"
[base]
task.name = "mqar"
model = { code = "1-1-1-0", d = 64 }
[grid]
optim.lr = { log = [1e-4, 1e-2], n = 4 }
seed = [1, 2]
[[zip]]
task.length = [64, 128]
task.pairs = [4, 8]
[[when]]
match = { task.length = 128, seed = [1, 2] }
set.optim.batch = 64
[[exclude]]
match.optim.lr = { min = 5e-3 }
[scale.laptop]
base.optim.epochs = 2
grid.seed = [3]
)toml",
    R"toml(base.task.name = "tiny-shakespeare"
[oscillation.mine]
o = "sigmoid(p_k)^(1/tau)"
[grid]
model.code = ["1-{mine,3}-1-0", "ssm", "1-1-1-0@tau=8"]
[[when]]
match.model.code = "1-*-1-0@"
set = { model.layers = 9, optim.lr = 1e-3 }
[[table]]
rows = "model.code"
[[claim]]
claim = "ssm < 1-3-1-0 of model.code in valid.ppl"
over = "seed"
)toml"};

const std::vector<std::string> kWords = {"[grid]",      "[[zip]]",    "[[when]]",
                                         "[[exclude]]", "[scale.x]",  "base.",
                                         "match.",      "set.",       "seed = 1",
                                         "= [1, 2]",    "= []",       "= {}",
                                         "log",         "linear",     "n = 4",
                                         "n = -1",      "1e999",      "nan",
                                         "\"\"",        "'1-*-1-0'",  "extends = 'my'",
                                         "model.d",     "optim.lr",   "task.name",
                                         "model.code",  "@tau=8",     "@",
                                         "\n",          "#",          "\"\"\"",
                                         "'''",         "1979-05-27", "true",
                                         "min = 1",     "max = 1",    "{ ",
                                         " }",          "[",          "]",
                                         "=",           ".",          ",",
                                         "\xc3\xa9",    "\\u0000",    "99999999999999999999",
                                         "[[table]]",   "o = 'p_k'",  "'text'"};

void try_sweep(const std::string& text, const std::string& scale) {
  try {
    const Seen seen = expanded(sweep_of(text), {scale, {}});
    EXPECT_EQ(seen.runs.size(), seen.expansion.points.size());
    if (seen.runs.empty()) return;
    const RunConfig again = parse_config(toml_text(seen.runs[0], false), "config.toml", {}, ignore);
    EXPECT_EQ(run_id(again), seen.expansion.points[0].id);
  } catch (const std::invalid_argument& error) {
    EXPECT_FALSE(std::string(error.what()).empty());
  } catch (const std::runtime_error&) {
    // a custom text file that does not exist
  }
}

}  // namespace

TEST(SweepFuzz, RejectsOrExpandsMutatedFiles) {
  lcsm::test::Fuzzer fuzzer("sweeps", 0.1);
  fuzzer.run([&] {
    const std::string text = fuzzer.mutated(fuzzer.pick(kSweeps), kWords);
    fuzzer.timed(text, [&] { try_sweep(text, fuzzer.chance(0.2) ? "laptop" : "paper"); });
  });
}

}  // namespace runner
