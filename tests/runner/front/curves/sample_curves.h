// A small sweep in all states, with curves.
#pragma once

#include <limits>
#include <vector>

#include "runner/front/curves/curves.h"
#include "runner/front/panel/model.h"

namespace runner {

inline PanelModel sample_model() {
  using results::RunState;
  PanelModel model;
  model.sweep = model.called = "mine";
  model.title = "Which gate?";
  model.axes = {"model.code", "seed"};
  model.metric = "valid.ppl@best";
  model.eta_seconds = 90;
  const auto add = [&](const char* id, const char* code, const char* seed, RunState state) {
    model.runs.push_back(PanelRun{.id = id, .at = {code, seed}, .state = state});
    model.runs.back().steps = 200;
  };
  add("0000000100000000", "1-1-1-0", "1", RunState::kDone);
  add("0000000200000000", "1-1-1-0", "2", RunState::kRunning);
  add("0000000300000000", "1-9-1-0", "1", RunState::kDiverged);
  add("0000000400000000", "1-9-1-0", "2", RunState::kNew);
  model.runs[0].progress.step = 200;
  model.runs[2].why = "diverged: the loss is NaN";
  return model;
}

inline std::vector<Curve> sample_curves() {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInf = std::numeric_limits<double>::infinity();
  return {{0, "train.loss", {{100, 2.5}, {200, 1.0 / 3}}},
          {0, "valid.ppl", {{200, 24}}},
          {1, "train.loss", {{100, 2.25}}},
          {2, "train.loss", {{100, 7}, {150, kInf}, {160, -kInf}, {200, kNaN}}}};
}

}  // namespace runner
