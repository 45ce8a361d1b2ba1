// One row k of the memory in a block of the scan: its stages, its gate and their gradients, per
// target (include inside foreach_target).
#if defined(LCSM_SCAN_ROW_CPU_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LCSM_SCAN_ROW_CPU_INL_H_
#undef LCSM_SCAN_ROW_CPU_INL_H_
#else
#define LCSM_SCAN_ROW_CPU_INL_H_
#endif

#include "lcsm/cpu/scan/scan_leaves_cpu-inl.h"
#include "lcsm/cpu/scan/scan_pass_cpu-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lcsm::HWY_NAMESPACE {

template <class T>
class ScanRow {
 public:
  explicit ScanRow(const ScanBlock<T>& block)
      : b_(block),
        leaves_(block),
        flat_o_(buffer<T>(block.most * block.strip)),
        flat_w_(buffer<T>(block.scan.tape->w >= 0 ? block.most * block.strip : 0)),
        e_(buffer<T>(std::max(block.most, block.padded))),
        s_(buffer<T>(std::max(block.most, block.padded))),
        d_e_(buffer<T>(leaves_.room_for_sums())),
        d_s_(buffer<T>(leaves_.room_for_sums())) {}

  void load(std::int64_t k, bool learns) {
    if (learns) {
      std::fill_n(d_e_.get(), leaves_.room_for_sums(), T(0));
      std::fill_n(d_s_.get(), leaves_.room_for_sums(), T(0));
    }
    leaves_.load(k, learns);
    if (tape().w < 0) leaves_.load(scan().e, e_.get());
    leaves_.load(scan().s, s_.get());
    has_small_channels_ = fuses() && leaves_.is_small(tape().factors->channels);
  }

  // The source from which a pass over this row can take o.
  Gate gate() const {
    if (!fuses() || !kComputesGates || tape().gate.size() != 1 ||
        tape().gate[0].op != TapeOp::kExpTimes || !has_small_channels_)
      return Gate::kStored;
    return b_.spread(factor()) == Spread::kCells ? Gate::kExpCells : Gate::kExpSteps;
  }
  // The fastest use of d_o that the tape of this row allows.
  Spend spend() const {
    if (!fuses()) return Spend::kStored;
    return b_.spread(factor()) == Spread::kCells ? Spend::kCells : Spend::kSteps;
  }
  // The leaf over cells or steps that is a factor of the gate.
  std::size_t factor() const { return static_cast<std::size_t>(tape().factors->rows); }

  // Sets all that a pass over the strip at a column reads and writes except the memory. Runs the
  // tape of the gate unless the pass computes the gate.
  void place(std::int64_t at, const CellLeaves<T>& cells, bool learns, Gate gate, StripRow<T>* to) {
    leaves_.place(at, cells);
    StripRow<T>& row = *to;
    if (gate == Gate::kStored) {
      leaves_.run(learns);
      const Operand<T> o = leaves_.tape.cells(tape().o);
      o_step_ = o.each && o.row == 0 ? 0 : b_.width(at);
      row.o = o_step_ == 0 ? o.data : leaves_.channels(tape().o, flat_o_);
    } else {
      o_step_ = b_.width(at);
      row.o = row.computed_o = leaves_.tape.made(tape().o);
    }
    row.w = write() == Write::kCells ? leaves_.channels(tape().w, flat_w_)
                                     : e_.get() + (write() == Write::kChannels ? at : 0);
    row.s = s_.get() + (scan().s.is_static ? at : 0);
    if (fuses()) {
      const auto channels = static_cast<std::size_t>(tape().factors->channels);
      row.channels = leaves_.value(channels);
      row.d_channels = leaves_.gradient(channels);
      row.rows = leaves_.value(factor());
      row.d_rows = leaves_.gradient(factor());
    }
    if (!learns) return;
    row.d_o = leaves_.tape.made(tape().d_o);
    if (tape().slope >= 0) row.slope = leaves_.tape.made(tape().slope);
    if (tape().w >= 0) row.d_w_cells = leaves_.tape.made(tape().d_w);
    row.d_w = d_e_.get() + (scan().e.is_static ? at : 0);
    row.d_s = d_s_.get() + (scan().s.is_static ? at : 0);
  }

  void add_gradients(const CellLeaves<T>& cells) {
    if (spend() == Spend::kStored) leaves_.add_gradients(cells);
  }
  void store_gradients() const {
    if (tape().w < 0) leaves_.store(scan().e, d_e_.get(), scan().d.e);
    leaves_.store(scan().s, d_s_.get(), scan().d.s);
    leaves_.store_gradients();
  }

  // The distance between the gates of two steps; 0 = the gate is static.
  std::int64_t o_step() const { return o_step_; }
  Write write() const {
    if (tape().w >= 0) return Write::kCells;
    return scan().e.is_static ? Write::kChannels : Write::kSteps;
  }

 private:
  const Scan<T>& scan() const { return b_.scan; }
  const Tape& tape() const { return *b_.scan.tape; }
  bool fuses() const {
    return sizeof(T) == 4 && tape().factors && write() == Write::kSteps && !scan().s.is_static;
  }

  const ScanBlock<T>& b_;
  RowLeaves<T> leaves_;
  Buffer<T> flat_o_, flat_w_, e_, s_, d_e_, d_s_;
  std::int64_t o_step_ = 0;
  bool has_small_channels_ = false;
};

}  // namespace lcsm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
