#include "lcsm/cpu/modes/modes_cpu.h"

#include <hwy/cache_control.h>

#include <algorithm>
#include <bit>
#include <type_traits>

#include "lcsm/cpu/denormals_cpu.h"
#include "lcsm/cpu/kernels_cpu.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "lcsm/cpu/modes/modes_cpu.cpp"
#include <hwy/foreach_target.h>

#include "lcsm/cpu/modes/modes_carried_cpu-inl.h"
#include "lcsm/cpu/modes/modes_strips_cpu-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lcsm::HWY_NAMESPACE {
namespace {

// Modes times vectors of a tile, whose numbers stay in registers, or nearly so.
template <int kParts>
constexpr int kForwardTile = 8 / kParts;
template <int kParts>
constexpr int kBackwardTile = kWideRegisters ? 8 / kParts : 4;

// True if all modes of a strip form one tile.
constexpr bool is_one_pass(std::int64_t N, int cells) {
  return std::has_single_bit(static_cast<std::uint64_t>(N)) && N * kVectors <= cells;
}

// Splits the modes and vectors of a strip into tiles of kCells: calls work(kModes, kWide, n, v).
template <int kModes, int kCells, class Work>
HWY_INLINE void in_tiles(std::int64_t N, std::int64_t n, const Work& work) {
  constexpr int kWide = std::min(kCells / kModes, kVectors);
  const std::int64_t end = N - (N - n) % kModes;
  for (int v = 0; v < kVectors; v += kWide)
    for (std::int64_t k = n; k < end; k += kModes)
      work(std::integral_constant<int, kModes>(), std::integral_constant<int, kWide>(), k, v);
  if constexpr (kModes > 1) in_tiles<kModes / 2, kCells>(N, end, work);
}

// The passes over a sequence's channels.
template <class T, int kParts>
class Work {
 public:
  Work(const ModesScan<T>& scan, const ModesPart& part, T* to, int tile)
      : s_(scan),
        part_(part),
        strips_(scan, part, to,
                std::all_of(scan.directions.begin(), scan.directions.end(),
                            [&](const ModesDirection<T>& each) {
                              return is_one_pass(each.shape.N, tile);
                            })),
        x_(space<T>(scan.block * strip_width<T>())),
        to_(space<T>(scan.block * strip_width<T>())),
        earlier_(space<T>(scan.block * strip_width<T>())) {
    for (const ModesDirection<T>& each : s_.directions)
      u_.emplace_back(each, each.u, each.states, part, s_.blocks());
  }

  // A direction opposite to the first one first carries its u over the whole sequence; its outputs
  // are computed afterwards.
  void forward() {
    const bool back = s_.directions[0].back;
    strips_.for_columns([&] {
      for (std::size_t n = 0; n < u_.size(); ++n)
        if (s_.directions[n].back != back) carry(s_.x, s_.directions[n], !back, &u_[n]);
      strips_.for_strips(back, [&] {
        if (!strips_.direct()) strips_.pack_rows(s_.x, x_.get());
        begin();
        for (std::size_t n = 0; n < u_.size(); ++n) read(n, s_.directions[n].back == back, &u_[n]);
        end();
      });
    });
    for (const Carried<T, kParts>& each : u_) each.return_state();
    hwy::FlushStream();
  }

