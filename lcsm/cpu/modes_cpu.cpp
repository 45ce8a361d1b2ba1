#include "lcsm/cpu/modes_cpu.h"

#include <hwy/cache_control.h>

#include <algorithm>
#include <optional>
#include <type_traits>

#include "lcsm/cpu/kernels_cpu.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "lcsm/cpu/modes_cpu.cpp"
#include <hwy/foreach_target.h>

#include "lcsm/cpu/modes_chunks_cpu-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lcsm::HWY_NAMESPACE {
namespace {

// Modes and vectors of a strip in tiles of kCells: work(kModes, kWide, n, v).
template <int kModes, int kCells, class Work>
HWY_INLINE void in_tiles(std::int64_t N, std::int64_t n, const Work& work) {
  constexpr int kWide = std::min(kCells / kModes, kVectors);
  for (; n + kModes <= N; n += kModes)
    for (int v = 0; v < kVectors; v += kWide)
      work(std::integral_constant<int, kModes>(), std::integral_constant<int, kWide>(), n, v);
  if constexpr (kModes > 1) in_tiles<kModes / 2, kCells>(N, n, work);
}

// A sequence's channels, block by block and strip by strip.
template <class T, int kParts>
class Work {
 public:
  Work(const ModesScan<T>& scan, const ModesPart& part)
      : s_(scan),
        part_(part),
        lanes_(static_cast<std::int64_t>(hn::Lanes(Tag<T>()))),
        width_(strip_width<T>()),
        x_(space<T>(scan.block * width_)),
        y_(space<T>(scan.block * width_)) {
    for (const ModesDirection<T>& each : s_.directions)
      u_.emplace_back(each, each.u, each.states, part, s_.blocks());
    if (s_.chunk > 0) chunks_.emplace(s_);
    strips_first_ =
        s_.chunk > 0 || s_.directions.size() == 2 || kParts * s_.directions[0].shape.N >= 8;
    packing_ = s_.chunk > 0 ? Packing{lanes_, s_.block * lanes_} : Packing{width_, lanes_};
  }

  // A direction that goes against the first one carries its u along first, and is read afterwards.
  void forward() {
    const bool back = s_.directions[0].back;
    for_columns([&] {
      for (std::size_t n = 0; n < u_.size(); ++n)
        if (s_.directions[n].back != back) carry(s_.x, s_.directions[n], !back, &u_[n]);
      for_strips(back, [&](std::int64_t block) {
        pack_block(s_.x, block, back, x_.get());
        start_output(steps(block), shortcut(), x_.get(), y_.get(), packing_);
        for (std::size_t n = 0; n < u_.size(); ++n)
          read(block, s_.directions[n], s_.directions[n].back == back, &u_[n]);
        unpack(y_.get(), steps(block), s_.D, channels(), packing_, false, s_.y + at(block));
      });
    });
    hwy::FlushStream();
  }

  void backward() {
    const bool back = !s_.directions[0].back;
    for (const ModesDirection<T>& each : s_.directions)
      w_.emplace_back(each, each.w, nullptr, part_, s_.blocks());
    d_x_ = space<T>(s_.block * width_);
    std::int64_t cells = 0;
    for (const Carried<T, kParts>& each : u_) cells = std::max(cells, kParts * each.cells());
    for (Space<T>* each : {&reads_, &decays_, &slopes_}) *each = space<T>(cells);
    for_columns([&] {
      for (std::size_t n = 0; n < w_.size(); ++n)
        if (s_.directions[n].back == back) carry(s_.d_y, s_.directions[n], !back, &w_[n]);
      for_strips(back, [&](std::int64_t block) {
        pack_block(s_.x, block, back, x_.get());
        pack_gradient(block, back);
        start_output(steps(block), shortcut(), y_.get(), d_x_.get(), packing_);
        if (s_.shortcut) add_products(block);
        for (std::size_t n = 0; n < w_.size(); ++n)
          differentiate(block, s_.directions[n], s_.directions[n].back != back, &u_[n], &w_[n]);
        unpack(d_x_.get(), steps(block), s_.D, channels(), packing_, s_.adds, s_.d_x + at(block));
      });
    });
    hwy::FlushStream();
  }

 private:
  // Tiles that fit into the registers, with q, c and, backward, the sums.
  static constexpr int kForward = (kWideRegisters ? 8 : 4) / kParts;
  static constexpr int kBackward = (kWideRegisters ? 4 : 2) / kParts;

