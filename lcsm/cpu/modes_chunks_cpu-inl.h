// A block of the sum of modes in chunks: products over whole chunks from its first step on, the
// recurrence over the steps that are left; per target (include inside foreach_target).
#if defined(LCSM_MODES_CHUNKS_CPU_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LCSM_MODES_CHUNKS_CPU_INL_H_
#undef LCSM_MODES_CHUNKS_CPU_INL_H_
#else
#define LCSM_MODES_CHUNKS_CPU_INL_H_
#endif

#include "lcsm/cpu/modes_carried_cpu-inl.h"
#include "lcsm/cpu/modes_chunk_cpu-inl.h"
#include "lcsm/cpu/modes_strips_cpu-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lcsm::HWY_NAMESPACE {

// work(kModes, n): modes n ... n + kModes - 1 from `first` on, kMost at a time.
template <int kMost, class Work>
HWY_INLINE void in_modes(std::int64_t first, std::int64_t last, const Work& work) {
  for (; first + kMost <= last; first += kMost) work(std::integral_constant<int, kMost>(), first);
  if constexpr (kMost > 1) in_modes<kMost / 2>(first, last, work);
}

// Rows of a block are packed vector by vector: [vectors, steps of a full block, lanes].
template <class T, int kParts>
class Chunks {
 public:
  explicit Chunks(const ModesScan<T>& scan)
      : s_(scan),
        C_(scan.chunk),
        lanes_(static_cast<std::int64_t>(hn::Lanes(Tag<T>()))),
        stride_(kTile * kParts * lanes_) {
    const std::int64_t cells = scan.block / C_ * stride_;
    for (Space<T>* each : {&sums_, &slopes_, &before_, &weighted_, &d_sums_, &d_slopes_})
      *each = space<T>(cells);
    scaled_ = space<T>(scan.block * lanes_);
    d_scaled_ = space<T>(scan.block * lanes_);
    kept_ = space<T>(C_ * stride_);
    lags_ = space<T>(C_ * lanes_);
  }

  // z over the block; what is read of it is added to y unless that is null.
  void forward(const ModesDirection<T>& m, std::int64_t column, std::int64_t steps, const T* x,
               T* y, Carried<T, kParts>* z) {
    const std::int64_t count = steps / C_, whole = count * C_;
    for (int v = 0; v < kVectors; ++v) {
      const auto in = walk(x, v, 0, whole, m.back);
      const auto out = walk(y, v, 0, whole, m.back);
      if (m.back) rest(m, column, v, whole, steps, x, y, z);
      if (y) add_within(m, column, v, count, in, out);
      for (std::int64_t n = 0; n < m.shape.N; n += kTile) {
        const std::int64_t modes = std::min<std::int64_t>(kTile, m.shape.N - n);
        gather_all<false>(m, column, v, n, modes, count, in, nullptr, sums_.get(), nullptr);
        advance(m, column, v, n, modes, count, z);
        if (!y) continue;
        in_columns(count, [&](auto chunks, std::int64_t k) {
          spread<kParts, chunks>(modes, m.late ? 0 : 1, powers(m, column, v, n),
                                 weighted_.get() + k * stride_, stride_, from(out, k));
        });
      }
      if (!m.back) rest(m, column, v, whole, steps, x, y, z);
    }
  }

