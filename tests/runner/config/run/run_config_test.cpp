#include "runner/config/run/run_config.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "runner/config/keys/config_keys.h"
#include "runner/config/keys/model_keys.h"
#include "runner/config/keys/optim_keys.h"
#include "runner/config/keys/run_keys.h"
#include "runner/config/keys/task_keys.h"
#include "runner/config/run/run_id.h"
#include "tests/lcsm/formula/fuzz.h"
#include "tests/runner/run_program.h"

namespace runner {
namespace {

const std::string kShort = "task.name = 'mqar'\nmodel.code = '1-9-1-0'\n";

void ignore(const std::string&) {}

RunConfig run_config_config_of(const std::string& text,
                               const std::vector<std::string>& settings = {}) {
  return parse_config(text, "my.toml", settings, ignore);
}

// The errors of kShort + more, without the quoted lines; empty if there are none.
std::string run_config_errors(const std::string& more,
                              const std::vector<std::string>& settings = {}) {
  try {
    run_config_config_of(kShort + more, settings);
  } catch (const ConfigError& error) {
    std::string all;
    std::istringstream lines(error.what());
    for (std::string line; std::getline(lines, line);)
      if (!line.starts_with("  ")) all += line + "\n";
    return all;
  }
  return "";
}

void expect_error_run_config(const std::string& more, const std::string& where,
                             const std::string& part) {
  const std::string all = run_config_errors(more);
  EXPECT_EQ(all.substr(0, where.size() + 1), where + ":") << more << "\n" << all;
  EXPECT_NE(all.find(part), std::string::npos) << more << "\n" << all;
  EXPECT_EQ(std::count(all.begin(), all.end(), '\n'), 1) << all;
}

std::optional<RunConfig> config_or_none(const std::string& text) {
  try {
    return run_config_config_of(text);
  } catch (const ConfigError& error) {
    EXPECT_GT(error.count(), 0u);
    return std::nullopt;
  }
}

// Requires that an accepted configuration, printed and parsed, gives the same run.
void expect_round_trip(const std::string& text) {
  const std::optional<RunConfig> config = config_or_none(text);
  if (!config || config->is("task.name"_key, "text")) return;
  EXPECT_EQ(run_id(run_config_config_of(toml_text(*config, true))), run_id(*config));
}

}  // namespace

TEST(RunConfig, TakesDefaultsOfTheKeysAndOfTheTask) {
  const RunConfig config = run_config_config_of(kShort + "[optim]\nlr = 1e-2", {"seed=7"});
  EXPECT_EQ(config.integer("task.length"_key), 64);
  EXPECT_EQ(config.at("task.length"_key).set_by, "default of mqar");
  EXPECT_EQ(config.integer("task.vocab"_key), 8192);
  EXPECT_EQ(config.at("task.vocab"_key).set_by, "default");
  EXPECT_EQ(config.real("optim.lr"_key), 0.01);
  EXPECT_EQ(config.at("optim.lr"_key).set_by, "my.toml:4:6");
  EXPECT_EQ(config.integer("seed"_key), 7);
  EXPECT_EQ(config.at("seed"_key).set_by, "--set");
  EXPECT_EQ(run_config_config_of("task.name = 'wikitext-103'\nmodel.code = 'ssm'")
                .integer("task.length"_key),
            512);
}

TEST(RunConfig, LetsTheLastSettingWin) {
  const RunConfig config = run_config_config_of(kShort + "seed = 2", {"seed=3", "seed=4"});
  EXPECT_EQ(config.integer("seed"_key), 4);
}

TEST(RunConfig, RequiresKeysWithoutDefault) {
  try {
    run_config_config_of("");
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_EQ(error.count(), 2u) << error.what();
  }
  EXPECT_EQ(
      run_config_config_of("task.name='mqar'\nmodel.family='attention'").integer("model.heads"_key),
      1);
}

TEST(RunConfig, ReportsOnlyTheSyntaxErrorOfATextThatIsNoToml) {
  try {
    run_config_config_of("task.name = \"mqar\nmodel.code");
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_EQ(error.count(), 1u) << error.what();
    EXPECT_TRUE(std::string(error.what()).starts_with("my.toml:1:18: ")) << error.what();
  }
}

TEST(RunConfig, ReportsABrokenOscillationOnce) {
  try {
    run_config_config_of(
        "task.name = 'mqar'\nmodel.code = '1-mine-1-0'\n[oscillation.mine]\no = 'sigmoid(p_k + '");
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_EQ(error.count(), 1u) << error.what();
    EXPECT_TRUE(std::string(error.what()).starts_with("my.toml:4:")) << error.what();
  }
}

TEST(RunConfig, BoundsThePartsOfAKey) {
  std::string deep = "a";
  for (int i = 0; i < 50'000; ++i) deep += ".a";
  for (const std::string& text : {deep + " = 1", "[" + deep + "]", "x = {" + deep + " = 1}",
                                  "# .\n\"a.\".'.' = 1\n" + deep + " = 1"}) {
    try {
      run_config_config_of(text);
      FAIL();
    } catch (const ConfigError& error) {
      EXPECT_EQ(error.count(), 1u) << error.what();
      EXPECT_NE(std::string(error.what()).find("expected a key of at most 64 parts"),
                std::string::npos);
    }
  }
  const std::string dots(200, '.');
  EXPECT_EQ(run_config_errors("# " + dots + "\ntask.path = \"" + dots + "\\\"" + dots + "\" # " +
                              dots + "\n"),
            "");
  EXPECT_NE(
      run_config_errors("x = \"\"\"\n" + dots + "\n\\\"\"\" \"\"\"\n").find("unknown key 'x'"),
      std::string::npos);
}

TEST(RunConfig, DoesNotReportRejectedKeysAsMissing) {
  try {
    run_config_config_of("task.name = 'mqra'\nmodel.code = 1");
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_EQ(error.count(), 2u) << error.what();
    EXPECT_EQ(std::string(error.what()).find("missing"), std::string::npos);
  }
}

TEST(RunConfig, PointsIntoACode) {
  expect_error_run_config("model.family = 'eos'\n[oscillation.a]\no = 'p_k'", "my.toml:5:6",
                          "is not within (-1, 1]");
  try {
    run_config_config_of("task.name='mqar'\nmodel.code = '1-9-1-99'", {});
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_EQ(std::string(error.what()).substr(0, 12), "my.toml:2:21") << error.what();
  }
  EXPECT_EQ(run_config_errors("", {"model.code=1-9-1-99"}).substr(0, 10), "--set:1:18");
  EXPECT_EQ(run_config_errors("", {"model.code='1-9-1-99'"}).substr(0, 10), "--set:1:19");
  try {
    run_config_config_of("task.name='mqar'\nmodel.code = \"\"\"1-9-1-99\"\"\"");
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_EQ(std::string(error.what()).substr(0, 13), "my.toml:2:14:")
        << "the place of the string";
  }
}

TEST(RunConfig, MovesSizesOfTheCodeToTheModel) {
  const RunConfig config =
      run_config_config_of("task.name='mqar'\nmodel.code='1-9-1-0@k=32,tau=8'");
  EXPECT_EQ(config.integer("model.k"_key), 32);
  EXPECT_EQ(config.at("model.k"_key).set_by, "my.toml:2:12");
  EXPECT_EQ(config.text("model.code"_key), "1-9-1-0@tau=8");
  EXPECT_EQ(run_config_errors("model.k = 32", {"model.code=1-9-1-0@k=64"}),
            "--set:1:12: model.code sets k = 64, but model.k is 32: remove one\n");
  EXPECT_EQ(run_config_errors("model.k = 64", {"model.code=1-9-1-0@k=64"}), "");
}

TEST(RunConfig, ChecksTheRulesBetweenKeys) {
  expect_error_run_config("task.length = 33", "my.toml:3:15", "an even number");
  expect_error_run_config("task.pairs = 17", "my.toml:3:14",
                          "task.pairs: expected at most a quarter of task.length = 64, got 17");
  expect_error_run_config("task.vocab = 64", "my.toml:3:14", "more than task.length = 64");
  expect_error_run_config("model.positions = 'rope'", "my.toml:3:19", "model.family is eos");
  expect_error_run_config("model.family = 'attention'\nmodel.heads = 3", "my.toml:4:15",
                          "a divisor of");
  expect_error_run_config("model.family = 'attention'\nmodel.heads = 64\nmodel.positions = 'rope'",
                          "my.toml:5:19", "even width");
  expect_error_run_config("optim.accumulate = 5", "my.toml:3:20", "a divisor of optim.batch = 512");
  expect_error_run_config("optim.epochs = 0\noptim.schedule = 'constant'", "my.toml:3:16",
                          "never ends");
  expect_error_run_config("optim.epochs = 0\noptim.steps = 9", "my.toml:3:16",
                          "cosine-epochs needs a last epoch");
  expect_error_run_config("optim.epochs = 0\noptim.minutes = 9\noptim.schedule = 'cosine'",
                          "my.toml:5:18", "cosine needs a last step");
  expect_error_run_config("optim.schedule = 'inverse-sqrt'", "my.toml:3:18", "set optim.warmup");
  expect_error_run_config("eval.stop = 99", "my.toml:3:13", "at most 1 with eval.best = accuracy");
  expect_error_run_config("task.content = 'x'", "my.toml:3:16", "64 hexadecimal digits");
}

TEST(RunConfig, ChecksNoRuleWithARejectedValue) {
  EXPECT_EQ(run_config_errors("optim.accumulate = 5\noptim.batch = 'x'"),
            "my.toml:4:15: optim.batch: expected a whole number of examples from 1 to 1048576, "
            "got 'x'\n");
}

TEST(RunConfig, IgnoresKeysWithoutEffectAndNotesThem) {
  const RunConfig config = run_config_config_of(
      "task.name='wikitext-2'\nmodel.family='attention'\nmodel.k=64\ntask.pairs=2");
  EXPECT_EQ(config.notes(),
            (std::vector<std::string>{
                "my.toml:4:12: task.pairs has no effect with task.name = wikitext-2 and is "
                "ignored",
                "my.toml:3:9: model.k has no effect with model.family = attention and is "
                "ignored"}));
  EXPECT_EQ(toml_text(config, false).find("pairs"), std::string::npos);
}

TEST(RunConfig, NotesARateThatNeverReachesItsPeak) {
  EXPECT_EQ(run_config_config_of(kShort + "optim.steps = 10\noptim.warmup = 20").notes().size(),
            1u);
}

TEST(RunConfig, ReadsBackFromItsText) {
  const std::string own =
      "\n[oscillation.griffin]\no = \"exp(-8 * softplus(w_d) * sigmoid(p_d))\"\n"
      "scale = 'sqrt(1 - o^2)'\ninit.w_d = '0.5 + 0.1 * normal'\nrank.p_d = 16\nhelp = 'a \"b\"'\n";
  for (const std::string& text :
       {kShort + "optim.lr = 1e-2\nseed = 3",
        "task.name = 'mqar'\nmodel.code = '1-griffin-1-4'" + own,
        std::string("task.name='wikitext-2'\nmodel.family='attention'\nmodel.positions='rope'")}) {
    const RunConfig config = run_config_config_of(text);
    for (const bool places : {false, true}) {
      const RunConfig again = run_config_config_of(toml_text(config, places));
      EXPECT_EQ(toml_text(again, false), toml_text(config, false));
      EXPECT_EQ(run_id(again), run_id(config)) << text;
    }
  }
}

// The configuration in a run's folder has one meaning, wherever it is read.
TEST(RunConfig, PrefersItsOscillationToAFoundOneOfTheSameName) {
  const ScratchFolder folder;
  const std::string found = folder.path() / "oscillations.toml";
  std::ofstream(found) << "[oscillation.own]\no = 'sigmoid(p_d)'\n[oscillation.more]\no = '0.5'\n";
  setenv("LCSM_OSCILLATIONS", found.c_str(), 1);
  const RunConfig config = run_config_config_of(
      "task.name='mqar'\nmodel.code='1-own-1-0'\n[oscillation.own]\no = 'sigmoid(p_k)'\n");
  EXPECT_EQ(lcsm::to_string(config.catalogue().find("own")->o), "sigmoid(p_k)");
  EXPECT_NE(config.catalogue().find("more"), nullptr);
  unsetenv("LCSM_OSCILLATIONS");
}

TEST(RunConfig, RejectsAnOscillationWithABuiltInName) {
  expect_error_run_config("[oscillation.ssm]\no = '1'", "my.toml:3:1",
                          "'ssm' is built in: choose another name");
}

TEST(RunConfig, NeverCrashesOnMutatedFiles) {
  const std::string file = kShort +
                           "model.d = 128\nmodel.k = 64\nseed = 1\n[optim]\nlr = 1e-3\nsteps = 10\n"
                           "[oscillation.own]\no = 'sigmoid(p_k)'\n";
  EXPECT_NO_THROW(run_config_config_of(file));
  std::vector<std::string> words = {"[",   "]",    "=",   "\"",    "'",   "\n",   "{",
                                    "}",   ".",    "nan", "1e400", "-1",  "true", "1-own-1-0",
                                    "@k=", "text", "[[",  "#",     "\xff"};
  for (const ConfigKey& key : kConfigKeys) words.push_back("\n" + std::string(key.name) + " = ");
  lcsm::test::Fuzzer fuzzer("configurations", 0.3);
  fuzzer.run([&] {
    std::string text = fuzzer.chance(0.1) ? fuzzer.words(words, 30) : fuzzer.mutated(file, words);
    if (fuzzer.chance(0.3)) text = fuzzer.mutated(text, words);
    fuzzer.timed(text, [&] { expect_round_trip(text); });
  });
}

TEST(RunConfig, MissesTheTaskOfASystem) {
  EXPECT_THROW(run_config_config_of("model.system = 'gla'\n"), ConfigError);
}

TEST(RunConfig, TakesTheLaterOfASystemAndACodeThatNamesOne) {
  const auto named = [](const std::string& first, const std::string& then) {
    return run_config_config_of("task.name = 'mqar'\n", {first, then}).named();
  };
  EXPECT_EQ(named("model.code=mamba", "model.system=mamba@state=8"), "mamba@state=8");
  EXPECT_EQ(named("model.system=mamba@state=8", "model.code=mamba"), "mamba");
  EXPECT_EQ(named("model.code=retnet", "model.system=mamba"), "mamba");
}

}  // namespace runner
