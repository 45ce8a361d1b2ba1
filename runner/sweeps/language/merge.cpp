#include <algorithm>

#include "runner/sweeps/language/points.h"

namespace runner {
namespace {

template <typename List>
void remove_key(List& assignments, int key) {
  std::erase_if(assignments, [key](const Assignment& each) { return each.key == key; });
}

// Removes only the list of this key from a [[zip]]; its other lists remain.
void remove_key(std::vector<Axis>& axes, int key) {
  for (Axis& axis : axes) {
    const auto at = std::find(axis.keys.begin(), axis.keys.end(), key);
    if (at == axis.keys.end()) continue;
    const auto column = at - axis.keys.begin();
    for (auto& step : axis.steps) step.erase(step.begin() + column);
    axis.keys.erase(at);
  }
  std::erase_if(axes, [](const Axis& axis) { return axis.keys.empty(); });
}

void remove_from(MergedSweep& merged, int key) {
  remove_key(merged.base, key);
  remove_key(merged.axes, key);
  for (Case& when : merged.whens) remove_key(when.set, key);
  std::erase_if(merged.whens, [](const Case& when) { return when.set.empty(); });
}

template <typename T>
void append(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

MergedSweep merge_layers(const std::vector<const Layer*>& layers) {
  MergedSweep merged;
  for (const Layer* layer : layers) {
    for (const Assignment& each : layer->base) remove_from(merged, each.key);
    for (const Axis& axis : layer->axes)
      for (const int key : axis.keys) remove_from(merged, key);
    append(merged.base, layer->base);
    append(merged.axes, layer->axes);
    append(merged.whens, layer->whens);
    append(merged.excludes, layer->excludes);
    merged.top_whens = layer->whens.size();
    merged.top_excludes = layer->excludes.size();
  }
  return merged;
}

}  // namespace runner
