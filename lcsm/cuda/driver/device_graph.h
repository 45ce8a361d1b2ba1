// GPU work that is queued as a whole: captured once, then replayed.
#pragma once

#include <functional>

namespace lcsm {

class DeviceGraph {
 public:
  virtual ~DeviceGraph() = default;

  // Records what `work` queues on the GPU's stream; nothing runs. `work` must not wait for the
  // device; memory that it allocates lives as long as the graph.
  virtual void capture(const std::function<void()>& work) = 0;
  // Queues the whole graph: on the same memory, with host values as captured.
  virtual void replay() = 0;
};

}  // namespace lcsm
