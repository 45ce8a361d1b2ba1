#include "lcsm/scan_cpu.h"

#include <algorithm>
#include <type_traits>

#include "lcsm/kernels_cpu.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "lcsm/scan_cpu.cpp"
#include <hwy/foreach_target.h>

#include "lcsm/scan_block_cpu-inl.h"
#include "lcsm/scan_sweep_cpu-inl.h"
#include "lcsm/tape_block_cpu-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lcsm::HWY_NAMESPACE {
namespace {

template <class T>
class Part : ScanBlock<T> {
  using Base = ScanBlock<T>;
  using Base::s_, Base::p_, Base::lanes_, Base::block_, Base::columns_, Base::padded_, Base::t_,
      Base::rows_, Base::k_;
  using Base::up, Base::blocks, Base::copy_memory, Base::copy_memory_out, Base::pack, Base::unpack,
      Base::fill_behind, Base::load_stage, Base::store_stage, Base::at_step, Base::total;

 public:
  Part(const Scan<T>& scan, const ScanPart& part)
      : Base(scan, part),
        strip_(std::clamp(
            up(kBytesOfBlock / static_cast<std::int64_t>(sizeof(T)) / block_ - lanes_ + 1), lanes_,
            padded_)),
        i_(buffer<T>(block_ * padded_)),
        y_(buffer<T>(block_ * padded_)),
        d_y_(buffer<T>(scan.d_y ? block_ * padded_ : 0)),
        e_(buffer<T>(up(scan.e.is_static ? padded_ : block_))),
        s_row_(buffer<T>(up(scan.s.is_static ? padded_ : block_))),
        d_e_(buffer<T>(std::max(block_ * lanes_, padded_))),
        d_s_(buffer<T>(std::max(block_ * lanes_, padded_))),
        memory_(buffer<T>(scan.K * padded_)),
        before_(buffer<T>(scan.d_y ? scan.K * padded_ : 0)),
        block_of_tape_(*scan.tape, block_, strip_) {
    for (std::size_t n = 0; n < scan.leaves.size(); ++n)
      leaves_.push_back({buffer<T>(room(spread(n))), buffer<T>(room(spread(n)))});
    flat_o_ = buffer<T>(block_ * strip_);
    flat_w_ = buffer<T>(scan.tape->w >= 0 ? block_ * strip_ : 0);
  }

  void forward() {
    copy_memory(s_.memory + p_.b * s_.K * s_.D, memory_.get());
    for (std::int64_t q = 0; q < blocks(); ++q) {
      begin(q);
      if (s_.states)
        copy_memory_out(memory_.get(), s_.states + (p_.b * blocks() + q) * s_.K * s_.D);
      std::fill_n(y_.get(), rows_ * padded_, T(0));
      for (k_ = 0; k_ < s_.K; ++k_) {
        load_row();
        for (at_ = 0; at_ < padded_; at_ += strip_) {
          place_strip();
          block_of_tape_.run(s_.tape->gate);
          Strip<T> strip = this->strip();
          strip.memory = memory_.get() + k_ * padded_ + at_;
          sweep_strip<Pass::kForward>(strip, width(), write(), s_.s.is_static);
        }
      }
      unpack(y_.get(), s_.y);
    }
    copy_memory_out(memory_.get(), s_.memory + p_.b * s_.K * s_.D);
  }

  void backward() {
    copy_memory(s_.memory + p_.b * s_.K * s_.D, memory_.get());
    for (std::int64_t q = blocks() - 1; q >= 0; --q) {
      begin(q);
      copy_memory(s_.states + (p_.b * blocks() + q) * s_.K * s_.D, before_.get());
      pack(s_.d_y, d_y_.get());
      std::fill_n(y_.get(), rows_ * padded_, T(0));
      clear_gradients(Spread::kCells);
      for (k_ = 0; k_ < s_.K; ++k_) backward_row();
      unpack(y_.get(), s_.d.i);
      for (std::size_t n = 0; n < leaves_.size(); ++n)
        if (spread(n) == Spread::kCells && s_.d.leaves[n])
          unpack(leaves_[n].gradient.get(), s_.d.leaves[n]);
    }
    copy_memory_out(memory_.get(), s_.memory + p_.b * s_.K * s_.D);
  }

