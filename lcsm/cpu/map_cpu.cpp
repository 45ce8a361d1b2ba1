#include "lcsm/cpu/map_cpu.h"

#include "lcsm/cpu/kernels_cpu.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "lcsm/cpu/map_cpu.cpp"
#include <hwy/foreach_target.h>

#include "lcsm/cpu/tape_block_cpu-inl.h"
#include "lcsm/cpu/totals_cpu-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lcsm::HWY_NAMESPACE {
namespace {

template <class T>
class Mapper {
 public:
  explicit Mapper(const Map<T>& map)
      : m_(map),
        lanes_(static_cast<std::int64_t>(hn::Lanes(Tag<T>()))),
        padded_((map.columns + lanes_ - 1) / lanes_ * lanes_),
        whole_(map.columns == padded_),
        rows_(std::clamp<std::int64_t>(
            kBytesOfBlock / static_cast<std::int64_t>(sizeof(T)) / padded_, 1, map.rows)),
        tape_(*map.tape, rows_, padded_),
        d_out_(buffer<T>(rows_ * padded_)) {
    for (std::size_t n = 0; n < map.leaves.size(); ++n) {
      values_.push_back(buffer<T>(rows_ * padded_));
      gradients_.push_back(buffer<T>(std::max(rows_ * padded_, rows_ * lanes_)));
    }
  }

  void forward(std::int64_t first, std::int64_t last) {
    for (std::int64_t row = first; row < last; row += rows_) {
      load(row, std::min(rows_, last - row));
      tape_.run(m_.tape->gate, false);
      const Operand<T> o = tape_.cells(m_.tape->o);
      for (std::int64_t r = 0; r < size_; ++r) {
        const T* const from = o.data + r * o.row;
        T* const to = m_.out + (row + r) * m_.columns;
        if (o.each)
          std::copy_n(from, m_.columns, to);
        else
          std::fill_n(to, m_.columns, *from);
      }
    }
  }

  void backward(std::int64_t first, std::int64_t last, std::int64_t worker) {
    for (std::int64_t row = first; row < last; row += rows_) {
      load(row, std::min(rows_, last - row));
      tape_.run(m_.tape->gate, true);
      T* const d_o = tape_.made(m_.tape->d_o);
      const T* d_out = m_.d_out + row * m_.columns;
      if (!whole_) {
        std::fill_n(d_out_.get(), rows_ * padded_, T(0));
        copy(d_out, d_out_.get());
        d_out = d_out_.get();
      }
      const Extent size{size_, padded_};
      const Operand<T> d{d_out, padded_, true};
      const Operand<T> made{d_o, padded_, true};
      if (m_.tape->slope >= 0)  // d_o shares its buffer
        run_instruction(TapeOp::kMultiply, size, d, made, d_o);
      else
        std::copy_n(d_out, size_ * padded_, d_o);
      if (m_.tape->by_log)
        run_instruction(TapeOp::kMultiply, size, made, tape_.cells(m_.tape->o), d_o);
      for (std::size_t n = 0; n < gradients_.size(); ++n)
        std::fill_n(gradient(n, row), room(n), T(0));
      tape_.run(m_.tape->gradient, true);
      for (const LeafSum& sum : m_.tape->sums) {
        const auto n = static_cast<std::size_t>(sum.leaf);
        tape_.add(sum, spread(n), gradient(n, row), padded_);
      }
      for (std::size_t n = 0; n < gradients_.size(); ++n) store(n, row, worker);
    }
  }

 private:
  Spread spread(std::size_t leaf) const { return m_.tape->values[leaf].spread; }

  // The buffer in which a leaf's gradient is summed; cells of whole vectors are summed in place.
  T* gradient(std::size_t n, std::int64_t row) const {
    if (whole_ && spread(n) == Spread::kCells) return m_.d_leaves[n] + row * m_.columns;
    return gradients_[n].get();
  }
  std::int64_t room(std::size_t n) const {
    if (!over_steps(spread(n))) return padded_;
    return size_ * (spread(n) == Spread::kCells ? padded_ : lanes_);
  }

  void copy(const T* from, T* to) const {
    for (std::int64_t r = 0; r < size_; ++r)
      std::copy_n(from + r * m_.columns, m_.columns, to + r * padded_);
  }

  // Pads rows with their last column: the formula may be undefined at 0.
  void load(std::int64_t row, std::int64_t rows) {
    size_ = rows;
    tape_.place({rows, padded_});
    for (std::size_t n = 0; n < values_.size(); ++n) {
      const T* from = m_.leaves[n];
      T* const to = values_[n].get();
      const bool cells = spread(n) == Spread::kCells, steps = spread(n) == Spread::kSteps;
      if (whole_ && !steps) {
        tape_.leaf(n, from + (cells ? row * m_.columns : 0), cells ? padded_ : 0);
        continue;
      }
      if (cells)
        copy(from + row * m_.columns, to);
      else
        std::copy_n(from + (steps ? row : 0),
                    steps                            ? rows
                    : spread(n) == Spread::kChannels ? m_.columns
                                                     : 1,
                    to);
      if (cells || spread(n) == Spread::kChannels)
        for (std::int64_t r = 0; r < (cells ? rows : 1); ++r)
          std::fill(to + r * padded_ + m_.columns, to + (r + 1) * padded_,
                    to[r * padded_ + m_.columns - 1]);
      tape_.leaf(n, to, cells ? padded_ : steps);
    }
  }

  void store(std::size_t n, std::int64_t row, std::int64_t worker) const {
    const T* from = gradients_[n].get();
    T* const to = m_.d_leaves[n];
    switch (spread(n)) {
      case Spread::kCells:
        if (whole_) return;
        for (std::int64_t r = 0; r < size_; ++r)
          std::copy_n(from + r * padded_, m_.columns, to + (row + r) * m_.columns);
        return;
      case Spread::kSteps:
        return totals(from, size_, to + row);
      case Spread::kChannels:
        for (std::int64_t c = 0; c < m_.columns; ++c) to[worker * m_.columns + c] += from[c];
        return;
      case Spread::kNumber:
        to[worker] += total(from);
    }
  }

  const Map<T>& m_;
  const std::int64_t lanes_, padded_;
  const bool whole_;  // rows are whole vectors: cells are read and written in place
  const std::int64_t rows_;
  TapeBlock<T> tape_;
  const Buffer<T> d_out_;
  std::vector<Buffer<T>> values_, gradients_;
  std::int64_t size_ = 0;  // rows of the block
};

template <class T>
MapKernels<T> kernels_of() {
  return {[](const Map<T>& map, std::int64_t first, std::int64_t last) {
            Mapper<T>(map).forward(first, last);
          },
          [](const Map<T>& map, std::int64_t first, std::int64_t last, std::int64_t worker) {
            Mapper<T>(map).backward(first, last, worker);
          }};
}
MapKernels<float> float_kernels() { return kernels_of<float>(); }
MapKernels<double> double_kernels() { return kernels_of<double>(); }

}  // namespace
}  // namespace lcsm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lcsm {

LCSM_CHOOSE_KERNELS(MapKernels, map_kernels)

}  // namespace lcsm
#endif