  // Adds to d_x, and to the sums w_x and w_u of the block, as strips of z's layout.
  void backward(const ModesDirection<T>& m, std::int64_t column, std::int64_t steps, const T* x,
                const T* d_y, T* d_x, Carried<T, kParts>* u, Carried<T, kParts>* w, T* w_x, T* w_u,
                double* lags) {
    const std::int64_t count = steps / C_, whole = count * C_;
    for (int v = 0; v < kVectors; ++v) {
      const auto in = walk(x, v, 0, whole, m.back);
      const auto d_out = walk(d_y, v, 0, whole, !m.back);
      const auto d_in = walk(d_x, v, 0, whole, !m.back);
      scale(count, C_, in, scaled_.get());
      scale(count, C_, d_out, d_scaled_.get());
      add_within(m, column, v, count, d_out, d_in);
      add_lags(column, v, count, walk(d_y, v, 0, whole, m.back), in, lags);
      for (std::int64_t n = 0; n < m.shape.N; n += kTile) {
        const std::int64_t modes = std::min<std::int64_t>(kTile, m.shape.N - n);
        if (m.back) keep_rest(m, column, v, n, n + modes, whole, steps, x, u);
        gather_all<true>(m, column, v, n, modes, count, in, scaled_.get(), sums_.get(),
                         slopes_.get());
        advance(m, column, v, n, modes, count, u);
        if (!m.back) {
          keep_rest(m, column, v, n, n + modes, whole, steps, x, u);
          rest_back(m, column, v, n, n + modes, whole, steps, x, d_y, d_x, w, w_x, w_u);
        }
        gather_all<true>(m, column, v, n, modes, count, d_out, d_scaled_.get(), d_sums_.get(),
                         d_slopes_.get());
        return_with(m, column, v, n, modes, count, w, w_x, w_u);
        in_columns(count, [&](auto chunks, std::int64_t k) {
          spread<kParts, chunks>(modes, m.late ? 0 : 1, powers(m, column, v, n),
                                 weighted_.get() + k * stride_, stride_, from(d_in, k));
        });
        if (m.back) rest_back(m, column, v, n, n + modes, whole, steps, x, d_y, d_x, w, w_x, w_u);
      }
    }
  }

 private:
  static constexpr int kTile = 8 / kParts;        // modes whose sums stay in the caches
  static constexpr int kSideBySide = 4 / kParts;  // modes of a product

  template <class N>
  Walk<N> walk(N* rows, int v, std::int64_t first, std::int64_t steps, bool back) const {
    if (rows == nullptr) return {};
    return {rows + (v * s_.block + first + (back ? steps - 1 : 0)) * lanes_,
            back ? -lanes_ : lanes_};
  }
  template <class N>
  Walk<N> from(Walk<N> rows, std::int64_t chunk) const {
    return {rows.first + chunk * C_ * rows.step, rows.step};
  }
  Powers<T> powers(const ModesDirection<T>& m, std::int64_t column, int v, std::int64_t n) const {
    const std::int64_t mode = (C_ + 1) * kParts * lanes_;
    return {m.chunk_powers + ((column / lanes_ + v) * m.shape.N + n) * mode, C_, mode};
  }
  Number<T, kParts> weight(const ModesDirection<T>& m, std::int64_t column, int v,
                           std::int64_t n) const {
    return load<kParts>(m.c + n * m.shape.columns + column + v * lanes_, m.shape.cells());
  }

  void add_within(const ModesDirection<T>& m, std::int64_t column, int v, std::int64_t count,
                  Walk<const T> x, Walk<T> y) const {
    const T* const taps = m.taps + (column / lanes_ + v) * (kChunkRows - 1 + C_) * lanes_;
    in_columns(count, [&](auto chunks, std::int64_t k) {
      within<chunks>(C_, taps, from(x, k), from(y, k));
    });
  }
  void add_lags(std::int64_t column, int v, std::int64_t count, Walk<const T> d_y, Walk<const T> x,
                double* lags) {
    std::fill_n(lags_.get(), C_ * lanes_, T(0));
    correlate(count, C_, d_y, x, lags_.get());
    for (std::int64_t j = 0; j < C_; ++j)
      for (std::int64_t n = 0; n < lanes_; ++n)
        lags[j * s_.columns + column + v * lanes_ + n] +=
            static_cast<double>(lags_[j * lanes_ + n]);
  }

  template <bool kSlopes>
  void gather_all(const ModesDirection<T>& m, std::int64_t column, int v, std::int64_t n,
                  std::int64_t modes, std::int64_t count, Walk<const T> x, const T* scaled, T* sums,
                  T* slopes) const {
    in_columns(count, [&](auto chunks, std::int64_t k) {
      in_modes<kSlopes ? kSideBySide / 2 : kSideBySide>(
          0, modes, [&](auto tile, std::int64_t mode) {
            const std::int64_t at = k * stride_ + mode * kParts * lanes_;
            gather<kParts, tile, chunks, kSlopes>(from(x, k), scaled + k * C_ * lanes_,
                                                  powers(m, column, v, n + mode), sums + at,
                                                  slopes + at, stride_);
          });
    });
  }

