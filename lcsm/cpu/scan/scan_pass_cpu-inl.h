// The three passes of the scan over a block, per target (include inside foreach_target): a tile of
// m or of its gradient, some rows of some vectors, stays in registers.
#if defined(LCSM_SCAN_PASS_CPU_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LCSM_SCAN_PASS_CPU_INL_H_
#undef LCSM_SCAN_PASS_CPU_INL_H_
#else
#define LCSM_SCAN_PASS_CPU_INL_H_
#endif

#include "lcsm/cpu/tape_cpu-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lcsm::HWY_NAMESPACE {

// The form of w, and what happens to its gradient.
enum class Write : std::uint8_t {
  kSteps,     // e_t: summed along the row, lane by lane
  kChannels,  // static e: summed over the steps
  kCells,     // computed by the tape: stored
};

// Where a pass takes o from.
enum class Gate : std::uint8_t {
  kStored,    // computed by the tape
  kExpCells,  // exp(a b), computed by the pass: a over cells, b over channels
  kExpSteps,  // exp(a b), computed by the pass: a over steps, b over channels
};

// Where the backward pass puts d_o, the gradient of the gate.
enum class Spend : std::uint8_t {
  kStored,  // stores it for the gradient's tape
  kCells,   // sums the gradients of two factors, one over cells, one over channels
  kSteps,   // sums the gradients of two factors, one over steps, one over channels
};

// Rows of the memory that a pass handles at a time: they share the reads of i and d_y, and the
// additions to y and d_i.
inline constexpr int kRowsAtOnce = 2;

// Pointers for one row. Cells are [steps, width]; pointers are at the strip's first column.
template <class T>
struct StripRow {
  const T *o = nullptr, *w = nullptr, *s = nullptr;
  T* computed_o = nullptr;  // o, if a pass computes the gate: backward stores it here
  T* memory = nullptr;      // m, or its gradient: in and out
  // Backward: d_o first holds the factor that turns the gradient of m_t into d_o (m_{t-1}, or o_t
  // m_{t-1} for d log o, times the slope), then d_o itself.
  T *d_o = nullptr, *d_w_cells = nullptr;
  const T* slope = nullptr;          // may share the buffer of d_o; null = 1
  T *d_w = nullptr, *d_s = nullptr;  // [steps, lanes], or over the channels of the strip; added
  // Factors of the gate, if the pass computes it or sums their gradients: over steps, and over the
  // channels of the strip.
  const T *rows = nullptr, *channels = nullptr;
  T *d_rows = nullptr, *d_channels = nullptr;  // [steps, lanes], channels; added
};

// Pointers for one strip and some rows of the memory.
template <class T>
struct Strip {
  std::int64_t steps = 0, width = 0;
  const T *i = nullptr, *d_y = nullptr;
  T *y = nullptr, *d_i = nullptr;
  std::int64_t o_step = 0;  // between the rows of o: width, or 0 if o is static
  bool by_log = false;      // d log o instead of d_o
  Gate gate = Gate::kStored;
  Spend spend = Spend::kStored;
  const T* cells = nullptr;  // the factor over cells, shared by all rows of the memory
  T* d_cells = nullptr;
  StripRow<T> row[kRowsAtOnce];
};

template <int kRows, int kVectors, Write kWrite, bool kReadEach, class T>
struct Passes {
  using V = hn::Vec<Tag<T>>;
  using Tile = V[kRows][kVectors];
  static constexpr std::int64_t kLanes = hn::MaxLanes(Tag<T>());