 private:
  // What a leaf is in the block at hand, and its gradient so far.
  struct LeafBlock {
    Buffer<T> value, gradient;
  };

  std::int64_t width() const { return std::min(strip_, padded_ - at_); }
  Spread spread(std::size_t leaf) const { return s_.tape->values[leaf].spread; }
  std::int64_t room(Spread leaf) const {
    switch (leaf) {
      case Spread::kCells:
        return block_ * padded_;
      case Spread::kSteps:
        return block_ * lanes_;
      case Spread::kChannels:
        return padded_;
      default:
        return lanes_;
    }
  }
  Write write() const {
    if (s_.tape->w >= 0) return Write::kCells;
    return s_.e.is_static ? Write::kChannels : Write::kSteps;
  }

  void begin(std::int64_t q) {
    t_ = q * block_;
    rows_ = std::min(block_, s_.steps - t_);
    pack(s_.i, i_.get());
    for (std::size_t n = 0; n < leaves_.size(); ++n) {
      if (spread(n) != Spread::kCells) continue;
      pack(s_.leaves[n].data, leaves_[n].value.get());
      for (std::int64_t r = 0; r < rows_; ++r) fill_behind(leaves_[n].value.get() + r * padded_);
    }
  }

  // Everything that belongs to row k of the memory.
  void load_row() {
    if (s_.tape->w < 0) load_stage(s_.e, e_.get());
    load_stage(s_.s, s_row_.get());
    for (std::size_t n = 0; n < leaves_.size(); ++n) {
      const ScanLeaf<T>& leaf = s_.leaves[n];
      const T* from = leaf.data + p_.b * leaf.b + k_ * leaf.k;
      T* const to = leaves_[n].value.get();
      if (spread(n) == Spread::kSteps)
        for (std::int64_t r = 0; r < rows_; ++r) to[r] = from[(t_ + r) * leaf.t];
      if (spread(n) == Spread::kNumber) *to = *from;
      if (spread(n) == Spread::kChannels) {
        std::copy(from + p_.first, from + p_.last, to);
        fill_behind(to);
      }
    }
  }
  // ----- The tape -----
  void place_strip() {
    block_of_tape_.place({rows_, width()});
    for (std::size_t n = 0; n < leaves_.size(); ++n) {
      const bool along = spread(n) == Spread::kCells || spread(n) == Spread::kChannels;
      block_of_tape_.leaf(n, leaves_[n].value.get() + (along ? at_ : 0),
                          spread(n) == Spread::kCells ? padded_ : spread(n) == Spread::kSteps);
    }
  }

  // o or w, spread out where it is the same for all channels.
  Operand<T> channels(int n, const Buffer<T>& flat) const {
    const Operand<T> value = block_of_tape_.cells(n);
    if (value.each) return value;
    one(Extent{rows_, width()}, value, flat.get(), [](auto, auto x) { return x; });
    return {flat.get(), width(), true};
  }

  Strip<T> strip() {
    Strip<T> strip;
    strip.rows = rows_;
    strip.o = channels(s_.tape->o, flat_o_);
    strip.w = write() == Write::kCells      ? channels(s_.tape->w, flat_w_)
              : write() == Write::kChannels ? Operand<T>{e_.get() + at_, 0, true}
                                            : Operand<T>{e_.get(), 1, false};
    strip.s = s_.s.is_static ? Operand<T>{s_row_.get() + at_, 0, true}
                             : Operand<T>{s_row_.get(), 1, false};
    strip.i = i_.get() + at_;
    strip.y = y_.get() + at_;
    strip.row = padded_;
    return strip;
  }

  // ----- Backward -----
  void clear_gradients(Spread but) {
    for (std::size_t n = 0; n < leaves_.size(); ++n)
      if ((spread(n) == Spread::kCells) == (but == Spread::kCells))
        std::fill_n(leaves_[n].gradient.get(), room(spread(n)), T(0));
  }