  // z before each chunk, and that times c; z ends after the last one.
  void advance(const ModesDirection<T>& m, std::int64_t column, int v, std::int64_t n,
               std::int64_t modes, std::int64_t count, Carried<T, kParts>* z) {
    for (std::int64_t mode = 0; mode < modes; ++mode) {
      const Powers<T> q = powers(m, column, v, n + mode);
      const auto over = load<kParts>(q.first + C_ * kParts * lanes_, lanes_);
      const auto c = weight(m, column, v, n + mode);
      auto now = load<kParts>(z->z(n + mode, v), z->cells());
      for (std::int64_t k = 0, at = mode * kParts * lanes_; k < count; ++k, at += stride_) {
        store<kParts>(now, before_.get() + at, lanes_);
        store<kParts>(multiply(c, now), weighted_.get() + at, lanes_);
        now = multiply_add(over, now, load<kParts>(sums_.get() + at, lanes_));
      }
      store<kParts>(now, z->z(n + mode, v), z->cells());
    }
  }

  // The same of w, whose chunks come in the other order, and the sums of products with it, for
  //   sum over t of w_t x_t = sum of q w X,  X = sum over j of q^j x_{C-1-j}
  //   sum over t of w_t u_{t-1} = sum of u (q D)' + q w (q^C u + X)',  ' by q
  // with D = sum over j of q^j d_y_j, over chunks (D and w for q D and q w where reads are late),
  // beside the terms within a chunk.
  void return_with(const ModesDirection<T>& m, std::int64_t column, int v, std::int64_t n,
                   std::int64_t modes, std::int64_t count, Carried<T, kParts>* w, T* w_x, T* w_u) {
    const Tag<T> d;
    for (std::int64_t mode = 0; mode < modes; ++mode) {
      const Powers<T> q = powers(m, column, v, n + mode);
      const auto power = [&](std::int64_t j) {
        return load<kParts>(q.first + j * kParts * lanes_, lanes_);
      };
      const auto over = power(C_), c = weight(m, column, v, n + mode);
      auto now = load<kParts>(w->z(n + mode, v), w->cells());
      Number<T, kParts> w_sum{}, u_d{}, u_slope{}, w_slope{}, w_u_sum{};
      for (Number<T, kParts>* each : {&w_sum, &u_d, &u_slope, &w_slope, &w_u_sum})
        for (int p = 0; p < kParts; ++p) each->part[p] = hn::Zero(d);
      for (std::int64_t k = 0; k < count; ++k) {
        const std::int64_t at = k * stride_ + mode * kParts * lanes_;
        const std::int64_t mirrored = (count - 1 - k) * stride_ + mode * kParts * lanes_;
        const auto u = load<kParts>(before_.get() + mirrored, lanes_);
        const auto sum = load<kParts>(d_sums_.get() + at, lanes_);
        w_sum = multiply_add(now, load<kParts>(sums_.get() + mirrored, lanes_), w_sum);
        u_d = multiply_add(u, sum, u_d);
        u_slope = multiply_add(u, load<kParts>(d_slopes_.get() + at, lanes_), u_slope);
        w_slope = multiply_add(now, load<kParts>(slopes_.get() + mirrored, lanes_), w_slope);
        w_u_sum = multiply_add(now, u, w_u_sum);
        store<kParts>(multiply(c, now), weighted_.get() + at, lanes_);
        now = multiply_add(over, now, sum);
      }
      store<kParts>(now, w->z(n + mode, v), w->cells());
      auto last = power(C_ - 1);
      for (int p = 0; p < kParts; ++p)
        last.part[p] = hn::Mul(last.part[p], hn::Set(d, static_cast<T>(C_)));
      w_slope = multiply_add(last, w_u_sum, w_slope);
      add(m.late ? w_sum : multiply(power(1), w_sum), w_x, *w, n + mode, v);
      add(m.late ? u_slope : multiply_add(power(1), u_slope, u_d), w_u, *w, n + mode, v);
      add(m.late ? w_slope : multiply(power(1), w_slope), w_u, *w, n + mode, v);
    }
  }
  void add(const Number<T, kParts>& more, T* sums, const Carried<T, kParts>& like, std::int64_t n,
           int v) const {
    T* const at = sums + like.inside(n, v);
    auto sum = load<kParts>(at, like.cells());
    for (int p = 0; p < kParts; ++p) sum.part[p] = hn::Add(sum.part[p], more.part[p]);
    store<kParts>(sum, at, like.cells());
  }