  template <class Work>
  static HWY_INLINE void each(const Work& work) {
    for (int j = 0; j < kRows; ++j)
      for (int v = 0; v < kVectors; ++v) work(j, v);
  }
  static HWY_INLINE void load(const Strip<T>& p, std::int64_t at, Tile& tile) {
    each(
        [&](int j, int v) { tile[j][v] = hn::LoadU(Tag<T>(), p.row[j].memory + at + v * kLanes); });
  }
  static HWY_INLINE void store(const Strip<T>& p, std::int64_t at, const Tile& tile) {
    each(
        [&](int j, int v) { hn::StoreU(tile[j][v], Tag<T>(), p.row[j].memory + at + v * kLanes); });
  }
  static HWY_INLINE void load_channels(const Strip<T>& p, std::int64_t at, Tile& tile) {
    each([&](int j, int v) {
      tile[j][v] = hn::LoadU(Tag<T>(), p.row[j].channels + at + v * kLanes);
    });
  }
  static HWY_INLINE void add_channels(const Strip<T>& p, std::int64_t at, const Tile& tile) {
    each([&](int j, int v) { add(tile[j][v], p.row[j].d_channels + at + v * kLanes); });
  }
  static HWY_INLINE void clear(Tile& tile) {
    each([&](int j, int v) { tile[j][v] = hn::Zero(Tag<T>()); });
  }
  // w and s: one number per step, loaded once per step, or vectors.
  static HWY_INLINE V write_at(const StripRow<T>& row, std::int64_t t) {
    return kWrite == Write::kSteps ? hn::Set(Tag<T>(), row.w[t]) : hn::Zero(Tag<T>());
  }
  static HWY_INLINE V write_of(const StripRow<T>& row, V step, std::int64_t cell, std::int64_t c) {
    if constexpr (kWrite == Write::kSteps) return step;
    return hn::LoadU(Tag<T>(), row.w + (kWrite == Write::kCells ? cell : c));
  }
  static HWY_INLINE V read_at(const StripRow<T>& row, std::int64_t t) {
    return kReadEach ? hn::Zero(Tag<T>()) : hn::Set(Tag<T>(), row.s[t]);
  }
  static HWY_INLINE V read_of(const StripRow<T>& row, V step, std::int64_t c) {
    if constexpr (kReadEach) return hn::LoadU(Tag<T>(), row.s + c);
    return step;
  }
  static HWY_INLINE void add(V sum, T* to) {
    hn::StoreU(hn::Add(sum, hn::LoadU(Tag<T>(), to)), Tag<T>(), to);
  }

  // The factors of a gate that is computed here.
  template <Gate kGate>
  class Factors {
   public:
    HWY_INLINE Factors(const Strip<T>& p, std::int64_t at) : p_(p) {
      if constexpr (kGate != Gate::kStored)
        each([&](int j, int v) {
          scaled_[j][v] = hn::Mul(hn::LoadU(Tag<T>(), p.row[j].channels + at + v * kLanes),
                                  hn::Set(Tag<T>(), kLog2E));
        });
    }
    HWY_INLINE V o(int j, int v, std::int64_t t, std::int64_t c) const {
      const Tag<T> d;
      if constexpr (kGate == Gate::kExpCells)
        return exp2_of_product(d, hn::LoadU(d, p_.cells + t * p_.width + c), scaled_[j][v]);
      else if constexpr (kGate == Gate::kExpSteps)
        return exp2_of_product(d, hn::Set(d, p_.row[j].rows[t]), scaled_[j][v]);
      else
        return hn::LoadU(d, p_.row[j].o + t * p_.o_step + c);
    }

   private:
    const Strip<T>& p_;
    Tile scaled_;
  };

  template <Gate kGate>
  static HWY_NOINLINE void forward(const Strip<T>& strip, std::int64_t at) {
    const Strip<T> p = strip;  // stores through T* cannot change a copy
    const Tag<T> d;
    const Factors<kGate> factors(p, at);
    Tile m;
    load(p, at, m);
    for (std::int64_t t = 0; t < p.steps; ++t) {
      V write[kRows], read[kRows];
      for (int j = 0; j < kRows; ++j) {
        write[j] = write_at(p.row[j], t);
        read[j] = read_at(p.row[j], t);
      }
      for (int v = 0; v < kVectors; ++v) {
        const std::int64_t c = at + v * kLanes, cell = t * p.width + c;
        const V input = hn::LoadU(d, p.i + cell);
        V y = hn::LoadU(d, p.y + cell);
        for (int j = 0; j < kRows; ++j) {
          const StripRow<T>& row = p.row[j];
          const V in = hn::Mul(write_of(row, write[j], cell, c), input);
          m[j][v] = hn::MulAdd(factors.o(j, v, t, c), m[j][v], in);
          y = hn::MulAdd(read_of(row, read[j], c), m[j][v], y);
        }
        hn::StoreU(y, d, p.y + cell);
      }
    }
    store(p, at, m);
  }

