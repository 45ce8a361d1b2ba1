#include "lcsm/cpu/step/attention_cpu.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "lcsm/cpu/kernels_cpu.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "lcsm/cpu/step/attention_cpu.cpp"
#include <hwy/foreach_target.h>

#include "lcsm/cpu/math_cpu-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lcsm::HWY_NAMESPACE {
namespace {

using F = Tag<float>;
using V = hn::Vec<F>;

constexpr int kQueries = kWideRegisters ? 8 : 4;  // at a time: their sums fill the registers
constexpr int kTile = 2;                          // vectors of keys at a time
constexpr int kExps = 4;                          // vectors whose exponentials are interleaved

constexpr std::int64_t up_to_multiple(std::int64_t n, std::int64_t of) {
  return (n + of - 1) / of * of;
}
HWY_INLINE std::int64_t lanes() { return static_cast<std::int64_t>(hn::Lanes(F())); }
HWY_INLINE float sum_of(V x) { return hn::GetLane(hn::SumOfLanes(F(), x)); }

// Scratch space of a head. Rows have no gaps; keys and width are padded with zeros to whole
// vectors.
class Space {
 public:
  explicit Space(const AttentionHead& head)
      : keys(up_to_multiple(head.keys, kExps * lanes())),
        width(up_to_multiple(head.width, lanes())),
        first_hidden(!head.hidden
                         ? head.keys
                         : std::find(head.hidden, head.hidden + head.keys, true) - head.hidden),
        last_seen(head.keys),
        head_(head),
        next_(head.scratch) {
    while (head.hidden && last_seen > 0 && head.hidden[last_seen - 1]) --last_seen;
  }

  const std::int64_t keys, width;
  const std::int64_t first_hidden;
  std::int64_t last_seen;  // one past the last key that is not hidden

  float* take(std::int64_t count) {
    float* const at = next_;
    next_ += count;
    return at;
  }
  float* zeros(std::int64_t count) {
    float* const at = take(count);
    std::fill(at, at + count, 0.0F);
    return at;
  }
  // [keys, width]
  const float* rows_of(const AttentionRows& from) {
    float* const to = zeros(keys * width);
    for (std::int64_t n = 0; n < head_.keys; ++n)
      std::copy_n(from.at + n * from.step, head_.width, to + n * width);
    return to;
  }
  // The transpose [width, keys] of rows [keys, width].
  const float* columns_of(const float* rows) {
    float* const to = take(width * keys);
    for (std::int64_t first = 0; first < keys; first += lanes())
      for (std::int64_t c = 0; c < width; ++c)
        for (std::int64_t n = first; n < first + lanes(); ++n)
          to[c * keys + n] = rows[n * width + c];
    return to;
  }
  // Copies kQueries queries from `first` on, times a factor, to [kQueries, width]; zeros after the
  // last.
  void take_queries(const AttentionRows& from, std::int64_t first, float factor, float* to) const {
    std::fill(to, to + kQueries * width, 0.0F);
    const std::int64_t count = std::min<std::int64_t>(kQueries, head_.queries - first);
    for (std::int64_t r = 0; r < count; ++r)
      for (std::int64_t c = 0; c < head_.width; ++c)
        to[r * width + c] = factor * from.at[(first + r) * from.step + c];
  }

