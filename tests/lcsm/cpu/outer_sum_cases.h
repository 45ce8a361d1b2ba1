// An outer sum of random rows, computed by the kernels and by a plain loop in float64.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "lcsm/base/random.h"
#include "lcsm/cpu/outer_sum_cpu.h"

namespace lcsm::test {

inline constexpr double kInfinite = std::numeric_limits<double>::infinity();

enum class SumDecays { kNone, kMild, kSingle, kEvery, kZeros };

struct Case {
  std::int64_t deep = 3, wide = 5, steps = 65;
  Order order = Order::kForward;
  SumDecays over_deep = SumDecays::kNone, over_wide = SumDecays::kNone;
  bool add = false;
  std::int64_t first = 0, last = -1;  // -1 = wide
  std::int64_t spacing = 1;           // of anchors
  std::int64_t cut = 0;               // chunks of a first call; 0 = all in one
};

inline std::string to_string(const Case& c) {
  std::string text;
  for (const std::int64_t n :
       {c.deep, c.wide, c.steps, std::int64_t(c.order), std::int64_t(c.over_deep),
        std::int64_t(c.over_wide), c.first, c.last})
    text += std::to_string(n) + " ";
  return text;
}

template <class T>
using Numbers = std::vector<T>;

template <class T>
T* at_start(Numbers<T>& numbers) {
  return numbers.empty() ? nullptr : numbers.data();
}

inline double log_decay(SumDecays kind, std::int64_t t, Random* random) {
  const double mild = -0.1 * random->uniform();
  switch (kind) {
    case SumDecays::kSingle:
      return t == 7 || t == 70 ? -800 : t == 9 || t == 71 || t == 72 ? -kInfinite : mild;
    case SumDecays::kEvery:
      return -800 * random->uniform();
    case SumDecays::kZeros:
      return -kInfinite;
    default:
      return mild;
  }
}

template <class T>
struct Problem {
  Case of;
  Numbers<T> a, c, x, y, memory, log_deep, log_wide, meet;
  Numbers<T> keep, over_deep, over_wide;  // results
  Chunks chunks;

  explicit Problem(const Case& given) : of(given) {
    Random random(1);
    if (of.last < 0) of.last = of.wide;
    const auto fill = [&](Numbers<T>* numbers, std::int64_t count) {
      for (; count > 0; --count) numbers->push_back(static_cast<T>(random.normal()));
    };
    for (auto* rows : {&a, &c}) fill(rows, of.steps * of.deep);
    for (auto* rows : {&x, &y}) fill(rows, of.steps * of.wide);
    fill(&memory, of.deep * of.wide);
    const auto logs = [&](SumDecays kind, std::int64_t width, Numbers<T>* log) {
      for (std::int64_t n = 0; kind != SumDecays::kNone && n < of.steps * width; ++n)
        log->push_back(static_cast<T>(log_decay(kind, n / width, &random)));
    };
    logs(of.over_deep, of.deep, &log_deep);
    logs(of.over_wide, of.wide, &log_wide);
    make_tables();
    fill(&meet, chunks.anchors * of.deep * of.wide);
    keep.assign(meet.size(), 0);
    over_deep.assign(static_cast<std::size_t>(chunks.anchors * of.wide), 0);
    over_wide.assign(static_cast<std::size_t>(chunks.anchors * of.deep), 0);
  }

  void run() {
    OuterSum<T> s;
    s.deep = of.deep;
    s.wide = of.wide;
    s.a = a.data();
    s.c = c.data();
    s.x = x.data();
    s.y = y.data();
    s.order = of.order;
    s.add = of.add;
    s.deep_decay = deep_table();
    s.wide_decay = wide_table();
    s.chunks = &chunks;
    s.first = of.first;
    s.last = of.last;
    s.memory = memory.data();
    if (reversed(of.order))
      s.anchors = {nullptr, meet.data(), over_deep.data(), over_wide.data()};
    else
      s.anchors.keep = keep.data();
    const std::int64_t cut = std::min(of.cut, chunks.count());
    const std::pair<std::int64_t, std::int64_t> early{0, cut}, late{cut, chunks.count()};
    for (const auto& [from, to] :
         {reversed(of.order) ? late : early, reversed(of.order) ? early : late}) {
      s.first_chunk = from;
      s.last_chunk = to;
      if (from < to) outer_sum_kernels<T>().run(s);
    }
  }

