#include "runner/python/model.h"

#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <unordered_map>

#include "runner/config/keys/model_keys.h"
#include "runner/config/keys/task_row.h"
#include "runner/config/run/run_id.h"
#include "runner/models/skeletons/outputs.h"

namespace runner {
namespace {

RunConfig config_of(const std::string& text) {
  return parse_config(text, "config.toml", {}, [](const std::string&) {});
}

}  // namespace

MadeModel::MadeModel(const std::string& config, std::int64_t vocab)
    : model_(
          make_model(config_of(config), vocab,
                     at::TensorOptions(at::kFloat).device({aoti_torch_device_type_meta(), -1}))) {}

at::Tensor MadeModel::operator()(const std::vector<at::Tensor>& weights, const Inputs& inputs,
                                 const lcsm::GpuOrCpu& gpu, Carried* carried) const {
  const std::size_t expected = model_.parameters().size();
  if (weights.size() != expected)
    throw std::invalid_argument("lcsm: expected " + std::to_string(expected) + " weights, got " +
                                std::to_string(weights.size()));
  if ((inputs.source.defined() || inputs.source_padding.defined()) &&
      model_.plan().config.text("model.skeleton"_key) != "encoder-decoder")
    throw std::invalid_argument(
        "lcsm: expected no source and no source_padding for a model without an encoder: pass only "
        "the values");
  Model model = model_;
  model.set_parameters(weights);
  model.compute_on(gpu);
  Dropout none;
  return outputs_of(model, model.hidden(inputs, none, carried), inputs.padding);
}

std::string MadeModel::description() const {
  nlohmann::ordered_json tensors = nlohmann::json::array();
  for (const ModelParameter& each : model_.parameters())
    tensors.push_back({{"name", each.name},
                       {"shape", each.tensor.sizes().vec()},
                       {"learned", each.trained},
                       {"group", to_string(each.group)}});
  const TaskRow& task = model_.plan().config.task();
  return nlohmann::ordered_json{{"id", run_id(model_.plan().config)},
                                {"tensors", tensors},
                                {"inputs", task.inputs},
                                {"head", task.head}}
      .dump();
}

const MadeModel& made_model(const std::string& config, std::int64_t vocab) {
  static std::mutex mutex;
  static std::unordered_map<std::string, std::unique_ptr<const MadeModel>> all;
  const std::lock_guard lock(mutex);
  std::unique_ptr<const MadeModel>& found = all[std::to_string(vocab) + '\n' + config];
  if (!found) found = std::make_unique<const MadeModel>(config, vocab);
  return *found;
}

}  // namespace runner