  // Recomputes m, stores what d_o needs at every step, and sums the gradient of s.
  template <bool kByLog, Gate kGate>
  static HWY_NOINLINE void recompute(const Strip<T>& strip, std::int64_t at) {
    const Strip<T> p = strip;  // stores through T* cannot change a copy
    const Tag<T> d;
    const Factors<kGate> factors(p, at);
    Tile m, over;
    load(p, at, m);
    clear(over);
    for (std::int64_t t = 0; t < p.steps; ++t) {
      V write[kRows], along[kRows];
      for (int j = 0; j < kRows; ++j) {
        write[j] = write_at(p.row[j], t);
        along[j] = hn::Zero(d);
      }
      for (int v = 0; v < kVectors; ++v) {
        const std::int64_t c = at + v * kLanes, cell = t * p.width + c;
        const V input = hn::LoadU(d, p.i + cell), d_y = hn::LoadU(d, p.d_y + cell);
        for (int j = 0; j < kRows; ++j) {
          const StripRow<T>& row = p.row[j];
          const V o = factors.o(j, v, t, c);
          if constexpr (kGate != Gate::kStored) hn::StoreU(o, d, row.computed_o + cell);
          const V decayed = hn::Mul(o, m[j][v]);
          V by = kByLog ? decayed : m[j][v];
          if (kByLog && row.slope) by = hn::Mul(by, hn::LoadU(d, row.slope + cell));
          hn::StoreU(by, d, row.d_o + cell);
          m[j][v] = hn::MulAdd(write_of(row, write[j], cell, c), input, decayed);
          V& sum = kReadEach ? over[j][v] : along[j];
          sum = hn::MulAdd(m[j][v], d_y, sum);
        }
      }
      if constexpr (!kReadEach)
        for (int j = 0; j < kRows; ++j) add(along[j], p.row[j].d_s + t * kLanes);
    }
    if constexpr (kReadEach)
      each([&](int j, int v) { add(over[j][v], p.row[j].d_s + at + v * kLanes); });
  }

  // Carries the gradient g of m back in time; sums the gradients of i and w, and stores the
  // gradient of o or passes it on to the factors of o.
  template <Spend kSpend>
  static HWY_NOINLINE void reverse(const Strip<T>& strip, std::int64_t at) {
    const Strip<T> p = strip;  // stores through T* cannot change a copy
    const Tag<T> d;
    Tile g, over, channels, d_channels;
    load(p, at, g);
    clear(over);
    clear(d_channels);
    if constexpr (kSpend != Spend::kStored) {
      load_channels(p, at, channels);
    }
    for (std::int64_t t = p.steps - 1; t >= 0; --t) {
      V write[kRows], read[kRows], along[kRows], factor[kRows], d_factor[kRows];
      for (int j = 0; j < kRows; ++j) {
        write[j] = write_at(p.row[j], t);
        read[j] = read_at(p.row[j], t);
        along[j] = hn::Zero(d);
        if constexpr (kSpend == Spend::kSteps) {
          factor[j] = hn::Set(d, p.row[j].rows[t]);
          d_factor[j] = hn::Zero(d);
        }
      }
      for (int v = 0; v < kVectors; ++v) {
        const std::int64_t c = at + v * kLanes, cell = t * p.width + c;
        const V input = hn::LoadU(d, p.i + cell), d_y = hn::LoadU(d, p.d_y + cell);
        V d_i = hn::LoadU(d, p.d_i + cell), cells = hn::Zero(d), d_cells = hn::Zero(d);
        if constexpr (kSpend == Spend::kCells) {
          cells = hn::LoadU(d, p.cells + cell);
          d_cells = hn::LoadU(d, p.d_cells + cell);
        }
        for (int j = 0; j < kRows; ++j) {
          const StripRow<T>& row = p.row[j];
          const V now = hn::MulAdd(read_of(row, read[j], c), d_y, g[j][v]);
          if constexpr (kWrite == Write::kSteps) along[j] = hn::MulAdd(now, input, along[j]);
          if constexpr (kWrite == Write::kChannels) over[j][v] = hn::MulAdd(now, input, over[j][v]);
          if constexpr (kWrite == Write::kCells)
            hn::StoreU(hn::Mul(now, input), d, row.d_w_cells + cell);
          d_i = hn::MulAdd(now, write_of(row, write[j], cell, c), d_i);
          g[j][v] = hn::Mul(now, hn::LoadU(d, row.o + t * p.o_step + c));
          const V d_o = hn::Mul(now, hn::LoadU(d, row.d_o + cell));
          if constexpr (kSpend == Spend::kStored) {
            hn::StoreU(d_o, d, row.d_o + cell);
          } else if constexpr (kSpend == Spend::kCells) {
            d_cells = hn::MulAdd(d_o, channels[j][v], d_cells);
            d_channels[j][v] = hn::MulAdd(d_o, cells, d_channels[j][v]);
          } else {
            d_factor[j] = hn::MulAdd(d_o, channels[j][v], d_factor[j]);
            d_channels[j][v] = hn::MulAdd(d_o, factor[j], d_channels[j][v]);
          }
        }
        hn::StoreU(d_i, d, p.d_i + cell);
        if constexpr (kSpend == Spend::kCells) hn::StoreU(d_cells, d, p.d_cells + cell);
      }
      if constexpr (kWrite == Write::kSteps)
        for (int j = 0; j < kRows; ++j) add(along[j], p.row[j].d_w + t * kLanes);
      if constexpr (kSpend == Spend::kSteps)
        for (int j = 0; j < kRows; ++j) add(d_factor[j], p.row[j].d_rows + t * kLanes);
    }
    store(p, at, g);
    if constexpr (kWrite == Write::kChannels)
      each([&](int j, int v) { add(over[j][v], p.row[j].d_w + at + v * kLanes); });
    if constexpr (kSpend != Spend::kStored) add_channels(p, at, d_channels);
  }
};

