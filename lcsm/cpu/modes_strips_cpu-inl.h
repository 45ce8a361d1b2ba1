// A sequence's channels, block by block and strip by strip: their order, and how passes read and
// write them; per target (include inside foreach_target).
#if defined(LCSM_MODES_STRIPS_CPU_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LCSM_MODES_STRIPS_CPU_INL_H_
#undef LCSM_MODES_STRIPS_CPU_INL_H_
#else
#define LCSM_MODES_STRIPS_CPU_INL_H_
#endif

#include <algorithm>

#include "lcsm/cpu/modes_cpu.h"
#include "lcsm/cpu/modes_rows_cpu-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lcsm::HWY_NAMESPACE {

// Of the passes over a block: modes n ... n + modes - 1 of a direction's N, kTile at most.
struct ModesTurn {
  std::size_t direction = 0;
  std::int64_t n = 0, modes = 0, N = 0, tile = 0;
};

template <class T>
class Strips {
 public:
  // Passes read and write strips where they lie if all modes are one tile, or else packed copies,
  // `to` at last.
  Strips(const ModesScan<T>& scan, const ModesPart& part, T* to, std::int64_t numbers, bool direct)
      : s_(scan),
        part_(part),
        lanes_(static_cast<std::int64_t>(hn::Lanes(Tag<T>()))),
        width_(strip_width<T>()),
        strips_first_(scan.chunk > 0 || numbers >= 8),
        direct_(direct && scan.chunk == 0 && !scan.adds),
        to_(to),
        streams_(is_aligned(to, scan.D) && !scan.adds) {}

