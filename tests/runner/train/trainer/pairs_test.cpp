// Every model works on every kind of task, or is refused before training.
#include <ATen/Functions.h>
#include <gtest/gtest.h>

#include "runner/config/keys/task_row.h"
#include "runner/models/skeletons/model.h"
#include "runner/systems/system.h"
#include "tests/message_of.h"

namespace runner {
namespace {

constexpr std::int64_t kSteps = 16;

struct TaskKind {
  const char* task;
  bool numbers, predicts;  // `predicts`: the next token, from those before
  const char* more = "seed=1";
};
constexpr std::array kTaskKinds = {TaskKind{"mqar", false, true},
                                   TaskKind{"wikitext-2", false, true},
                                   TaskKind{"lra-listops", false, false, "task.data=few"},
                                   TaskKind{"lra-image", true, false, "task.data=few"},
                                   TaskKind{"nss", true, false},
                                   TaskKind{"classify", false, false},
                                   TaskKind{"glue-mrpc", false, false},
                                   TaskKind{"text", false, false, "task.masked=0.15"}};

std::vector<std::string> mixers() {
  std::vector<std::string> all = {"model.code=1-9-1-0", "model.code=ssm", "model.family=attention"};
  for (const SystemRow& row : system_rows()) {
    const std::string system = "model.system=" + std::string(row.name);
    all.push_back(system);
    for (const lcsm::OptionRow& option : row.block->options())
      if (option.name == "bidirectional") all.push_back(system + "@bidirectional=true");
  }
  return all;
}

RunConfig pairs_config_of(const TaskKind& kind, const std::string& mixer) {
  return parse_config("", "",
                      {"task.name=" + std::string(kind.task), "task.length=16", "model.d=16",
                       "model.k=4", "model.layers=1", "model.heads=4", kind.more, mixer},
                      [](const std::string&) {});
}

bool is_two_sided(const std::string& mixer) {
  const std::size_t at = mixer.find('=') + 1;
  return mixer.starts_with("model.system") && is_two_sided(parse_system(mixer.substr(at)));
}

// Two examples, one of them padded.
at::Tensor output(const RunConfig& config, const TaskKind& kind) {
  at::manual_seed(1);
  const Model model = make_model(config, 16);
  Inputs inputs{kind.numbers ? at::randn({2, kSteps, config.task().channels})
                             : at::randint(16, {2, kSteps}, at::kLong)};
  if (!kind.predicts) {
    inputs.padding = at::zeros({2, kSteps}, at::kBool);
    inputs.padding[1].slice(0, 5).fill_(true);
  }
  Dropout none;
  return model.hidden(inputs, none);
}

}  // namespace

TEST(Pairs, WorkOrAreRefusedWhenTheyArePlanned) {
  for (const TaskKind& kind : kTaskKinds)
    for (const std::string& mixer : mixers()) {
      SCOPED_TRACE(std::string(kind.task) + ", " + mixer);
      if (kind.predicts && is_two_sided(mixer)) {
        EXPECT_THROW(pairs_config_of(kind, mixer), std::invalid_argument);
        continue;
      }
      const at::Tensor y = output(pairs_config_of(kind, mixer), kind);
      EXPECT_EQ(y.sizes(), (at::IntArrayRef{2, kSteps, 16}));
      EXPECT_TRUE(at::isfinite(y[0]).all().item<bool>());
      EXPECT_TRUE(at::isfinite(y[1].slice(0, 0, 5)).all().item<bool>());
    }
}

TEST(Pairs, TooLongASequenceIsRefusedWithTheOptionToSet) {
  for (const char* system : {"gmlp", "linformer@length=100", "gfnet", "mega@positions=1024"}) {
    const std::string error = message_of<std::invalid_argument>([&] {
      parse_config("", "", {"task.name=lra-listops", "model.system=" + std::string(system)},
                   [](const std::string&) {});
    });
    EXPECT_NE(error.find("got 2000: set the option"), std::string::npos) << system << error;
  }
}

}  // namespace runner
