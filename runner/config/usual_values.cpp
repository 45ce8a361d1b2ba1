#include "runner/config/usual_values.h"

#include <utility>

#include "runner/config/config_mistakes.h"
#include "runner/config/config_tree.h"

namespace runner {
namespace {

UsualValues usual_values(const TaskRow* task) {
  UsualValues usual;
  for (const ConfigKey& key : kConfigKeys) usual.values.push_back(usual_value(key));
  usual.of_task.assign(kConfigKeys.size(), false);
  if (task == nullptr) return usual;
  Mistakes none;
  ConfigTree tree;
  for (const std::string& word : words_of(task->usual)) read_setting(word, tree, none);
  none.raise();
  for (Assignment& each : tree.assignments) {
    usual.values[static_cast<std::size_t>(each.key)] = std::move(each.value);
    usual.of_task[static_cast<std::size_t>(each.key)] = true;
  }
  return usual;
}

}  // namespace

const UsualValues& usual_of(const TaskRow* task) {
  static const std::vector<UsualValues> all = [] {
    std::vector<UsualValues> each;
    for (const TaskRow& task_of_table : kTaskRows) each.push_back(usual_values(&task_of_table));
    each.push_back(usual_values(nullptr));
    return each;
  }();
  return task == nullptr ? all.back() : all[static_cast<std::size_t>(task - kTaskRows.data())];
}

const std::optional<Value>& usual_value(int key, const TaskRow* task) {
  return usual_of(task).values[static_cast<std::size_t>(key)];
}

}  // namespace runner
