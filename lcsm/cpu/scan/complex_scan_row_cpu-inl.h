// One row k of the memory in a block of the complex scan: its stages, its factors and their
// gradients, per target (include inside foreach_target).
#if defined(LCSM_COMPLEX_SCAN_ROW_CPU_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LCSM_COMPLEX_SCAN_ROW_CPU_INL_H_
#undef LCSM_COMPLEX_SCAN_ROW_CPU_INL_H_
#else
#define LCSM_COMPLEX_SCAN_ROW_CPU_INL_H_
#endif

#include "lcsm/cpu/scan/complex_scan_pass_cpu-inl.h"
#include "lcsm/cpu/scan/scan_leaves_cpu-inl.h"
#include "lcsm/cpu/scan/scan_memory_cpu-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lcsm::HWY_NAMESPACE {

template <class T, int kParts_>
class ComplexRow {
 public:
  static constexpr int kParts = kParts_, kAtOnce = 1;

  explicit ComplexRow(const ScanBlock<T>& block)
      : b_(block),
        leaves_(block),
        e_(buffer<T>(block.most)),
        s_(buffer<T>(block.most)),
        d_e_(buffer<T>(leaves_.room_for_sums())),
        d_s_(buffer<T>(leaves_.room_for_sums())) {
    std::fill_n(e_.get(), block.most, T(1));
    std::fill_n(s_.get(), block.most, T(1));
    for (const TapePart& part : tape().parts)
      flat_.push_back(buffer<T>(spread(part) == Spread::kSteps    ? block.most * block.strip
                                : spread(part) == Spread::kNumber ? block.strip
                                                                  : 0));
    for (Buffer<T>& part : before_) part = buffer<T>(block.scan.d_y ? block.most * block.strip : 0);
  }

  void load(std::int64_t k, int, bool learns) {
    leaves_.load(k, learns);
    if (scan().e.data) leaves_.load(scan().e, e_.get());
    if (scan().s.data) leaves_.load(scan().s, s_.get());
    if (!learns) return;
    std::fill_n(d_e_.get(), leaves_.room_for_sums(), T(0));
    std::fill_n(d_s_.get(), leaves_.room_for_sums(), T(0));
  }

  // Sets all that a pass over the strip at a column reads and writes except the memory.
  void place(std::int64_t at, int, const CellLeaves<T>& cells, bool learns) {
    leaves_.place(at, cells);
    leaves_.run(learns);
    width_ = b_.width(at);
    strip.e = e_.get();
    strip.s = s_.get();
    strip.d_e = d_e_.get();
    strip.d_s = d_s_.get();
    for (std::size_t n = 0; n < kParts; ++n) {
      strip.before[n] = before_[n].get();
      strip.o[n] = factor(n, learns);
      if (!is_weighted()) continue;
      strip.w[n] = factor(kParts + n, learns);
      strip.r[n] = factor(2 * kParts + n, learns);
    }
  }

  void run(Pass pass, const ScanMemory<T, kParts>& memory, std::int64_t k, int, std::int64_t at) {
    for (int n = 0; n < kParts; ++n) strip.memory[n] = memory.row(n, k) + at;
    pass_over<kParts>(pass, strip, is_weighted(), tape().is_static);
  }

  void add_gradients(int, const CellLeaves<T>& cells) { leaves_.add_gradients(cells); }
  void store_gradients(int) const {
    if (scan().e.data) leaves_.store(scan().e, d_e_.get(), scan().d.e);
    if (scan().s.data) leaves_.store(scan().s, d_s_.get(), scan().d.s);
    leaves_.store_gradients();
  }

  ComplexStrip<T, kParts> strip;  // the current one

 private:
  bool is_weighted() const { return tape().parts.size() > kParts; }
  const Scan<T>& scan() const { return b_.scan; }
  const Tape& tape() const { return *b_.scan.tape; }
  Spread spread(const TapePart& part) const {
    return tape().values[static_cast<std::size_t>(part.value)].spread;
  }

  Factor<T> factor(std::size_t n, bool learns) const {
    const TapePart& part = tape().parts[n];
    Factor<T> result;
    result.d = learns ? leaves_.tape.made(part.gradient) : nullptr;
    const Operand<T> value = leaves_.tape.cells(part.value);
    switch (spread(part)) {
      case Spread::kNumber:
        std::fill_n(flat_[n].get(), width_, *value.data);
        result.at = flat_[n].get();
        break;
      case Spread::kChannels:
        result.at = value.data;
        break;
      default:
        result.at = leaves_.channels(part.value, flat_[n]);
        result.step = width_;
    }
    return result;
  }

  const ScanBlock<T>& b_;
  RowLeaves<T> leaves_;
  Buffer<T> e_, s_, d_e_, d_s_, before_[kParts];
  std::vector<Buffer<T>> flat_;  // parts that do not vary over the channels, expanded
  std::int64_t width_ = 0;
};

}  // namespace lcsm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