  void backward_row() {
    load_row();
    clear_gradients(Spread::kNumber);
    std::fill_n(d_e_.get(), std::max(block_ * lanes_, padded_), T(0));
    std::fill_n(d_s_.get(), std::max(block_ * lanes_, padded_), T(0));
    for (at_ = 0; at_ < padded_; at_ += strip_) {
      place_strip();
      block_of_tape_.run(s_.tape->gate);
      Strip<T> strip = this->strip();
      strip.d_y = d_y_.get() + at_;
      strip.d_i = y_.get() + at_;
      strip.before = block_of_tape_.made(s_.tape->d_o);
      strip.cells = width();
      strip.by_log = s_.tape->by_log;
      if (s_.tape->w >= 0) strip.d_w_cells = block_of_tape_.made(s_.tape->d_w);
      strip.d_w = d_e_.get() + (s_.e.is_static ? at_ : 0);
      strip.d_s = d_s_.get() + (s_.s.is_static ? at_ : 0);
      strip.memory = before_.get() + k_ * padded_ + at_;
      sweep_strip<Pass::kRecompute>(strip, width(), write(), s_.s.is_static);
      strip.memory = memory_.get() + k_ * padded_ + at_;
      sweep_strip<Pass::kReverse>(strip, width(), write(), s_.s.is_static);
      block_of_tape_.run(s_.tape->gradient);
      for (const LeafSum& sum : s_.tape->sums) add(sum);
    }
    if (s_.tape->w < 0) store_stage(s_.e, d_e_.get(), s_.d.e);
    store_stage(s_.s, d_s_.get(), s_.d.s);
    store_leaves();
  }

  void add(const LeafSum& sum) {
    const auto n = static_cast<std::size_t>(sum.leaf);
    const Spread over = spread(n);
    const bool along = over == Spread::kCells || over == Spread::kChannels;
    block_of_tape_.add(sum, over, leaves_[n].gradient.get() + (along ? at_ : 0), padded_);
  }

  void store_leaves() const {
    for (std::size_t n = 0; n < leaves_.size(); ++n) {
      const bool k = s_.leaves[n].k != 0;
      const T* from = leaves_[n].gradient.get();
      T* const to = s_.d.leaves[n];
      if (!to) continue;
      const std::int64_t fixed = k ? p_.worker * s_.K + k_ : p_.worker;
      if (spread(n) == Spread::kSteps)
        for (std::int64_t r = 0; r < rows_; ++r) at_step(to, k, r) += total(from + r * lanes_);
      if (spread(n) == Spread::kNumber) to[fixed] += total(from);
      if (spread(n) == Spread::kChannels) {
        T* const row = to + fixed * s_.D + p_.first;
        for (std::int64_t c = 0; c < columns_; ++c) row[c] += from[c];
      }
    }
  }
  const std::int64_t strip_;
  const Buffer<T> i_, y_, d_y_, e_, s_row_, d_e_, d_s_, memory_, before_;
  TapeBlock<T> block_of_tape_;
  std::vector<LeafBlock> leaves_;
  Buffer<T> flat_o_, flat_w_;
  std::int64_t at_ = 0;  // first column of the strip
};

template <class T>
void functions(const Tape& tape, std::int64_t cells) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(Tag<T>()));
  const std::int64_t columns = 4 * lanes,
                     rows = kBytesOfBlock / static_cast<std::int64_t>(sizeof(T)) / columns;
  std::vector<Instruction> list;
  for (const Instruction& step : tape.gate)
    if (is_function(step.op) &&
        tape.values[static_cast<std::size_t>(step.out)].spread == Spread::kCells)
      list.push_back(step);
  const Buffer<T> zeros = buffer<T>(rows * columns);
  TapeBlock<T> block(tape, rows, columns);
  block.place({rows, columns});
  for (std::size_t n = 0; n < tape.values.size() && tape.values[n].leaf >= 0; ++n)
    block.leaf(n, zeros.get(), tape.values[n].spread == Spread::kCells ? columns : 1);
  for (std::int64_t done = 0; done < cells; done += rows * columns) block.run(list);
}

template <class T>
ScanKernels<T> kernels_of() {
  return {[](const Scan<T>& scan, const ScanPart& part) { Part<T>(scan, part).forward(); },
          [](const Scan<T>& scan, const ScanPart& part) { Part<T>(scan, part).backward(); },
          functions<T>, static_cast<std::int64_t>(hn::Lanes(Tag<T>()))};
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
