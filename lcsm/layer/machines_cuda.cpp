#include "lcsm/layer/machines_cuda.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "lcsm/kernel/chunk_calls.h"
#include "lcsm/tape/scan_gate.h"

namespace lcsm {
namespace {

struct Row {
  Machine planned;
  CudaMachine by;
};
constexpr std::array kRows = {
    Row{Machine::kScan, CudaMachine::kScan}, Row{Machine::kChunk, CudaMachine::kChunk},
    Row{Machine::kModes, CudaMachine::kScan},  // right, and slower than a machine of its own
};

thread_local std::shared_ptr<Gpu> gpu_of_thread;

[[noreturn]] void refuse(const Variant& variant, const std::string& what) {
  throw std::invalid_argument("oscillation " + variant.oscillation.name + " on a GPU: " + what +
                              "; run it with run.device = \"cpu\"");
}

}  // namespace

CudaMachine cuda_machine_of(const Variant& variant, const Plan& plan) {
  const auto row = std::find_if(kRows.begin(), kRows.end(),
                                [&](const Row& each) { return each.planned == plan.machine; });
  if (row == kRows.end())
    refuse(variant, "there is no machine yet for '" + to_string(plan.machine) + "'");
  if (variant.oscillation.read) refuse(variant, "there is no machine yet that reads by weights");
  if (plan.is_complex && !plan.rotates) refuse(variant, "there is no complex memory yet");
  const int rows = variant.sizes.k * (plan.rotates ? 2 : 1);
  if (row->by == CudaMachine::kChunk && rows <= kChunkMostRows) return CudaMachine::kChunk;
  const Tape tape = scan_gate(variant).tape;
  const auto leaves = std::count_if(tape.values.begin(), tape.values.end(),
                                    [](const TapeValue& value) { return value.leaf >= 0; });
  if (leaves > kScanMostLeaves)
    refuse(variant, "expected a gate of at most " + std::to_string(kScanMostLeaves) +
                        " inputs, got " + std::to_string(leaves));
  return CudaMachine::kScan;
}

ComputeOn::ComputeOn(std::shared_ptr<Gpu> gpu)
    : before_(std::exchange(gpu_of_thread, std::move(gpu))) {}
ComputeOn::~ComputeOn() { gpu_of_thread = before_; }

const std::shared_ptr<Gpu>& computing_gpu() { return gpu_of_thread; }

}  // namespace lcsm