 private:
  DecayTable<T> deep_table() { return {at_start(deep_scale_), at_start(deep_inverse_)}; }
  DecayTable<T> wide_table() { return {at_start(wide_scale_), at_start(wide_inverse_)}; }
  void make_tables() {
    for (auto* table : {&deep_scale_, &deep_inverse_}) table->resize(log_deep.size());
    for (auto* table : {&wide_scale_, &wide_inverse_}) table->resize(log_wide.size());
    chunks = decay_kernels<T>().tables(
        of.steps, of.deep, of.wide, {at_start(log_deep), of.deep, true},
        {at_start(log_wide), of.wide, true}, deep_table(), wide_table(), of.spacing);
  }
  Numbers<T> deep_scale_, deep_inverse_, wide_scale_, wide_inverse_;
};

// The definition in float64; of magnitudes instead of values it bounds the effect of rounding.
class Plain {
 public:
  Numbers<double> y, memory, keep, over_deep, over_wide;

  template <class T>
  Plain(const Problem<T>& p, bool magnitudes) : of_(p.of), magnitudes_(magnitudes) {
    y = number(p.y);
    memory = number(p.memory);
    keep.assign(p.keep.size(), 0);
    over_deep.assign(p.over_deep.size(), 0);
    over_wide.assign(p.over_wide.size(), 0);
    a_ = number(p.a), c_ = number(p.c), x_ = number(p.x), meet_ = number(p.meet);
    for (const T log : p.log_deep) deep_.push_back(std::exp(static_cast<double>(log)));
    for (const T log : p.log_wide) wide_.push_back(std::exp(static_cast<double>(log)));
    const bool backwards = reversed(of_.order);
    for (std::int64_t n = 0; n < of_.steps; ++n) step(p, backwards ? of_.steps - 1 - n : n);
    if (backwards) decay(0);
  }

 private:
  template <class T>
  Numbers<double> number(const Numbers<T>& from) const {
    Numbers<double> to(from.begin(), from.end());
    for (double& each : to) each = magnitudes_ ? std::abs(each) : each;
    return to;
  }
  static double& at(Numbers<double>& rows, std::int64_t row, std::int64_t width, std::int64_t n) {
    return rows[static_cast<std::size_t>(row * width + n)];
  }
  template <class Work>
  void cells(const Work& work) {
    for (std::int64_t n = 0; n < of_.deep; ++n)
      for (std::int64_t w = of_.first; w < of_.last; ++w) work(n, w, at(memory, n, of_.wide, w));
  }

  void decay(std::int64_t t) {
    cells([&](std::int64_t n, std::int64_t w, double& m) {
      m *= (deep_.empty() ? 1 : at(deep_, t, of_.deep, n)) *
           (wide_.empty() ? 1 : at(wide_, t, of_.wide, w));
    });
  }
  void read(std::int64_t t) {
    cells([&](std::int64_t n, std::int64_t w, double& m) {
      at(y, t, of_.wide, w) += at(c_, t, of_.deep, n) * m;
    });
  }

  template <class T>
  void step(const Problem<T>& p, std::int64_t t) {
    const bool backwards = reversed(of_.order);
    const bool before = of_.order == Order::kExclusive || of_.order == Order::kReverseExclusive;
    if (!backwards) decay(t);
    if (backwards && t + 1 < of_.steps) decay(t + 1);
    const auto chunk = std::find(p.chunks.starts.begin(), p.chunks.starts.end() - 1, t);
    const std::int64_t anchor = chunk == p.chunks.starts.end() - 1
                                    ? -1
                                    : p.chunks.anchor[std::size_t(chunk - p.chunks.starts.begin())];
    if (anchor >= 0 && !backwards)
      cells([&](auto n, auto w, double& m) { at(keep, anchor * of_.deep + n, of_.wide, w) = m; });
    for (std::int64_t w = of_.first; !of_.add && w < of_.last; ++w) at(y, t, of_.wide, w) = 0;
    if (before) read(t);
    cells([&](auto n, auto w, double& m) { m += at(a_, t, of_.deep, n) * at(x_, t, of_.wide, w); });
    if (!before) read(t);
    if (anchor >= 0 && backwards)
      cells([&](auto n, auto w, double& m) {
        const double product = m * at(meet_, anchor * of_.deep + n, of_.wide, w);
        at(over_deep, anchor, of_.wide, w) += product;
        at(over_wide, anchor, of_.deep, n) += product;
      });
  }

  const Case of_;
  const bool magnitudes_;
  Numbers<double> a_, c_, x_, meet_, deep_, wide_;
};

}  // namespace lcsm::test
