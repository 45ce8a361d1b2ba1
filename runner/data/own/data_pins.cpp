#include "runner/data/own/data_pins.h"

#include <stdexcept>

#include "runner/config/keys/task_keys.h"
#include "runner/data/own/own_data.h"

namespace runner {

std::string task_text(const RunConfig& config) {
  std::string text;
  for (std::size_t i = 0; i < kConfigKeys.size(); ++i)
    if (const Setting& setting = config.at(static_cast<int>(i));
        setting.used && kConfigKeys[i].name.starts_with("task."))
      text += value_text(setting.value) + "\n";
  return text;
}

void DataPins::pin(RunConfig& config) {
  if (!config.needs_content()) return;
  const std::string task = task_text(config);
  const auto found = known_.find(task);
  if (found == known_.end()) {
    if (workspace_.empty()) throw std::logic_error("DataPins: no workspace is set");
    pin_data(config, workspace_);
    known_[task] = {config.text("task.content"_key), config.integer("task.classes"_key)};
    return;
  }
  if (config.text("task.content"_key).empty()) config.set_content(found->second.content);
  if (found->second.classes > 0) config.set_classes(found->second.classes);
}

}  // namespace runner
