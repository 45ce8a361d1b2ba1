// Work for a GPU that is queued as a whole: captured once, then replayed.
#pragma once

#include <functional>

namespace lcsm {

class DeviceGraph {
 public:
  virtual ~DeviceGraph() = default;

  // Calls `work`, which queues on the GPU's stream: into the graph, nothing of it runs. Work must
  // not wait for the device; memory that it allocates is kept for the graph.
  virtual void capture(const std::function<void()>& work) = 0;
  // Queues all of it: on the same memory, with the numbers of the host as they were.
  virtual void replay() = 0;
};

}  // namespace lcsm