  // All channels of the part at once, so that blocks are whole rows, which lie in one piece; or
  // strip after strip, so that large states and their powers stay in the caches.
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
    for (std::int64_t n = 0; n < blocks; ++n) {
      block_ = back ? blocks - 1 - n : n;
      next_ = n + 1 < blocks ? block_ + (back ? -1 : 1) : -1;
      for (column_ = first_; column_ < last_; column_ += width_) each();
    }
  }

  // The block at hand; its first number in [B, steps, D], its steps.
  std::int64_t block() const { return block_; }
  std::int64_t column() const { return column_; }
  std::int64_t at(std::int64_t block) const {
    return (part_.b * s_.steps + block * s_.block) * s_.D + column_;
  }
  std::int64_t steps() const { return steps(block_); }
  std::int64_t steps(std::int64_t block) const {
    return std::min(s_.block, s_.steps - block * s_.block);
  }
  std::int64_t channels() const { return std::min(width_, s_.D - column_); }
  bool is_last() const { return block_ == s_.blocks() - 1; }
  bool direct() const { return direct_ && channels() == width_; }
  const T* shortcut() const { return s_.shortcut ? s_.shortcut + column_ : nullptr; }
  Packing packing() const { return {lanes_, s_.block * lanes_}; }

  void pack_rows(const T* from, T* to) const {
    const bool fetches = s_.chunk > 0 && next_ >= 0;  // else passes do
    pack(from + at(block_), steps(), s_.D, channels(), packing(), to,
         fetches ? from + at(next_) : nullptr, s_.D);
  }
  // The result of a block. Passes over the next one write it where there are enough of them.
  void unpack_rows(const T* from, bool later) {
    earlier_ = {from, at(block_), steps(), channels()};
    if (!later || next_ < 0 || !streams_ || s_.chunk > 0 || channels() < width_) unpack_earlier();
  }
  // Before the passes over a block.
  void begin() {
    if (earlier_.steps > steps()) unpack_earlier();
  }

  // x, or d_y, for a pass. The first one over a block where it lies keeps a copy for the others, if
  // there are any.
  template <bool kDirect>
  auto input(const T* from, T* copy, bool back, int v, const ModesTurn& turn, bool alone) const {
    const Walk<T> packed = packed_rows(copy, back, v);
    const bool first = turn.direction == 0 && turn.n == 0;
    if constexpr (kDirect) {
      if (!first || from == nullptr)
        return Input<T>{{packed.first, packed.step, packed.vector},
                        {packed.first, packed.step, packed.vector}};
      const auto rows = rows_of(from, back, v);
      return Input<T>{rows, next_ < 0 ? rows : ahead(from, v), alone ? Walk<T>() : packed};
    } else {
      PackedInput<T> in{kept(copy, back, v)};
      if (from && next_ >= 0) {
        const Walk<const T> rows = ahead(from, 0);
        in.fetched = errand(rows.first, rows.step, steps(next_), v, turn);
      }
      return in;
    }
  }
  // Of x, or d_y, what an earlier pass has kept.
  KeptInput<T> kept(const T* copy, bool back, int v) const {
    return {in_order(copy + packing().at(0, v), lanes_, packing().vector, back)};
  }
  // y, or d_x, which begins with the shortcut. The last pass over a block that is written where it
  // lies writes it there.
  template <bool kDirect>
  auto output(T* copy, bool back, int v, const ModesTurn& turn) const {
    const Walk<T> packed = packed_rows(copy, back, v);
    if constexpr (kDirect) {
      const bool last = turn.direction + 1 == s_.directions.size() && turn.n + turn.modes == turn.N;
      Output<T> out{{packed.first, packed.step, packed.vector}, nullptr, packed, false};
      if (turn.direction == 0 && turn.n == 0) {
        out.before = {};
        out.shortcut = s_.shortcut ? shortcut() + v * lanes_ : nullptr;
      }
      if (last) {
        out.after = rows_of(to_, back, v);
        out.streams = streams_;
      }
      return out;
    } else {
      PackedOutput<T> out{packed, turn.direction == 0 && turn.n == 0,
                          s_.shortcut ? shortcut() + v * lanes_ : nullptr};
      out.written = errand(to_ + earlier_.at, s_.D, earlier_.steps, v, turn);
      const std::int64_t row = pass_of(v, turn), passes = passes_of(turn);
      out.earlier = {earlier_.from + row * lanes_, passes * lanes_, packing().vector};
      return out;
    }
  }

 private:
  // A block of `to` that is packed still.
  struct Earlier {
    const T* from = nullptr;
    std::int64_t at = 0, steps = 0, channels = 0;
  };
  void unpack_earlier() {
    unpack(earlier_.from, earlier_.steps, s_.D, earlier_.channels, packing(), s_.adds,
           to_ + earlier_.at);
    earlier_ = {};
  }

  // Passes of whole tiles over a block, each of a vector, which share errands.
  static std::int64_t passes_of(const ModesTurn& turn) { return turn.N / turn.tile * kVectors; }
  static std::int64_t pass_of(int v, const ModesTurn& turn) {
    return turn.n / turn.tile * kVectors + v;
  }
  template <class Number>
  Errand<Number> errand(Number* first, std::int64_t step, std::int64_t rows, int v,
                        const ModesTurn& turn) const {
    const std::int64_t passes = passes_of(turn), pass = pass_of(v, turn);
    if (turn.direction > 0 || turn.modes < turn.tile || rows <= pass) return {};
    return {first + pass * step, passes * step, (rows - pass + passes - 1) / passes, passes, 1};
  }

  Walk<T> packed_rows(T* rows, bool back, int v) const {
    return in_order(rows + packing().at(0, v), lanes_, packing().vector, back);
  }
  template <class Number>
  Walk<Number> rows_of(Number* rows, bool back, int v) const {
    return in_order(rows + at(block_) + v * lanes_, s_.D, lanes_, back);
  }
  template <class Number>
  Walk<Number> in_order(Number* first, std::int64_t step, std::int64_t vector, bool back) const {
    return {first + (back ? (steps() - 1) * step : 0), back ? -step : step, vector};
  }
  // Rows of the next block: of the strip, or, where blocks are whole rows, the part of it that is
  // this strip's to fetch.
  Walk<const T> ahead(const T* from, int v) const {
    const T* const rows = from + at(next_) + v * lanes_;
    if (strips_first_) return {rows, s_.D, lanes_};
    return {rows - column_ + column_ * s_.block, width_, lanes_};
  }

  const ModesScan<T>& s_;
  const ModesPart& part_;
  const std::int64_t lanes_, width_;
  const bool strips_first_, direct_;
  T* const to_;
  const bool streams_;
  Earlier earlier_;
  std::int64_t first_ = 0, last_ = 0, column_ = 0;  // the columns at hand; the current strip
  std::int64_t block_ = 0, next_ = -1;              // -1: none
};

}  // namespace lcsm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
