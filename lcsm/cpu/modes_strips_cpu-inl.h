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

// A group's rows of a block of x.
inline constexpr std::int64_t kGroupBytes = 1 << 17;

// A pass over a block: modes n ... n + modes - 1 of a direction's N, vectors v ... v + wide - 1.
// The first passes have the most modes.
struct ModesTurn {
  std::size_t direction = 0;
  std::int64_t n = 0, modes = 0, most = 0, N = 0;
  int v = 0, wide = 0;

  // Passes with as many modes as any, which share what is to be done for other blocks.
  std::int64_t passes() const { return N / most * (kVectors / wide); }
  std::int64_t pass() const { return n / most * (kVectors / wide) + v / wide; }
};

template <class T>
class Strips {
 public:
  // Passes read and write strips where they lie if all modes are one tile, or else packed copies,
  // `to` at last.
  Strips(const ModesScan<T>& scan, const ModesPart& part, T* to, bool direct)
      : s_(scan),
        part_(part),
        lanes_(static_cast<std::int64_t>(hn::Lanes(Tag<T>()))),
        width_(strip_width<T>()),
        group_(std::max<std::int64_t>(kGroupBytes / (s_.block * width_ * sizeof(T)), 1) * width_),
        direct_(direct && scan.chunk == 0 && !scan.adds),
        to_(to),
        streams_(is_aligned(to, scan.D) && !scan.adds) {}

  // Groups of strips whose blocks fit a cache, of rows as long as that allows: finding a row in
  // memory costs more than its numbers.
  template <class Each>
  void for_columns(const Each& each) {
    for (first_ = part_.first; first_ < part_.last; first_ = last_) {
      last_ = std::min(first_ + group_, part_.last);
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
  // The result of a block. Passes over the next one write it.
  void unpack_rows(const T* from) {
    earlier_ = {from, at(block_), steps(), channels()};
    if (next_ < 0 || !streams_ || s_.chunk > 0 || channels() < width_) unpack_earlier();
  }
  // Before the passes over a block.
  void begin() {
    if (earlier_.steps > steps()) unpack_earlier();
  }

  // x, or d_y, for a pass. The first one over a block where it lies keeps a copy for the others, if
  // there are any.
  template <bool kDirect>
  auto input(const T* from, T* copy, bool back, const ModesTurn& turn, bool alone) const {
    if constexpr (kDirect) {
      const Walk<T> packed = packed_rows(copy, back, turn.v);
      if (turn.direction > 0 || turn.n > 0 || from == nullptr)
        return Input<T>{{packed.first, packed.step, packed.vector}, {}, {}};
      return Input<T>{rows_of(from, back, turn.v), alone ? Walk<T>() : packed, fetched(from, turn)};
    } else {
      return PackedInput<T>{kept(copy, back, turn.v), fetched(from, turn)};
    }
  }
  // Of x, or d_y, what an earlier pass has kept.
  KeptInput<T> kept(const T* copy, bool back, int v) const {
    return {in_order(copy + packing().at(0, v), lanes_, packing().vector, back)};
  }
  // y, or d_x, which begins with the shortcut. The last pass over a block that is written where it
  // lies writes it there.
  template <bool kDirect>
  auto output(T* copy, bool back, const ModesTurn& turn) const {
    const Walk<T> packed = packed_rows(copy, back, turn.v);
    const bool first = turn.direction == 0 && turn.n == 0;
    const T* const shortcut = s_.shortcut ? this->shortcut() + turn.v * lanes_ : nullptr;
    if constexpr (kDirect) {
      const bool last = turn.direction + 1 == s_.directions.size() && turn.n + turn.modes == turn.N;
      Output<T> out{{packed.first, packed.step, packed.vector}, shortcut, packed, false};
      if (first) out.before = {};
      if (last) {
        out.after = rows_of(to_, back, turn.v);
        out.streams = streams_;
      }
      return out;
    } else {
      PackedOutput<T> out{packed, first, shortcut};
      out.errand = errand(earlier_.steps, turn);
      const std::int64_t pass = turn.pass(), passes = turn.passes();
      out.earlier = {earlier_.from + pass * lanes_, passes * lanes_, packing().vector};
      out.written = {to_ + earlier_.at + pass * s_.D, passes * s_.D, lanes_};
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

  // One pass's share of what is done so many times.
  Errand errand(std::int64_t count, const ModesTurn& turn) const {
    const std::int64_t passes = turn.passes(), pass = turn.pass();
    if (turn.direction > 0 || turn.modes < turn.most || count <= pass) return {};
    return {(count - pass + passes - 1) / passes, passes, 1};
  }
  // Of the next block's rows of the group, a strip fetches one part after the other.
  Fetched<T> fetched(const T* from, const ModesTurn& turn) const {
    if (from == nullptr || next_ < 0) return {};
    const std::int64_t strips = (last_ - first_ + width_ - 1) / width_, rows = steps(next_);
    const std::int64_t piece = (column_ - first_) / width_ * rows + turn.pass();
    const std::int64_t column = piece % strips * width_;
    const T* const at = from + (part_.b * s_.steps + next_ * s_.block) * s_.D + first_;
    return {errand(rows, turn),     at + piece / strips * s_.D + column,
            turn.passes() * width_, column,
            strips * width_,        s_.D};
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

  const ModesScan<T>& s_;
  const ModesPart& part_;
  const std::int64_t lanes_, width_;
  const std::int64_t group_;
  const bool direct_;
  T* const to_;
  const bool streams_;
  Earlier earlier_;
  std::int64_t first_ = 0, last_ = 0, column_ = 0;  // the columns at hand; the current strip
  std::int64_t block_ = 0, next_ = -1;              // -1: none
};

}  // namespace lcsm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