  // ----- Steps [whole, steps) of the block, after its chunks -----

  Tile<T> tile(const ModesDirection<T>& m, std::int64_t column, int v, std::int64_t n,
               Carried<T, kParts>* z) const {
    const std::int64_t at = n * m.shape.columns + column + v * lanes_;
    return {m.q + at, m.c + at, m.shape.columns, m.shape.cells(), z->z(n, v), z->cells()};
  }
  static PackedInput<T> packed(const Walk<const T>& rows) { return {rows}; }
  void rest(const ModesDirection<T>& m, std::int64_t column, int v, std::int64_t whole,
            std::int64_t steps, const T* x, T* y, Carried<T, kParts>* z) const {
    if (whole == steps) return;
    const auto in = packed(walk(x, v, whole, steps - whole, m.back));
    const PackedOutput<T> out{walk(y, v, whole, steps - whole, m.back)};
    in_modes<kSideBySide>(0, m.shape.N, [&](auto modes, std::int64_t n) {
      const Tile<T> at = tile(m, column, v, n, z);
      if (y == nullptr)
        pass<kParts, modes, 1, Reads::kNothing>(steps - whole, in, out, at, Errands<T>());
      else
        pass_reading<kParts, modes, 1>(m.late, steps - whole, in, out, at, Errands<T>());
    });
  }
  // Of modes [n, end): u before each step is kept; then what goes back.
  void keep_rest(const ModesDirection<T>& m, std::int64_t column, int v, std::int64_t n,
                 std::int64_t end, std::int64_t whole, std::int64_t steps, const T* x,
                 Carried<T, kParts>* u) {
    if (whole == steps) return;
    const PackedInput<T> in = packed(walk(x, v, whole, steps - whole, m.back));
    for (std::int64_t mode = n; mode < end; ++mode)
      pass_keeping<kParts, 1, 1>(steps - whole, in, kept(mode - n, 0), tile(m, column, v, mode, u),
                                 Errands<T>());
  }
  void rest_back(const ModesDirection<T>& m, std::int64_t column, int v, std::int64_t n,
                 std::int64_t end, std::int64_t whole, std::int64_t steps, const T* x, const T* d_y,
                 T* d_x, Carried<T, kParts>* w, T* w_x, T* w_u) {
    if (whole == steps) return;
    const PackedInput<T> in = packed(walk(x, v, whole, steps - whole, !m.back));
    const PackedInput<T> d_out = packed(walk(d_y, v, whole, steps - whole, !m.back));
    const PackedOutput<T> d_in{walk(d_x, v, whole, steps - whole, !m.back)};
    for (std::int64_t mode = n; mode < end; ++mode) {
      const std::int64_t at = w->inside(mode, v);
      pass_back_reading<kParts, 1, 1>(
          m.late, steps - whole, d_out, in, d_in, kept(mode - n, steps - whole - 1),
          tile(m, column, v, mode, w), w_x + at, w_u + at, Errands<T>());
    }
  }
  T* kept(std::int64_t mode, std::int64_t step) const {
    return kept_.get() + (mode * C_ + step) * kParts * lanes_;
  }

  const ModesScan<T>& s_;
  const std::int64_t C_, lanes_, stride_;  // numbers of kTile modes
  Space<T> sums_, slopes_, before_, weighted_, d_sums_, d_slopes_, scaled_, d_scaled_, lags_, kept_;
};

}  // namespace lcsm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
