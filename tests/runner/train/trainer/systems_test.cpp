// Every named system that can be a language model, in its authors' skeleton.
#include <gtest/gtest.h>

#include "runner/data/batches/task_data.h"
#include "runner/systems/system.h"
#include "runner/train/trainer/trainer.h"

namespace runner {
namespace {

RunConfig systems_config_of(std::string_view system) {
  return parse_config(
      "", "",
      {"task.name=mqar", "task.vocab=32", "task.length=16", "task.pairs=2", "task.train=64",
       "task.valid=8", "task.test=8", "model.d=32", "model.layers=2", "model.dropout=0.1",
       "model.skeleton=source", "optim.batch=16", "optim.lr=3e-3", "optim.schedule=constant",
       "model.system=" + std::string(system)},
      [](const std::string&) {});
}

TEST(Systems, LearnAndResumeBitForBit) {
  for (const SystemRow& row : system_rows()) {
    if (is_two_sided(parse_system(row.name))) continue;
    SCOPED_TRACE(row.name);
    const RunConfig config = systems_config_of(row.name);
    const auto data = open_task(config, {});
    Trainer whole(config, *data);
    double first = 0, last = 0;
    NamedTensors weights, optimizer;
    for (int n = 1; n <= 20; ++n) {
      const double loss = whole.step(n).loss;  // refuses NaN
      (n <= 4 ? first : last) += n <= 4 || n > 16 ? loss : 0;
      if (n != 16) continue;
      for (const auto& [name, tensor] : whole.weights()) weights[name] = tensor.clone();
      for (const auto& [name, tensor] : whole.optimizer_state()) optimizer[name] = tensor.clone();
    }
    EXPECT_LT(last, first);
    Trainer resumed(config, *data);
    resumed.load_weights(weights);
    resumed.load_optimizer(optimizer, 16);
    for (int n = 17; n <= 20; ++n) resumed.step(n);
    for (const auto& [name, tensor] : whole.weights())
      EXPECT_TRUE(tensor.equal(resumed.weights().at(name))) << name;
  }
}

}  // namespace
}  // namespace runner
