#include "tests/runner/models/skeletons/model_cases.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/remainder.h>

namespace runner {

Model small_model(std::vector<std::string> settings) {
  for (const char* word : {"model.d=4", "model.layers=2", "model.dropout=0", "task.length=5"})
    settings.insert(settings.begin(), word);
  Model model = make_model(model_config(settings), 6, at::kDouble);
  const at::NoGradGuard none;
  std::uint64_t seed = 1;
  for (const ModelParameter& p : model.parameters())
    if (p.trained) {
      const double centre = p.name.find("norm.weight") != std::string::npos ? 1 : 0;
      p.tensor.copy_(
          centre + 0.5 * lcsm::random_input(1, 1, p.tensor.numel(), seed++).view(p.tensor.sizes()));
    }
  return model;
}

at::Tensor some_tokens(std::int64_t B, std::int64_t T, std::int64_t V) {
  return at::remainder(at::arange(B * T, at::kLong).mul(7).add(3).square(), V).view({B, T});
}

std::vector<std::vector<std::string>> kinds_of_models() {
  return {
      {"model.code=1-9-1-4", "model.k=3"},
      {"model.code=1-3-1-0", "model.k=4", "model.code_heads=2", "model.conv=3", "model.qk_norm=l2",
       "model.head_norm=rms", "model.output_gate=silu", "model.bonus=learned"},
      {"model.code=1-9-1-0", "model.k=4", "model.code_heads=2", "model.skeleton=zoology",
       "model.head_norm=layer"},
      {"model.code=ssm", "model.k=3", "model.scheme=B", "model.glu=silu"},
      {"model.code=0-1-1-0", "model.k=3", "model.positions=learned", "model.skeleton=zoology"},
      {"model.code=1-3-1-2@gate=frozen", "model.k=3", "model.skeleton=zoology",
       "model.state_mixer=mlp"},
      {"model.system=hgrn"},
      {"model.family=attention", "model.heads=2", "model.positions=rope", "model.glu=gelu"},
      {"model.family=attention", "model.heads=1", "model.scheme=B"},
      {"model.family=attention", "model.heads=2", "model.positions=learned",
       "model.skeleton=zoology"},
  };
}

std::map<std::string, at::Tensor> trained_by_name(const Model& model) {
  std::map<std::string, at::Tensor> tensors;
  for (const ModelParameter& p : model.parameters())
    if (p.trained) tensors[p.name] = p.tensor;
  return tensors;
}

}  // namespace runner
