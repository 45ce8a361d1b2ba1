#pragma once

#include <memory>

namespace lcsm {

class Gpu;

// Where an operation is computed; null: on the CPU.
using GpuOrCpu = std::shared_ptr<Gpu>;

}  // namespace lcsm
