// The leaves of a scan's tape in a block: leaves that all rows of the memory share, and a row's
// own; per target (include inside foreach_target).
#if defined(LCSM_SCAN_LEAVES_CPU_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LCSM_SCAN_LEAVES_CPU_INL_H_
#undef LCSM_SCAN_LEAVES_CPU_INL_H_
#else
#define LCSM_SCAN_LEAVES_CPU_INL_H_
#endif

#include "lcsm/cpu/scan/scan_block_cpu-inl.h"
#include "lcsm/cpu/totals_cpu-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lcsm::HWY_NAMESPACE {

// Leaves over time and channels, and their gradients.
template <class T>
class CellLeaves {
 public:
  explicit CellLeaves(const ScanBlock<T>& block) : b_(block) {
    for (std::size_t n = 0; n < block.scan.leaves.size(); ++n) {
      const std::int64_t room = is_here(n) ? block.most * block.padded : 0;
      values_.push_back(buffer<T>(room));
      gradients_.push_back(buffer<T>(block.scan.d_y ? room : 0));
    }
  }

  void begin() {
    for (std::size_t n = 0; n < values_.size(); ++n) {
      if (!is_here(n)) continue;
      b_.pack(b_.scan.leaves[n].data, values_[n].get(), Padding::kLast);
      if (b_.scan.d_y) b_.clear(gradients_[n]);
    }
  }
  void store_gradients() const {
    for (std::size_t n = 0; n < gradients_.size(); ++n)
      if (is_here(n) && b_.scan.d.leaves[n])
        b_.unpack(gradients_[n].get(), b_.scan.d.leaves[n] + b_.shared());
  }

  // A leaf's cells in the strip that begins at a column, and their gradient.
  const T* at(std::size_t n, std::int64_t column) const {
    return values_[n].get() + b_.cells(column);
  }
  T* gradient_at(std::size_t n, std::int64_t column) const {
    return gradients_[n].get() + b_.cells(column);
  }

 private:
  bool is_here(std::size_t n) const { return b_.spread(n) == Spread::kCells; }

  const ScanBlock<T>& b_;
  std::vector<Buffer<T>> values_, gradients_;
};

// The leaves and the tape at one row k, strip by strip.
template <class T>
class RowLeaves {
 public:
  explicit RowLeaves(const ScanBlock<T>& block)
      : tape(*block.scan.tape, block.most, block.strip), b_(block), totals_(buffer<T>(block.most)) {
    for (std::size_t n = 0; n < block.scan.leaves.size(); ++n) {
      values_.push_back(buffer<T>(std::max(block.up(block.most), block.padded)));
      gradients_.push_back(buffer<T>(room_for_sums()));
    }
  }

  std::int64_t room_for_sums() const { return std::max(b_.most * b_.lanes, b_.padded); }

  void load(std::int64_t k, bool learns) {
    k_ = k;
    for (std::size_t n = 0; n < values_.size(); ++n) {
      if (learns) std::fill_n(gradients_[n].get(), sums_of(b_.spread(n)), T(0));
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

  // Sets the strip at a column.
  void place(std::int64_t at, const CellLeaves<T>& cells) {
    at_ = at;
    tape.place({b_.rows, b_.width(at)});
    for (std::size_t n = 0; n < values_.size(); ++n) {
      if (b_.spread(n) == Spread::kCells)
        tape.leaf(n, cells.at(n, at), b_.width(at));
      else
        tape.leaf(n, value(n), b_.spread(n) == Spread::kSteps);
    }
  }
  void run(bool learns) { tape.run(scan().tape->gate, learns); }

  // A leaf over steps or channels at this row, and its gradient, from the strip's column on.
  const T* value(std::size_t n) const { return values_[n].get() + first(n); }
  T* gradient(std::size_t n) const { return gradients_[n].get() + first(n); }

  // True if each number of a leaf over channels has a finite product with log2(e).
  bool is_small(int n) const {
    const Operand<T> all{values_[static_cast<std::size_t>(n)].get(), 0, true};
    return has_small_products(all, b_.padded);
  }

  // A value per channel, expanded if all channels share it.
  const T* channels(int n, const Buffer<T>& flat) const {
    const Operand<T> value = tape.cells(n);
    const std::int64_t width = b_.width(at_);
    if (value.each && value.row == width) return value.data;
    one(Extent{b_.rows, width}, value, flat.get(), [](auto, auto x) { return x; });
    return flat.get();
  }

  // Adds the gradients that the tape computes in the strip to the leaves' gradients.
  void add_gradients(const CellLeaves<T>& cells) {
    tape.run(scan().tape->gradient, true);
    for (const LeafSum& sum : scan().tape->sums) {
      const auto n = static_cast<std::size_t>(sum.leaf);
      const Spread over = b_.spread(n);
      T* const to = over == Spread::kCells ? cells.gradient_at(n, at_) : gradient(n);
      tape.add(sum, over, to, b_.width(at_));
    }
  }
  void store_gradients() const {
    for (std::size_t n = 0; n < gradients_.size(); ++n)
      if (scan().d.leaves[n]) store(n, gradients_[n].get(), scan().d.leaves[n]);
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
    totals(from, b_.rows, totals_.get());
    const T* const sums = totals_.get();
    for (std::int64_t r = 0; r < b_.rows; ++r) first[r * scan().K] = sums[r];
  }

  TapeBlock<T> tape;

 private:
  const Scan<T>& scan() const { return b_.scan; }
  // The size of a leaf's gradient at this row, for a leaf of this spread.
  std::int64_t sums_of(Spread spread) const {
    switch (spread) {
      case Spread::kCells:
        return 0;
      case Spread::kSteps:
        return b_.rows * b_.lanes;
      case Spread::kChannels:
        return b_.padded;
      default:
        return b_.lanes;
    }
  }
  std::int64_t first(std::size_t n) const { return b_.spread(n) == Spread::kChannels ? at_ : 0; }

  void store(std::size_t n, const T* from, T* to) const {
    const bool k = scan().leaves[n].k != 0;
    const std::int64_t fixed = k ? b_.part.worker * scan().K + k_ : b_.part.worker;
    if (b_.spread(n) == Spread::kSteps) {
      totals(from, b_.rows, totals_.get());
      const T* const sums = totals_.get();
      T* const first = to + (k ? step(0) * scan().K + k_ : step(0));
      for (std::int64_t r = 0; r < b_.rows; ++r) first[r * (k ? scan().K : 1)] += sums[r];
    }
    if (b_.spread(n) == Spread::kNumber) to[fixed] += total(from);
    if (b_.spread(n) == Spread::kChannels) add_channels(from, to + fixed * scan().D);
  }

  void add_channels(const T* from, T* to) const {
    for (std::int64_t c = 0; c < b_.columns; ++c) to[b_.part.first + c] += from[c];
  }
  // The place of the block's row r in the group's gradients.
  std::int64_t step(std::int64_t r) const {
    return (b_.part.group * scan().B + b_.part.b) * scan().steps + b_.t + r;
  }

  const ScanBlock<T>& b_;
  std::vector<Buffer<T>> values_, gradients_;
  Buffer<T> totals_;  // [steps]
  std::int64_t k_ = 0, at_ = 0;
};

}  // namespace lcsm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
