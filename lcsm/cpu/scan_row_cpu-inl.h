// One row k of the memory in a block of the scan: its stages, its gate and their gradients, per
// target (include inside foreach_target).
#if defined(LCSM_SCAN_ROW_CPU_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LCSM_SCAN_ROW_CPU_INL_H_
#undef LCSM_SCAN_ROW_CPU_INL_H_
#else
#define LCSM_SCAN_ROW_CPU_INL_H_
#endif

#include "lcsm/cpu/scan_block_cpu-inl.h"
#include "lcsm/cpu/scan_pass_cpu-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lcsm::HWY_NAMESPACE {

template <class T>
class ScanRow {
 public:
  explicit ScanRow(const ScanBlock<T>& block)
      : b_(block),
        tape_(*block.scan.tape, block.most, block.strip),
        flat_o_(buffer<T>(block.most * block.strip)),
        flat_w_(buffer<T>(block.scan.tape->w >= 0 ? block.most * block.strip : 0)),
        e_(buffer<T>(std::max(block.most, block.padded))),
        s_(buffer<T>(std::max(block.most, block.padded))),
        d_e_(buffer<T>(room_for_sums())),
        d_s_(buffer<T>(room_for_sums())) {
    for (std::size_t n = 0; n < block.scan.leaves.size(); ++n) {
      values_.push_back(buffer<T>(std::max(block.most, block.padded)));
      gradients_.push_back(buffer<T>(room_for_sums()));
    }
  }

  void load(std::int64_t k, bool learns) {
    k_ = k;
    if (learns) clear_gradients();
    if (tape().w < 0) load(scan().e, e_.get());
    load(scan().s, s_.get());
    for (std::size_t n = 0; n < values_.size(); ++n) {
      const ScanLeaf<T>& leaf = scan().leaves[n];
      const T* from = leaf.data + b_.part.b * leaf.b + k_ * leaf.k;
      T* const to = values_[n].get();
      if (b_.spread(n) == Spread::kSteps)
        for (std::int64_t r = 0; r < b_.rows; ++r) to[r] = from[(b_.t + r) * leaf.t];
      if (b_.spread(n) == Spread::kNumber) *to = *from;
      if (b_.spread(n) == Spread::kChannels) {
        std::copy(from + b_.part.first, from + b_.part.last, to);
        std::fill(to + b_.columns, to + b_.padded, to[b_.columns - 1]);
      }
    }
  }

  // The gate of the strip at a column, and what a pass over it needs beside the memory. `cells`
  // holds the leaves that are the same for every row.
  void gate(std::int64_t at, const std::vector<Buffer<T>>& cells, bool learns, StripRow<T>* to) {
    at_ = at;
    tape_.place({b_.rows, b_.width(at)});
    for (std::size_t n = 0; n < values_.size(); ++n) {
      if (b_.spread(n) == Spread::kCells)
        tape_.leaf(n, cells[n].get() + b_.cells(at), b_.width(at));
      else
        tape_.leaf(n, values_[n].get() + (b_.spread(n) == Spread::kChannels ? at : 0),
                   b_.spread(n) == Spread::kSteps);
    }
    tape_.run(tape().gate, learns);
    StripRow<T>& row = *to;
    const Operand<T> o = tape_.cells(tape().o);
    o_step_ = o.each && o.row == 0 ? 0 : b_.width(at);
    row.o = o_step_ == 0 ? o.data : channels(tape().o, flat_o_);
    row.w = write() == Write::kCells ? channels(tape().w, flat_w_)
                                     : e_.get() + (write() == Write::kChannels ? at : 0);
    row.s = s_.get() + (scan().s.is_static ? at : 0);
    if (!learns) return;
    row.d_o = tape_.made(tape().d_o);
    if (tape().slope >= 0) row.slope = tape_.made(tape().slope);
    if (tape().w >= 0) row.d_w_cells = tape_.made(tape().d_w);
    row.d_w = d_e_.get() + (scan().e.is_static ? at : 0);
    row.d_s = d_s_.get() + (scan().s.is_static ? at : 0);
  }