  void backward() {
    const bool back = !s_.directions[0].back;
    for (const ModesDirection<T>& each : s_.directions)
      w_.emplace_back(each, each.w, nullptr, part_, s_.blocks());
    d_y_ = space<T>(s_.block * strip_width<T>());
    std::int64_t cells = 0;
    for (const Carried<T, kParts>& each : u_) cells = std::max(cells, kParts * each.cells());
    for (Space<T>* each : {&inputs_, &decays_}) *each = space<T>(cells);
    kept_ =
        space<T>(s_.block * kParts * kBackward * static_cast<std::int64_t>(hn::Lanes(Tag<T>())));
    strips_.for_columns([&] {
      for (std::size_t n = 0; n < w_.size(); ++n)
        if (s_.directions[n].back == back) carry(s_.d_y, s_.directions[n], !back, &w_[n]);
      strips_.for_strips(back, [&] {
        if (!s_.d_y) std::fill_n(d_y_.get(), s_.block * strip_width<T>(), T(0));
        if (!strips_.direct()) {
          strips_.pack_rows(s_.x, x_.get());
          if (s_.d_y) strips_.pack_rows(s_.d_y, d_y_.get());
        }
        begin();
        for (std::size_t n = 0; n < w_.size(); ++n)
          differentiate(n, s_.directions[n].back != back, &u_[n], &w_[n]);
        end();
      });
    });
    for (const Carried<T, kParts>& each : w_) each.return_state();
    hwy::FlushStream();
  }

 private:
  static constexpr int kForward = kForwardTile<kParts>, kBackward = kBackwardTile<kParts>;

  void begin() {
    if (strips_.direct()) return;
    strips_.begin();
    std::swap(to_, earlier_);
  }
  void end() {
    if (!strips_.direct()) strips_.unpack_rows(to_.get());
  }

  Tile<T> tile(const ModesDirection<T>& m, std::int64_t n, int v, Carried<T, kParts>* z) const {
    const std::int64_t from =
        n * m.shape.columns + strips_.column() + v * static_cast<std::int64_t>(hn::Lanes(Tag<T>()));
    return {m.q + from, m.c + from, m.shape.columns, m.shape.cells(), z->z(n, v), z->cells()};
  }

  // Calls work(modes, wide, place, turn) for all tiles of a direction.
  template <int kTile, class Each>
  void in_turns(std::size_t direction, const Each& work) const {
    const std::int64_t N = s_.directions[direction].shape.N;
    const std::int64_t most =
        std::bit_floor(static_cast<std::uint64_t>(std::min<std::int64_t>(N, kTile)));
    ModesTurn turn{direction};
    turn.passes = N / most * std::max<std::int64_t>(kVectors * most / kTile, 1);
    in_tiles<kTile, kTile>(N, 0, [&](auto modes, auto wide, std::int64_t n, int v) {
      turn.n = n;
      turn.v = v;
      const auto at = [&]<Place kPlace>(std::integral_constant<Place, kPlace> place) {
        work(modes, wide, place, turn);
        ++turn.pass;
      };
      if (!strips_.direct()) return at(std::integral_constant<Place, Place::kPacked>());
      if constexpr (wide == kVectors) {
        if (s_.directions.size() == 1) return at(std::integral_constant<Place, Place::kAlone>());
        if (direction == 0) return at(std::integral_constant<Place, Place::kFirst>());
        at(std::integral_constant<Place, Place::kLast>());
      }
    });
  }
  template <Place kPlace, bool kKeeps>
  auto input(const T* from, T* copy, bool back, int v) const {
    if constexpr (kPlace == Place::kPacked || kPlace == Place::kLast)
      return strips_.packed(copy, back, v);
    else
      return strips_.template rows<kKeeps>(from, copy, back, v);
  }

  // Carries z over the whole sequence and stores it before each block; computes no output.
  void carry(const T* from, const ModesDirection<T>& m, bool back, Carried<T, kParts>* z) {
    z->keep_states(s_.blocks());
    strips_.for_strips(back, [&] {
      if (!strips_.direct()) strips_.pack_rows(from, x_.get());
      z->enter(strips_.block(), strips_.column());
      in_turns<kForward>(0, [&](auto modes, auto wide, auto place, const ModesTurn& turn) {
        pass<kParts, modes, wide, Reads::kNothing>(
            strips_.steps(), input<place, false>(from, x_.get(), back, turn.v), PackedOutput<T>(),
            tile(m, turn.n, turn.v, z), strips_.errands(from, false, turn));
      });
      z->leave(strips_.is_last(), strips_.column());
    });
  }

