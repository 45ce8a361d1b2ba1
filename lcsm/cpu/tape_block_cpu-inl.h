// Runs a tape on a block of rows x columns, per target (include inside foreach_target).
#if defined(LCSM_TAPE_BLOCK_CPU_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LCSM_TAPE_BLOCK_CPU_INL_H_
#undef LCSM_TAPE_BLOCK_CPU_INL_H_
#else
#define LCSM_TAPE_BLOCK_CPU_INL_H_
#endif

#include <hwy/aligned_allocator.h>

#include <algorithm>
#include <vector>

#include "lcsm/cpu/tape_cpu-inl.h"
#include "lcsm/cpu/tape_sums_cpu-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lcsm::HWY_NAMESPACE {

// The bytes of one buffer, small enough that all buffers of a tape fit in L2.
inline constexpr std::int64_t kBytesOfBlock = 8192;

template <class T>
using Buffer = hwy::AlignedFreeUniquePtr<T[]>;

template <class T>
Buffer<T> buffer(std::int64_t count) {
  auto made = hwy::AllocateAligned<T>(static_cast<std::size_t>(std::max<std::int64_t>(count, 1)));
  std::fill_n(made.get(), count, T(0));
  return made;
}

template <class T>
class TapeBlock {
 public:
  // Allocates buffers for at most this many rows and columns; columns are whole vectors.
  TapeBlock(const Tape& tape, std::int64_t rows, std::int64_t columns)
      : tape_(tape), lanes_(static_cast<std::int64_t>(hn::Lanes(Tag<T>()))) {
    for (int n = 0; n < tape.slots; ++n)
      slots_.push_back(buffer<T>(std::max(rows * columns, up(rows))));
    for (const TapeValue& value : tape.values) {
      numbers_.push_back(static_cast<T>(value.number));
      if (value.leaf >= 0) leaves_.emplace_back();
    }
  }

  void place(Extent size) { size_ = size; }

  // Sets the place of leaf n in the current block, and the distance between its rows.
  void leaf(std::size_t n, const T* data, std::int64_t row) { leaves_[n] = {data, row, false}; }

  // learns: the gradient is computed afterwards, so slopes are kept.
  void run(const std::vector<Instruction>& list, bool learns) const {
    for (const Instruction& step : list) {
      const TapeValue& out = value(step.out);
      if (step.op == TapeOp::kSigmoidPower) {
        const auto power = *operand(step.c, Spread::kNumber).data;
        T* const slope = learns && tape_.slope >= 0 ? made(tape_.slope) : nullptr;
        sigmoid_power(extent(out.spread), operand(step.a, out.spread), operand(step.b, out.spread),
                      power, made(step.out), slope);
        continue;
      }
      const Operand<T> a = operand(step.a, out.spread);
      run_instruction(step.op, extent(out.spread), a, step.b < 0 ? a : operand(step.b, out.spread),
                      made(step.out));
    }
  }

  // The buffer of a computed value.
  T* made(int n) const { return slots_[static_cast<std::size_t>(value(n).slot)].get(); }

  // A value as an operand of cells.
  Operand<T> cells(int n) const { return operand(n, Spread::kCells); }

  // Adds a leaf's gradient to `to`, by its spread: cells, whose rows are `row` apart; one vector of
  // lanes per row; channels; or one vector of lanes.
  void add(const LeafSum& sum, Spread over, T* to, std::int64_t row) const {
    static constexpr T kOne = 1;
    const Operand<T> a = cells(sum.a);
    const Operand<T> b = sum.b < 0 ? Operand<T>{&kOne, 0, false} : cells(sum.b);
    const Extent size{tape_.is_static ? 1 : size_.rows, size_.columns};
    run_sum(over, size, a, b, to, row);
  }

 private:
  std::int64_t up(std::int64_t n) const { return (n + lanes_ - 1) / lanes_ * lanes_; }
  const TapeValue& value(int n) const { return tape_.values[static_cast<std::size_t>(n)]; }

  Extent extent(Spread out) const {
    switch (out) {
      case Spread::kCells:
        return size_;
      case Spread::kSteps:
        return {1, up(size_.rows)};
      case Spread::kChannels:
        return {1, size_.columns};
      default:
        return {1, lanes_};
    }
  }

  // A value as an operand of a result that varies over `out`.
  Operand<T> operand(int n, Spread out) const {
    const TapeValue& v = value(n);
    Operand<T> given;
    if (v.leaf >= 0)
      given = leaves_[static_cast<std::size_t>(v.leaf)];
    else
      given = {v.slot >= 0 ? made(n) : &numbers_[static_cast<std::size_t>(n)],
               v.spread == Spread::kCells ? size_.columns : 1, false};
    switch (v.spread) {
      case Spread::kCells:
        return {given.data, given.row, true};
      case Spread::kSteps:
        return out == Spread::kCells ? Operand<T>{given.data, given.row, false}
                                     : Operand<T>{given.data, 0, true};
      case Spread::kChannels:
        return {given.data, 0, true};
      default:
        return {given.data, 0, false};
    }
  }

  const Tape& tape_;
  const std::int64_t lanes_;
  std::vector<Buffer<T>> slots_;
  std::vector<T> numbers_;
  std::vector<Operand<T>> leaves_;
  Extent size_{0, 0};
};

}  // namespace lcsm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