  // All channels of the part at once, so that blocks are whole rows, which lie in one piece; or
  // strip after strip: large states and their powers stay in the caches, and what a second
  // direction has read is still there when it is read again.
  template <class Each>
  void for_columns(const Each& each) {
    for (first_ = part_.first; first_ < part_.last; first_ = last_) {
      last_ = strips_first_ ? first_ + width_ : part_.last;
      each();
    }
  }
  template <class Each>
  void for_strips(bool back, const Each& each) {
    const std::int64_t blocks = s_.blocks();
    for (std::int64_t n = 0; n < blocks; ++n)
      for (column_ = first_; column_ < last_; column_ += width_) each(back ? blocks - 1 - n : n);
  }

  // Of a block: its first number in [B, steps, D], its steps.
  std::int64_t at(std::int64_t block) const {
    return (part_.b * s_.steps + block * s_.block) * s_.D + column_;
  }
  std::int64_t steps(std::int64_t block) const {
    return std::min(s_.block, s_.steps - block * s_.block);
  }
  std::int64_t channels() const { return std::min(width_, s_.D - column_); }
  const T* shortcut() const { return s_.shortcut ? s_.shortcut + column_ : nullptr; }
  bool is_last(std::int64_t block) const { return block == s_.blocks() - 1; }

  void pack_block(const T* from, std::int64_t block, bool back, T* to) const {
    const std::int64_t next = (back ? -1 : 1) * s_.block * s_.D;
    const T* const rows = from + at(block);
    if (strips_first_)
      pack(rows, steps(block), s_.D, channels(), packing_, to, rows + next, s_.D);
    else
      pack(rows, steps(block), s_.D, channels(), packing_, to,
           rows - column_ + next + column_ * s_.block, width_);
  }
  void pack_gradient(std::int64_t block, bool back) {
    if (s_.d_y)
      pack_block(s_.d_y, block, back, y_.get());
    else
      std::fill_n(y_.get(), s_.block * width_, T(0));
  }

  template <class Number>
  Walk<Number> walk(Number* rows, std::int64_t block, bool back, int v) const {
    return {rows + v * lanes_ + (back ? (steps(block) - 1) * width_ : 0), back ? -width_ : width_};
  }
  Tile<T> tile(const ModesDirection<T>& m, std::int64_t n, int v, Carried<T, kParts>* z) const {
    const std::int64_t from = n * m.shape.columns + column_ + v * lanes_;
    return {m.q + from, m.c + from, m.shape.columns, m.shape.cells(), z->z(n, v), z->cells()};
  }

  // z over the whole sequence, kept before each block; nothing is read.
  void carry(const T* from, const ModesDirection<T>& m, bool back, Carried<T, kParts>* z) {
    z->keep_states(s_.blocks());
    for_strips(back, [&](std::int64_t block) {
      pack_block(from, block, back, x_.get());
      z->enter(block, column_);
      if (chunks_) {
        ModesDirection<T> carried = m;
        carried.back = back;
        chunks_->forward(carried, column_, steps(block), x_.get(), nullptr, z);
      } else {
        in_tiles<kForward, kForward>(
            m.shape.N, 0, [&](auto modes, auto wide, std::int64_t n, int v) {
              pass<kParts, modes, wide, Reads::kNothing, T>(
                  steps(block), walk<const T>(x_.get(), block, back, v), {}, tile(m, n, v, z));
            });
      }
      z->leave(is_last(block), column_);
    });
  }

  void read(std::int64_t block, const ModesDirection<T>& m, bool enters, Carried<T, kParts>* u) {
    enters ? u->enter(block, column_) : u->enter_again(block, column_);
    if (chunks_)
      chunks_->forward(m, column_, steps(block), x_.get(), y_.get(), u);
    else
      read_by_recurrence(block, m, u);
    if (enters) u->leave(is_last(block), column_);
  }
  void read_by_recurrence(std::int64_t block, const ModesDirection<T>& m, Carried<T, kParts>* u) {
    in_tiles<kForward, kForward>(m.shape.N, 0, [&](auto modes, auto wide, std::int64_t n, int v) {
      const auto run = m.late ? pass<kParts, modes, wide, Reads::kBefore, T>
                              : pass<kParts, modes, wide, Reads::kAfter, T>;
      run(steps(block), walk<const T>(x_.get(), block, m.back, v),
          walk<T>(y_.get(), block, m.back, v), tile(m, n, v, u));
    });
  }