  // From the gradients of o and w in the strip to those of the leaves.
  void leaf_gradients(const std::vector<Buffer<T>>& d_cells) {
    tape_.run(tape().gradient, true);
    for (const LeafSum& sum : tape().sums) {
      const auto n = static_cast<std::size_t>(sum.leaf);
      const Spread over = b_.spread(n);
      T* const to = over == Spread::kCells
                        ? d_cells[n].get() + b_.cells(at_)
                        : gradients_[n].get() + (over == Spread::kChannels ? at_ : 0);
      tape_.add(sum, over, to, b_.width(at_));
    }
  }

  void store_gradients() const {
    if (tape().w < 0) store(scan().e, d_e_.get(), scan().d.e);
    store(scan().s, d_s_.get(), scan().d.s);
    for (std::size_t n = 0; n < gradients_.size(); ++n)
      if (scan().d.leaves[n]) store_leaf(n, gradients_[n].get(), scan().d.leaves[n]);
  }

  // The distance between the gates of two steps: 0 = it is static.
  std::int64_t o_step() const { return o_step_; }
  Write write() const {
    if (tape().w >= 0) return Write::kCells;
    return scan().e.is_static ? Write::kChannels : Write::kSteps;
  }

 private:
  const Scan<T>& scan() const { return b_.scan; }
  const Tape& tape() const { return *b_.scan.tape; }
  std::int64_t room_for_sums() const { return std::max(b_.most * b_.lanes, b_.padded); }

  void clear_gradients() {
    std::fill_n(d_e_.get(), room_for_sums(), T(0));
    std::fill_n(d_s_.get(), room_for_sums(), T(0));
    for (std::size_t n = 0; n < gradients_.size(); ++n)
      if (b_.spread(n) != Spread::kCells) std::fill_n(gradients_[n].get(), room_for_sums(), T(0));
  }

  // o or w, expanded where it is the same for all channels.
  const T* channels(int n, const Buffer<T>& flat) const {
    const Operand<T> value = tape_.cells(n);
    const std::int64_t width = b_.width(at_);
    if (value.each && value.row == width) return value.data;
    one(Extent{b_.rows, width}, value, flat.get(), [](auto, auto x) { return x; });
    return flat.get();
  }

  void load(const ScanStage<T>& stage, T* to) const {
    if (stage.is_static) {
      const T* const row = stage.data + k_ * scan().D;
      std::copy(row + b_.part.first, row + b_.part.last, to);
      return;
    }
    const T* from = stage.data + (b_.part.b * scan().steps + b_.t) * scan().K + k_;
    for (std::int64_t r = 0; r < b_.rows; ++r) to[r] = from[r * scan().K];
  }

  void store(const ScanStage<T>& stage, const T* from, T* to) const {
    if (!to) return;
    if (stage.is_static)
      return add_channels(from, to + (b_.part.worker * scan().K + k_) * scan().D);
    T* const first = to + step(0) * scan().K + k_;
    for (std::int64_t r = 0; r < b_.rows; ++r) first[r * scan().K] = total(from + r * b_.lanes);
  }

  void store_leaf(std::size_t n, const T* from, T* to) const {
    const bool k = scan().leaves[n].k != 0;
    const std::int64_t fixed = k ? b_.part.worker * scan().K + k_ : b_.part.worker;
    if (b_.spread(n) == Spread::kSteps)
      for (std::int64_t r = 0; r < b_.rows; ++r)
        to[k ? step(r) * scan().K + k_ : step(r)] += total(from + r * b_.lanes);
    if (b_.spread(n) == Spread::kNumber) to[fixed] += total(from);
    if (b_.spread(n) == Spread::kChannels) add_channels(from, to + fixed * scan().D);
  }

  void add_channels(const T* from, T* to) const {
    for (std::int64_t c = 0; c < b_.columns; ++c) to[b_.part.first + c] += from[c];
  }
  // Of the block's row r, among the group's gradients.
  std::int64_t step(std::int64_t r) const {
    return (b_.part.group * scan().B + b_.part.b) * scan().steps + b_.t + r;
  }
  static T total(const T* lanes) {
    const Tag<T> d;
    return hn::GetLane(hn::SumOfLanes(d, hn::LoadU(d, lanes)));
  }

  const ScanBlock<T>& b_;
  TapeBlock<T> tape_;
  Buffer<T> flat_o_, flat_w_, e_, s_, d_e_, d_s_;
  std::vector<Buffer<T>> values_, gradients_;
  std::int64_t k_ = 0, at_ = 0, o_step_ = 0;
};

}  // namespace lcsm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