 private:
  const AttentionHead& head_;
  float* next_;
};

// One past the last key that a query, or a block of queries, sees. A query's own hidden key is not
// counted.
std::int64_t seen_by(const AttentionHead& head, const Space& space, std::int64_t query) {
  return head.causal ? std::min(query + 1, space.last_seen) : space.last_seen;
}
std::int64_t seen_by_block(const AttentionHead& head, const Space& space, std::int64_t first) {
  return seen_by(head, space, first + kQueries - 1);
}

// products [kQueries, keys] = rows [kQueries, width] columns [width, keys], for the first `seen`
// keys and a few after them.
HWY_INLINE void products_of(const AttentionHead& head, const Space& space, const float* rows,
                            const float* columns, std::int64_t seen, float* products) {
  const F f;
  for (std::int64_t n = 0; n < seen; n += kTile * lanes()) {
    V sum[kQueries][kTile];
    for (int r = 0; r < kQueries; ++r)
      for (int x = 0; x < kTile; ++x) sum[r][x] = hn::Zero(f);
    for (std::int64_t c = 0; c < head.width; ++c) {
      V column[kTile];
      for (int x = 0; x < kTile; ++x)
        column[x] = hn::LoadU(f, columns + c * space.keys + n + x * lanes());
      for (int r = 0; r < kQueries; ++r) {
        const V row = hn::Set(f, rows[r * space.width + c]);
        for (int x = 0; x < kTile; ++x) sum[r][x] = hn::MulAdd(row, column[x], sum[r][x]);
      }
    }
    for (int r = 0; r < kQueries; ++r)
      for (int x = 0; x < kTile; ++x)
        hn::StoreU(sum[r][x], f, products + r * space.keys + n + x * lanes());
  }
}

// Calls work(vectors, c) for all columns of a width: `vectors` of them (2, at the end 1) from c on.
template <class Work>
HWY_INLINE void each_columns(const Space& space, const Work& work) {
  std::int64_t c = 0;
  for (; c + 2 * lanes() <= space.width; c += 2 * lanes())
    work(std::integral_constant<int, 2>(), c);
  if (c < space.width) work(std::integral_constant<int, 1>(), c);
}

// sums [kQueries, width] = weights [kQueries, keys] rows [keys, width], over the first `seen` keys.
HWY_INLINE void weighted_sums(const Space& space, const float* weights, const float* rows,
                              std::int64_t seen, float* sums) {
  const F f;
  each_columns(space, [&](auto vectors, std::int64_t c) {
    constexpr int kVectors = decltype(vectors)::value;
    V sum[kQueries][kVectors], row[kVectors];
    for (int r = 0; r < kQueries; ++r)
      for (int x = 0; x < kVectors; ++x) sum[r][x] = hn::Zero(f);
    for (std::int64_t n = 0; n < seen; ++n) {
      for (int x = 0; x < kVectors; ++x)
        row[x] = hn::LoadU(f, rows + n * space.width + c + x * lanes());
      for (int r = 0; r < kQueries; ++r) {
        const V weight = hn::Set(f, weights[r * space.keys + n]);
        for (int x = 0; x < kVectors; ++x) sum[r][x] = hn::MulAdd(weight, row[x], sum[r][x]);
      }
    }
    for (int r = 0; r < kQueries; ++r)
      for (int x = 0; x < kVectors; ++x)
        hn::StoreU(sum[r][x], f, sums + r * space.width + c + x * lanes());
  });
}

// sums [keys, width] += weights^T [keys, kQueries] rows [kQueries, width], for the first `seen`
// keys.
HWY_INLINE void add_weighted(const Space& space, const float* weights, const float* rows,
                             std::int64_t seen, float* sums) {
  const F f;
  each_columns(space, [&](auto vectors, std::int64_t c) {
    constexpr int kVectors = decltype(vectors)::value;
    V row[kQueries][kVectors];
    for (int r = 0; r < kQueries; ++r)
      for (int x = 0; x < kVectors; ++x)
        row[r][x] = hn::LoadU(f, rows + r * space.width + c + x * lanes());
    for (std::int64_t n = 0; n < seen; ++n) {
      float* const at = sums + n * space.width + c;
      V even[kVectors], odd[kVectors];
      for (int x = 0; x < kVectors; ++x) {
        even[x] = hn::LoadU(f, at + x * lanes());
        odd[x] = hn::Zero(f);
      }
      for (int r = 0; r < kQueries; r += 2) {
        const V one = hn::Set(f, weights[r * space.keys + n]),
                other = hn::Set(f, weights[(r + 1) * space.keys + n]);
        for (int x = 0; x < kVectors; ++x) {
          even[x] = hn::MulAdd(one, row[r][x], even[x]);
          odd[x] = hn::MulAdd(other, row[r + 1][x], odd[x]);
        }
      }
      for (int x = 0; x < kVectors; ++x) hn::StoreU(hn::Add(even[x], odd[x]), f, at + x * lanes());
    }
  });
}

// Sets the products [kQueries, keys] of hidden keys to -infinity.
void hide(const AttentionHead& head, const Space& space, std::int64_t seen, float* products) {
  for (std::int64_t n = space.first_hidden; n < std::min(seen, space.last_seen); ++n)
    if (head.hidden[n])
      for (int r = 0; r < kQueries; ++r)
        products[r * space.keys + n] = -std::numeric_limits<float>::infinity();
}

// A query whose own key is hidden still sees that key; no other query does.
struct OwnKey {
  OwnKey(const AttentionHead& head, std::int64_t query)
      : is_hidden(head.hidden && query < head.queries && head.hidden[query]),
        k(head.k.at + (is_hidden ? query * head.k.step : 0)),
        v(head.v.at + (is_hidden ? query * head.v.step : 0)) {}
  const bool is_hidden;
  const float *const k, *const v;
};
float product_of(const float* a, const float* b, std::int64_t width) {
  float sum = 0;
  for (std::int64_t c = 0; c < width; ++c) sum += a[c] * b[c];
  return sum;
}
void add_times(float factor, const float* from, std::int64_t width, float* to) {
  for (std::int64_t c = 0; c < width; ++c) to[c] += factor * from[c];
}

// Calls work(x, at) for the vectors of a row, kExps at a time; lanes of x after `count` numbers are
// -infinity.
template <class Work>
HWY_INLINE void each_pack(const float* row, std::int64_t count, std::int64_t seen,
                          const Work& work) {
  const F f;
  for (std::int64_t n = 0; n < seen; n += kExps * lanes()) {
    Pack<F, kExps> pack;
    for (int x = 0; x < kExps; ++x) {
      const std::int64_t at = n + x * lanes();
      pack.at[x] = hn::LoadU(f, row + at);
      if (at + lanes() > count)
        pack.at[x] = hn::IfThenElse(
            hn::FirstN(f, static_cast<std::size_t>(std::max<std::int64_t>(count - at, 0))),
            pack.at[x], hn::Set(f, -std::numeric_limits<float>::infinity()));
    }
    work(pack, n);
  }
}

void forward(const AttentionHead& head) {
  const F f;
  Space space(head);
  const float *columns = space.columns_of(space.rows_of(head.k)), *values = space.rows_of(head.v);
  float *q = space.take(kQueries * space.width), *p = space.take(kQueries * space.keys),
        *y = space.take(kQueries * space.width);
  for (std::int64_t first = 0; first < head.queries; first += kQueries) {
    const std::int64_t seen = seen_by_block(head, space, first),
                       count = std::min<std::int64_t>(kQueries, head.queries - first);
    space.take_queries(head.q, first, head.scale, q);
    products_of(head, space, q, columns, seen, p);
    hide(head, space, seen, p);
    float sums[kQueries] = {}, of_own[kQueries] = {};
    for (std::int64_t r = 0; r < kQueries; ++r) {
      float* const row = p + r * space.keys;
      const std::int64_t keys = seen_by(head, space, first + r);
      V most = hn::Set(f, -std::numeric_limits<float>::infinity());
      each_pack(row, keys, seen, [&](const Pack<F, kExps>& pack, std::int64_t) {
        each<kExps>([&](int x) { most = hn::Max(most, pack.at[x]); });
      });
      float largest = hn::GetLane(hn::MaxOfLanes(f, most));
      const OwnKey own(head, first + r);
      const float product = own.is_hidden ? product_of(q + r * space.width, own.k, head.width) : 0;
      if (own.is_hidden) largest = std::max(largest, product);
      const V largests = hn::Set(f, largest);
      V sum = hn::Zero(f);
      each_pack(row, keys, seen, [&](Pack<F, kExps>& pack, std::int64_t n) {
        each<kExps>([&](int x) { pack.at[x] = hn::Sub(pack.at[x], largests); });
        exp_below(f, pack);
        each<kExps>([&](int x) {
          sum = hn::Add(sum, pack.at[x]);
          hn::StoreU(pack.at[x], f, row + n + x * lanes());
        });
      });
      if (own.is_hidden) of_own[r] = std::exp(product - largest);
      sums[r] = sum_of(sum) + of_own[r];
      if (r < count) head.log_sum[first + r] = largest + std::log(sums[r]);
    }
    weighted_sums(space, p, values, seen, y);
    for (std::int64_t r = 0; r < count; ++r) {
      const OwnKey own(head, first + r);
      if (own.is_hidden) add_times(of_own[r], own.v, head.width, y + r * space.width);
      for (std::int64_t c = 0; c < head.width; ++c)
        head.y.at[(first + r) * head.y.step + c] = y[r * space.width + c] / sums[r];
    }
  }
}

// s = scale q k^T and p = exp(s - log_sum). The gradient of s is d_s = p (d_y v^T - sum(d_y y));
// then d_q = scale d_s k, d_k = scale d_s^T q, d_v = p^T d_y.
void backward(const AttentionHead& head) {
  const F f;
  Space space(head);
  const float *rows_of_k = space.rows_of(head.k), *columns_of_k = space.columns_of(rows_of_k),
              *columns_of_v = space.columns_of(space.rows_of(head.v));
  float *d_k = space.zeros(space.keys * space.width), *d_v = space.zeros(space.keys * space.width);
  float *q = space.take(kQueries * space.width), *d_y = space.take(kQueries * space.width),
        *d_q = space.take(kQueries * space.width), *p = space.take(kQueries * space.keys),
        *d_s = space.take(kQueries * space.keys);
  for (std::int64_t first = 0; first < head.queries; first += kQueries) {
    const std::int64_t seen = seen_by_block(head, space, first),
                       count = std::min<std::int64_t>(kQueries, head.queries - first);
    space.take_queries(head.q, first, head.scale, q);
    space.take_queries(head.d_y, first, 1, d_y);
    products_of(head, space, q, columns_of_k, seen, p);
    hide(head, space, seen, p);
    products_of(head, space, d_y, columns_of_v, seen, d_s);
    float p_of_own[kQueries] = {}, d_of_own[kQueries] = {};
    for (std::int64_t r = 0; r < kQueries; ++r) {
      float along = 0;
      for (std::int64_t c = 0; r < count && c < head.width; ++c)
        along += d_y[r * space.width + c] * head.y.at[(first + r) * head.y.step + c];
      const V log_sum = hn::Set(f, r < count ? head.log_sum[first + r] : 0.0F),
              mean = hn::Set(f, along);
      float *const weights = p + r * space.keys, *const changes = d_s + r * space.keys;
      each_pack(weights, seen_by(head, space, first + r), seen,
                [&](Pack<F, kExps>& pack, std::int64_t n) {
                  each<kExps>([&](int x) { pack.at[x] = hn::Sub(pack.at[x], log_sum); });
                  exp_below(f, pack);
                  each<kExps>([&](int x) {
                    float* const change = changes + n + x * lanes();
                    hn::StoreU(hn::Mul(pack.at[x], hn::Sub(hn::LoadU(f, change), mean)), f, change);
                    hn::StoreU(pack.at[x], f, weights + n + x * lanes());
                  });
                });
      const OwnKey own(head, first + r);
      if (!own.is_hidden) continue;
      p_of_own[r] =
          std::exp(product_of(q + r * space.width, own.k, head.width) - head.log_sum[first + r]);
      d_of_own[r] = p_of_own[r] * (product_of(d_y + r * space.width, own.v, head.width) - along);
    }
    weighted_sums(space, d_s, rows_of_k, seen, d_q);
    add_weighted(space, d_s, q, seen, d_k);
    add_weighted(space, p, d_y, seen, d_v);
    for (std::int64_t r = 0; r < count; ++r) {
      if (const OwnKey own(head, first + r); own.is_hidden) {
        const std::int64_t row = r * space.width, of_key = (first + r) * space.width;
        add_times(d_of_own[r], own.k, head.width, d_q + row);
        add_times(d_of_own[r], q + row, head.width, d_k + of_key);
        add_times(p_of_own[r], d_y + row, head.width, d_v + of_key);
      }
      for (std::int64_t c = 0; c < head.width; ++c)
        head.d_q.at[(first + r) * head.d_q.step + c] = head.scale * d_q[r * space.width + c];
    }
  }
  for (std::int64_t n = 0; n < head.keys; ++n) {
    std::copy_n(d_k + n * space.width, head.width, head.d_k.at + n * head.d_k.step);
    std::copy_n(d_v + n * space.width, head.width, head.d_v.at + n * head.d_v.step);
  }
}

std::int64_t scratch(const AttentionHead& head) {
  const Space space(head);
  return 6 * space.keys * space.width + 3 * kQueries * space.width + 2 * kQueries * space.keys;
}

AttentionKernels kernels() { return {scratch, forward, backward}; }

}  // namespace
}  // namespace lcsm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lcsm {

LCSM_CHOOSE_FLOAT_KERNELS(AttentionKernels, attention_kernels)

}  // namespace lcsm
#endif