  void differentiate(std::int64_t block, const ModesDirection<T>& m, bool enters,
                     Carried<T, kParts>* u, Carried<T, kParts>* w) {
    u->enter_again(block, column_);
    enters ? w->enter(block, column_) : w->enter_again(block, column_);
    std::fill_n(reads_.get(), kParts * u->cells(), T(0));
    std::fill_n(decays_.get(), kParts * u->cells(), T(0));
    if (chunks_)
      chunks_->backward(m, column_, steps(block), x_.get(), y_.get(), d_x_.get(), u, w,
                        reads_.get(), decays_.get(), m.lags + part_.worker * s_.chunk * s_.columns);
    else
      differentiate_recurrence(block, m, u, w);
    if (enters) w->leave(is_last(block), column_);
    const std::int64_t to = part_.worker * m.shape.size() + column_;
    u->each_row([&](std::int64_t in, std::int64_t out) {
      add_strip(reads_.get() + in, m.d_y_u + to + out);
      add_strip(decays_.get() + in, m.w_u + to + out);
    });
  }
  void differentiate_recurrence(std::int64_t block, const ModesDirection<T>& m,
                                Carried<T, kParts>* u, Carried<T, kParts>* w) {
    in_tiles<kBackward, kBackward>(m.shape.N, 0, [&](auto modes, auto wide, std::int64_t n, int v) {
      const std::int64_t at = u->inside(n, v);
      const auto sum = m.late ? pass_sums<kParts, modes, wide, true, T>
                              : pass_sums<kParts, modes, wide, false, T>;
      sum(steps(block), walk<const T>(x_.get(), block, m.back, v),
          walk<const T>(y_.get(), block, m.back, v), tile(m, n, v, u), slopes_.get() + at,
          reads_.get() + at, decays_.get() + at);
      const auto add = m.late ? add_entered<kParts, modes, wide, true, T>
                              : add_entered<kParts, modes, wide, false, T>;
      add(tile(m, n, v, w), slopes_.get() + at, decays_.get() + at);
    });
    in_tiles<kForward, kForward>(m.shape.N, 0, [&](auto modes, auto wide, std::int64_t n, int v) {
      const auto run = m.late ? pass<kParts, modes, wide, Reads::kBefore, T>
                              : pass<kParts, modes, wide, Reads::kAfter, T>;
      run(steps(block), walk<const T>(y_.get(), block, !m.back, v),
          walk<T>(d_x_.get(), block, !m.back, v), tile(m, n, v, w));
    });
  }

  void add_products(std::int64_t block) {
    double* const sum = s_.d_y_x + part_.worker * s_.columns + column_;
    std::fill_n(reads_.get(), width_, T(0));
    for (std::int64_t t = 0; t < steps(block); ++t)
      for (std::int64_t n = 0; n < width_; n += lanes_) {
        const std::int64_t from = packing_.at(t, n / lanes_);
        for (std::int64_t lane = 0; lane < lanes_; ++lane)
          reads_[n + lane] += x_[from + lane] * y_[from + lane];
      }
    for (std::int64_t n = 0; n < width_; ++n) sum[n] += static_cast<double>(reads_[n]);
  }

  const ModesScan<T>& s_;
  const ModesPart& part_;
  const std::int64_t lanes_, width_;
  bool strips_first_ = false;
  std::int64_t first_ = 0, last_ = 0, column_ = 0;  // the columns at hand; the current strip
  std::vector<Carried<T, kParts>> u_, w_;
  std::optional<Chunks<T, kParts>> chunks_;
  Packing packing_;
  Space<T> x_, y_, d_x_, reads_, decays_, slopes_;  // y_ holds d_y, backward
};

template <class T>
void forward(const ModesScan<T>& scan, const ModesPart& part) {
  if (scan.directions[0].shape.parts == 1)
    Work<T, 1>(scan, part).forward();
  else
    Work<T, 2>(scan, part).forward();
}
template <class T>
void backward(const ModesScan<T>& scan, const ModesPart& part) {
  if (scan.directions[0].shape.parts == 1)
    Work<T, 1>(scan, part).backward();
  else
    Work<T, 2>(scan, part).backward();
}

template <class T>
ModesKernels<T> kernels_of() {
  return {strip_width<T>(), strip_width<T>() / kVectors, forward<T>, backward<T>};
}
ModesKernels<float> float_kernels() { return kernels_of<float>(); }
ModesKernels<double> double_kernels() { return kernels_of<double>(); }

}  // namespace
}  // namespace lcsm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lcsm {

LCSM_CHOOSE_KERNELS(ModesKernels, modes_kernels)

}  // namespace lcsm
#endif
