#include "lcsm/cpu/scan/scan_cpu.h"

#include <algorithm>

#include "lcsm/cpu/kernels_cpu.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "lcsm/cpu/scan/scan_cpu.cpp"
#include <hwy/foreach_target.h>

#include "lcsm/cpu/scan/scan_order_cpu-inl.h"
#include "lcsm/cpu/scan/scan_row_cpu-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lcsm::HWY_NAMESPACE {
namespace {

template <class T>
class RealRows {
 public:
  static constexpr int kParts = 1, kAtOnce = kRowsAtOnce;

  explicit RealRows(const ScanBlock<T>& block) : scan_(block.scan) {
    strip.by_log = scan_.tape->by_log;
    for (int j = 0; j < kAtOnce; ++j) rows_.emplace_back(block);
  }

  void load(std::int64_t k, int count, bool learns) {
    for (int j = 0; j < count; ++j) row(j).load(k + j, learns);
  }
  void place(std::int64_t at, int count, const CellLeaves<T>& cells, bool learns) {
    strip.gate = row(0).gate();
    if (row(count - 1).gate() != strip.gate) strip.gate = Gate::kStored;
    strip.spend = row(0).spend();
    for (int j = 0; j < count; ++j) row(j).place(at, cells, learns, strip.gate, &strip.row[j]);
    strip.o_step = row(0).o_step();
    if (strip.gate != Gate::kExpCells && strip.spend != Spend::kCells) return;
    strip.cells = cells.at(row(0).factor(), at);
    strip.d_cells = cells.gradient_at(row(0).factor(), at);
  }
  void run(Pass pass, const ScanMemory<T, kParts>& memory, std::int64_t k, int count,
           std::int64_t at) {
    for (int j = 0; j < count; ++j) strip.row[j].memory = memory.row(0, k + j) + at;
    pass_over(pass, strip, count, row(0).write(), scan_.s.is_static);
  }
  void add_gradients(int count, const CellLeaves<T>& cells) {
    for (int j = 0; j < count; ++j) row(j).add_gradients(cells);
  }
  void store_gradients(int count) {
    for (int j = 0; j < count; ++j) row(j).store_gradients();
  }

  Strip<T> strip;  // the current one

 private:
  ScanRow<T>& row(int j) { return rows_[static_cast<std::size_t>(j)]; }

  const Scan<T>& scan_;
  std::vector<ScanRow<T>> rows_;
};

template <class T>
ScanKernels<T> kernels_of() {
  return {scan_forward<T, RealRows<T>>, scan_backward<T, RealRows<T>>,
          static_cast<std::int64_t>(hn::Lanes(Tag<T>()))};
}
ScanKernels<float> float_kernels() { return kernels_of<float>(); }
ScanKernels<double> double_kernels() { return kernels_of<double>(); }

}  // namespace
}  // namespace lcsm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lcsm {

std::int64_t scan_block_steps(std::int64_t k, std::int64_t d) {
  constexpr std::int64_t kLeast = 32;
  return std::max(kLeast, ((k * d) / (k + d) + kLeast - 1) / kLeast * kLeast);
}

LCSM_CHOOSE_KERNELS(ScanKernels, scan_kernels)

}  // namespace lcsm
#endif