  void read(std::size_t direction, bool enters, Carried<T, kParts>* u) {
    const ModesDirection<T>& m = s_.directions[direction];
    enters ? u->enter(strips_.block(), strips_.column())
           : u->enter_again(strips_.block(), strips_.column());
    in_turns<kForward>(direction, [&](auto modes, auto wide, auto place, const ModesTurn& turn) {
      pass_reading<kParts, modes, wide>(
          m.late, strips_.steps(),
          input<place, place == Place::kFirst>(s_.x, x_.get(), m.back, turn.v),
          strips_.template output<place>(to_.get(), m.back, turn), tile(m, turn.n, turn.v, u),
          strips_.errands(s_.x, true, turn));
    });
    if (enters) u->leave(strips_.is_last(), strips_.column());
  }
  void differentiate(std::size_t direction, bool enters, Carried<T, kParts>* u,
                     Carried<T, kParts>* w) {
    const ModesDirection<T>& m = s_.directions[direction];
    const std::int64_t block = strips_.block(), column = strips_.column();
    u->enter_again(block, column);
    enters ? w->enter(block, column) : w->enter_again(block, column);
    std::fill_n(inputs_.get(), kParts * u->cells(), T(0));
    std::fill_n(decays_.get(), kParts * u->cells(), T(0));
    in_turns<kBackward>(direction, [&](auto modes, auto wide, auto place, const ModesTurn& turn) {
      const std::int64_t steps = strips_.steps(), at = w->inside(turn.n, turn.v);
      pass_keeping<kParts, modes, wide>(steps, input<place, true>(s_.x, x_.get(), m.back, turn.v),
                                        kept_.get(), tile(m, turn.n, turn.v, u),
                                        strips_.errands(s_.x, false, turn));
      pass_back_reading<kParts, modes, wide>(
          m.late, steps, input<place, true>(s_.d_y, d_y_.get(), !m.back, turn.v),
          strips_.packed(x_.get(), !m.back, turn.v),
          strips_.template output<place>(to_.get(), !m.back, turn),
          kept_.get() +
              (steps - 1) * kParts * modes * wide * static_cast<std::int64_t>(hn::Lanes(Tag<T>())),
          tile(m, turn.n, turn.v, w), inputs_.get() + at, decays_.get() + at,
          strips_.errands(s_.d_y, true, turn));
    });
    if (enters) w->leave(strips_.is_last(), column);
    const std::int64_t to = part_.worker * m.shape.size() + column;
    for (std::int64_t row = 0; row < w->rows(); ++row) {
      add_strip(inputs_.get() + row * strip_width<T>(), m.w_x + to + row * m.shape.columns);
      add_strip(decays_.get() + row * strip_width<T>(), m.w_u + to + row * m.shape.columns);
    }
  }

  const ModesScan<T>& s_;
  const ModesPart& part_;
  Strips<T> strips_;
  std::vector<Carried<T, kParts>> u_, w_;
  Space<T> x_, d_y_, to_, earlier_, kept_, inputs_, decays_;  // of a block; last two: of a strip
};

template <class T>
void forward(const ModesScan<T>& scan, const ModesPart& part) {
  const FlushDenormals flush;
  if (scan.directions[0].shape.parts == 1)
    Work<T, 1>(scan, part, scan.y, kForwardTile<1>).forward();
  else
    Work<T, 2>(scan, part, scan.y, kForwardTile<2>).forward();
}
template <class T>
void backward(const ModesScan<T>& scan, const ModesPart& part) {
  const FlushDenormals flush;
  if (scan.directions[0].shape.parts == 1)
    Work<T, 1>(scan, part, scan.d_x, kBackwardTile<1>).backward();
  else
    Work<T, 2>(scan, part, scan.d_x, kBackwardTile<2>).backward();
}

template <class T>
ModesKernels<T> kernels_of() {
  return {strip_width<T>(), forward<T>, backward<T>};
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
