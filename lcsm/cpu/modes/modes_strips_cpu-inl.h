// The order of a sequence's channels, block by block and strip by strip, and how passes read and
// write them; per target (include inside foreach_target).
#if defined(LCSM_MODES_STRIPS_CPU_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LCSM_MODES_STRIPS_CPU_INL_H_
#undef LCSM_MODES_STRIPS_CPU_INL_H_
#else
#define LCSM_MODES_STRIPS_CPU_INL_H_
#endif

#include <algorithm>

#include "lcsm/cpu/modes/modes_cpu.h"
#include "lcsm/cpu/modes/modes_rows_cpu-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lcsm::HWY_NAMESPACE {

// Bytes of x in a block of a group. A cache must hold them, as many bytes of d_y, and both for the
// next block.
inline constexpr std::int64_t kGroupBytes = 1 << 17;
// The least number of steps between errands.
inline constexpr std::int64_t kErrandSteps = 4;

// Where a pass reads and writes: packed strips; or strips in place, as the only, the first or the
// last pass over a block.
enum class Place : std::uint8_t { kPacked, kAlone, kFirst, kLast };

// A pass over a block, for the modes from n on and the vectors from v on of a direction. The first
// `passes` passes have the most modes and share the errands; this is number `pass`.
struct ModesTurn {
  std::size_t direction = 0;
  std::int64_t n = 0, passes = 0, pass = 0;
  int v = 0;
};

template <class T>
class Strips {
 public:
  // A single pass over all modes of a direction reads and writes strips in place; several passes
  // read and write packed copies.
  Strips(const ModesScan<T>& scan, const ModesPart& part, T* to, bool direct)
      : s_(scan),
        part_(part),
        lanes_(static_cast<std::int64_t>(hn::Lanes(Tag<T>()))),
        width_(strip_width<T>()),
        group_(std::max<std::int64_t>(kGroupBytes / (s_.block * width_ * sizeof(T)), 1) * width_),
        to_(to),
        streams_(is_aligned(to, scan.D) && !scan.adds),
        direct_(direct && streams_) {}

  // Calls each() for groups of strips whose blocks fit in a cache. Groups are as wide as that
  // allows, since the first access to a row costs more than the rest of it.
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
      for (column_ = first_; column_ < last_; column_ += width_) {
        if (next_ >= 0) look_ahead();
        each();
      }
    }
  }

  // The current block and strip; at() is the offset of the strip's block in [B, steps, D].
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
  Packing packing() const { return {lanes_, s_.block * lanes_}; }

  void pack_rows(const T* from, T* to) const {
    pack(from + at(block_), steps(), s_.D, channels(), packing(), to);
  }
  // Takes the result of a block. Passes over the next strip write it in place.
  void unpack_rows(const T* from) {
    earlier_ = {from, at(block_), steps(), channels()};
    if (next_ < 0 || !streams_ || channels() < width_) unpack_earlier();
  }
  // Called before the passes over a block.
  void begin() {
    if (earlier_.steps > steps()) unpack_earlier();
  }

  // x or d_y as a pass reads it: in place, or a packed copy.
  template <bool kKeeps>
  Input<T, kKeeps> rows(const T* from, T* copy, bool back, int v) const {
    return {rows_of(from, back, v), packed_rows(copy, back, v)};
  }
  PackedInput<T> packed(const T* copy, bool back, int v) const {
    return {in_order(copy + packing().at(0, v), lanes_, packing().vector, back)};
  }
  // y, or d_x.
  template <Place kPlace>
  auto output(T* copy, bool back, const ModesTurn& turn) const {
    const Walk<T> packed = packed_rows(copy, back, turn.v);
    if constexpr (kPlace == Place::kPacked)
      return PackedOutput<T>{packed, turn.direction == 0 && turn.n == 0};
    else
      return Output<T, kPlace != Place::kLast, kPlace != Place::kFirst>{packed,
                                                                        rows_of(to_, back, turn.v)};
  }

  // The errands of a pass: fetch rows of the next block, and write the previous strip if it is
  // still packed.
  Errands<T> errands(const T* from, bool writes, const ModesTurn& turn) const {
    const std::int64_t passes = turn.passes, pass = turn.pass;
    if (turn.direction > 0 || pass >= passes) return {};
    const std::int64_t at_once = passes < kErrandSteps ? kErrandSteps / passes : 1;
    Errands<T> all{passes * at_once, at_once};
    if (from && next_ >= 0) all.fetched = fetched(from, passes, pass);
    if (writes)
      all.written = {earlier_.steps - pass,
                     passes,
                     {earlier_.from + pass * lanes_, passes * lanes_, packing().vector},
                     {to_ + earlier_.at + pass * s_.D, passes * s_.D, lanes_}};
    return all;
  }

 private:
  // A strip of `to` that is still packed.
  struct Earlier {
    const T* from = nullptr;
    std::int64_t at = 0, steps = 0, channels = 0;
  };
  void unpack_earlier() {
    unpack(earlier_.from, earlier_.steps, s_.D, earlier_.channels, packing(), s_.adds,
           to_ + earlier_.at);
    earlier_ = {};
  }

  // Each strip fetches a part of the group's rows in the next block.
  void look_ahead() {
    const std::int64_t strips = (last_ - first_ + width_ - 1) / width_;
    const std::int64_t piece = (column_ - first_) / width_ * steps(next_);
    ahead_column_ = piece % strips * width_;
    ahead_columns_ = strips * width_;
    ahead_ = at(next_) - column_ + first_ + piece / strips * s_.D + ahead_column_;
  }
  Fetched<T> fetched(const T* from, std::int64_t passes, std::int64_t pass) const {
    Fetched<T> all{steps(next_) - pass, passes,         from + ahead_, 0,
                   ahead_column_,       ahead_columns_, s_.D};
    all.skip(pass * width_);
    all.step = passes * width_;
    return all;
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
  const std::int64_t lanes_, width_, group_;
  T* const to_;
  const bool streams_, direct_;
  Earlier earlier_;
  std::int64_t first_ = 0, last_ = 0, column_ = 0;  // of the group; of the current strip
  std::int64_t block_ = 0, next_ = -1;              // -1: none
  std::int64_t ahead_ = 0, ahead_column_ = 0, ahead_columns_ = 0;
};

}  // namespace lcsm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