// Passes may compute the gate or sum its factors' gradients only in float32, since sums over the
// steps then run back in time, and only with e and s from the data.
template <Write kWrite, bool kReadEach, class T>
inline constexpr bool kFuses = sizeof(T) == 4 && kWrite == Write::kSteps && !kReadEach;
inline constexpr bool kComputesGates = HWY_TARGET <= HWY_AVX3;

enum class Pass : std::uint8_t { kForward, kRecompute, kReverse };

template <int kRows, int kVectors, Write kWrite, bool kReadEach, class T>
void run_pass(Pass pass, const Strip<T>& p, std::int64_t at) {
  using P = Passes<kRows, kVectors, kWrite, kReadEach, T>;
  if (pass == Pass::kReverse) {
    if constexpr (kFuses<kWrite, kReadEach, T>) {
      if (p.spend == Spend::kCells) return P::template reverse<Spend::kCells>(p, at);
      if (p.spend == Spend::kSteps) return P::template reverse<Spend::kSteps>(p, at);
    }
    return P::template reverse<Spend::kStored>(p, at);
  }
  const auto by_gate = [&](auto form) {
    constexpr Gate kGate = decltype(form)::value;
    if (pass == Pass::kForward) return P::template forward<kGate>(p, at);
    if (kGate != Gate::kStored || p.by_log) return P::template recompute<true, kGate>(p, at);
    if constexpr (kGate == Gate::kStored) P::template recompute<false, kGate>(p, at);
  };
  if constexpr (kComputesGates && kFuses<kWrite, kReadEach, T>) {
    if (p.gate == Gate::kExpCells) return by_gate(std::integral_constant<Gate, Gate::kExpCells>());
    if (p.gate == Gate::kExpSteps) return by_gate(std::integral_constant<Gate, Gate::kExpSteps>());
  }
  by_gate(std::integral_constant<Gate, Gate::kStored>());
}

template <int kRows, int kVectors, class T>
void run_pass(Pass pass, const Strip<T>& p, std::int64_t at, Write write, bool read_each) {
  const auto by_write = [&](auto each) {
    constexpr bool kRead = decltype(each)::value;
    if (write == Write::kSteps) return run_pass<kRows, kVectors, Write::kSteps, kRead>(pass, p, at);
    if (write == Write::kChannels)
      return run_pass<kRows, kVectors, Write::kChannels, kRead>(pass, p, at);
    run_pass<kRows, kVectors, Write::kCells, kRead>(pass, p, at);
  };
  if (read_each) return by_write(std::true_type());
  by_write(std::false_type());
}

// Runs a pass over the strip, two vectors at a time, then one.
template <class T>
void pass_over(Pass pass, const Strip<T>& p, int rows, Write write, bool read_each) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(Tag<T>()));
  std::int64_t at = 0;
  for (; at + 2 * lanes <= p.width; at += 2 * lanes)
    rows == kRowsAtOnce ? run_pass<kRowsAtOnce, 2>(pass, p, at, write, read_each)
                        : run_pass<1, 2>(pass, p, at, write, read_each);
  if (at < p.width)
    rows == kRowsAtOnce ? run_pass<kRowsAtOnce, 1>(pass, p, at, write, read_each)
                        : run_pass<1, 1>(pass, p, at, write, read_each);
}

}  // namespace lcsm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
