#include "lcsm/cpu/step/cross_entropy_cpu.h"

#include <algorithm>
#include <cmath>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "lcsm/cpu/step/cross_entropy_cpu.cpp"
#include <hwy/foreach_target.h>

#include "lcsm/cpu/channels_cpu-inl.h"
#include "lcsm/cpu/math_cpu-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lcsm::HWY_NAMESPACE {
namespace {

using F = Tag<float>;
using V = hn::Vec<F>;

constexpr int kAtOnce = 4;  // vectors

// Calls work(pack, its first class) for several vectors at a time; lanes after the row are
// -infinity.
template <class Work>
HWY_INLINE void each_pack(const float* row, std::int64_t classes, const Work& work) {
  const F f;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(f));
  const V outside = hn::Set(f, -std::numeric_limits<float>::infinity());
  for (std::int64_t n = 0; n < classes; n += kAtOnce * lanes) {
    Pack<F, kAtOnce> pack;
    for (int x = 0; x < kAtOnce; ++x) {
      const std::int64_t at = n + x * lanes, left = classes - at;
      pack.at[x] = left <= 0 ? outside : Channels<float>(at, classes).load(row);
      if (left > 0 && left < lanes)
        pack.at[x] =
            hn::IfThenElse(hn::FirstN(f, static_cast<std::size_t>(left)), pack.at[x], outside);
    }
    work(pack, n);
  }
}

HWY_INLINE void store(V x, std::int64_t at, std::int64_t classes, float* row) {
  if (at < classes) Channels<float>(at, classes).store(x, row);
}

void run(const CrossEntropyRows& in) {
  const F f;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(f));
  for (std::int64_t r = 0; r < in.rows; ++r) {
    float* const row = in.logits + r * in.classes;
    const std::int64_t target = in.targets[r];
    const float at_target = row[target];
    V most = hn::Set(f, -std::numeric_limits<float>::infinity());
    each_pack(row, in.classes, [&](const Pack<F, kAtOnce>& pack, std::int64_t) {
      each<kAtOnce>([&](int x) { most = hn::Max(most, pack.at[x]); });
    });
    const V largest = hn::MaxOfLanes(f, most);
    if (in.right)
      in.right[r] = at_target == hn::GetLane(largest) &&
                    std::find(row, row + target, at_target) == row + target;
    Pack<F, kAtOnce> sums;
    each<kAtOnce>([&](int x) { sums.at[x] = hn::Zero(f); });
    each_pack(row, in.classes, [&](Pack<F, kAtOnce>& pack, std::int64_t n) {
      each<kAtOnce>([&](int x) { pack.at[x] = hn::Sub(pack.at[x], largest); });
      exp_below(f, pack);
      each<kAtOnce>([&](int x) {
        sums.at[x] = hn::Add(sums.at[x], pack.at[x]);
        if (in.learns) store(pack.at[x], n + x * lanes, in.classes, row);
      });
    });
    V sum = hn::Zero(f);
    each<kAtOnce>([&](int x) { sum = hn::Add(sum, sums.at[x]); });
    const float total = hn::GetLane(hn::SumOfLanes(f, sum));
    in.losses[r] = static_cast<double>(hn::GetLane(largest)) +
                   std::log(static_cast<double>(total)) - static_cast<double>(at_target);
    if (!in.learns) continue;
    const V share = hn::Set(f, in.weight / total);
    each_pack(row, in.classes, [&](const Pack<F, kAtOnce>& pack, std::int64_t n) {
      each<kAtOnce>(
          [&](int x) { store(hn::Mul(pack.at[x], share), n + x * lanes, in.classes, row); });
    });
    row[target] -= in.weight;
  }
}

}  // namespace
}  // namespace lcsm::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lcsm {
HWY_EXPORT(run);
void run_cross_entropy(const CrossEntropyRows& rows) { HWY_DYNAMIC_DISPATCH(run)(rows); }
}  // namespace lcsm
#endif
