#include "tests/lcsm/cuda/delta/delta_case.h"

#include <cmath>
#include <random>

#include "tests/lcsm/cuda/chunk/chunk_case.h"

namespace lcsm::test {
namespace {

using std::size_t;

size_t delta_case_steps_of(const DeltaShape& s) { return static_cast<size_t>(s.B * s.T); }
size_t delta_case_memories_of(const DeltaShape& s) { return static_cast<size_t>(s.B * s.K * s.D); }

}  // namespace

std::string name_of(const DeltaShape& s) {
  return "T = " + std::to_string(s.T) + ", " + std::to_string(s.K) + " x " + std::to_string(s.D) +
         (s.decays ? ", -log a = " + std::to_string(s.strength) : ", no decay") +
         (s.processors > 1 ? ", " + std::to_string(s.processors) + " processors" : "") +
         (s.first ? ", a first memory" : "") + (s.bfloat16 ? ", bfloat16" : ", float32");
}

Named random_delta(const DeltaShape& s, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<float> normal;
  std::exponential_distribution<double> decay(1 / s.strength);
  const auto some = [&](size_t count) {
    Numbers all(count);
    for (double& x : all) x = static_cast<double>(normal(random));
    return all;
  };
  const size_t steps = delta_case_steps_of(s), K = static_cast<size_t>(s.K),
               D = static_cast<size_t>(s.D);
  Named in{{"i", some(steps * D)},
           {"d_y", some(steps * D)},
           {"u", some(steps * K)},
           {"v", some(steps * K)},
           {"s", some(steps * K)}};
  Numbers &u = in.at("u"), &v = in.at("v");
  for (size_t t = 0; t < steps; ++t) {
    double squares = 0;
    for (size_t k = t * K; k < (t + 1) * K; ++k) squares += v[k] * v[k];
    for (size_t k = t * K; k < (t + 1) * K; ++k) {
      v[k] /= std::sqrt(squares);
      u[k] = 0.5 * v[k] + 0.3 / std::sqrt(static_cast<double>(s.K)) * u[k];
    }
  }
  if (s.decays)
    for (size_t t = 0; t < steps; ++t) in["log_a"].push_back(-decay(random));
  for (auto& [name, values] : in)
    for (double& x : values) x = static_cast<double>(rounded(static_cast<float>(x), s.bfloat16));
  for (const char* name : {"m", "d_m"})
    if (s.first) in[name] = some(delta_case_memories_of(s));
  return in;
}

Named by_definition(const DeltaShape& s, const Named& in) {
  const auto T = static_cast<size_t>(s.T), K = static_cast<size_t>(s.K),
             D = static_cast<size_t>(s.D);
  const size_t cells = K * D;
  Named out{{"y", Numbers(delta_case_steps_of(s) * D)},
            {"w", in.at("i")},
            {"m", Numbers(delta_case_memories_of(s))},
            {"d m", Numbers(delta_case_memories_of(s))}};
  for (const char* name : {"i", "u", "v", "s"})
    out[std::string("d ") + name] = Numbers(in.at(name).size());
  if (s.decays) out["d log_a"] = Numbers(delta_case_steps_of(s));
  const auto each_cell = [&](const auto& work) {
    for (size_t k = 0; k < K; ++k)
      for (size_t d = 0; d < D; ++d) work(k, d, k * D + d);
  };
  for (size_t b = 0; b < static_cast<size_t>(s.B); ++b) {
    std::vector<Numbers> m(T + 1, Numbers(cells));  // m before each step, and the last
    Numbers g(cells);
    if (s.first)
      for (size_t n = 0; n < cells; ++n)
        m[0][n] = in.at("m")[b * cells + n], g[n] = in.at("d_m")[b * cells + n];
    const auto row = [&](const char* name, size_t t, size_t width) {
      return in.at(name).data() + (b * T + t) * width;
    };
    const auto a = [&](size_t t) { return s.decays ? std::exp(*row("log_a", t, 1)) : 1.0; };
    for (size_t t = 0; t < T; ++t) {
      const double *u = row("u", t, K), *v = row("v", t, K), *shrink = row("s", t, K);
      double *const w = &out["w"][(b * T + t) * D], *const y = &out["y"][(b * T + t) * D];
      const double decay = a(t);
      each_cell([&](size_t k, size_t d, size_t n) { w[d] -= v[k] * decay * m[t][n]; });
      each_cell([&](size_t k, size_t d, size_t n) {
        m[t + 1][n] = decay * m[t][n] + u[k] * w[d];
        y[d] += shrink[k] * m[t + 1][n];
      });
    }
    for (size_t t = T; t-- > 0;) {
      const double *u = row("u", t, K), *v = row("v", t, K), *shrink = row("s", t, K),
                   *d_y = row("d_y", t, D), *w = &out["w"][(b * T + t) * D];
      double* const d_w = &out["d i"][(b * T + t) * D];
      const auto d = [&](const char* name) { return &out[name][(b * T + t) * K]; };
      double *const d_u = d("d u"), *const d_v = d("d v"), *const d_s = d("d s");
      each_cell([&](size_t k, size_t c, size_t n) {
        g[n] += shrink[k] * d_y[c];
        d_s[k] += m[t + 1][n] * d_y[c];
        d_u[k] += g[n] * w[c];
        d_w[c] += g[n] * u[k];
      });
      const double decay = a(t);
      double d_log_a = 0;
      each_cell([&](size_t k, size_t c, size_t n) {
        const double decayed = decay * m[t][n];
        d_v[k] -= decayed * d_w[c];
        g[n] -= v[k] * d_w[c];
        d_log_a += decayed * g[n];
        g[n] *= decay;
      });
      if (s.decays) out["d log_a"][b * T + t] = d_log_a;
    }
    for (size_t n = 0; n < cells; ++n)
      out["m"][b * cells + n] = m[T][n], out["d m"][b * cells + n] = g[n];
  }
  return out;
}

Judged by_judge(const DeltaShape& s, const Named& in, const Kernels& kernels, int orders,
                const ptx::Options& options) {
  JudgedDevice device(kernels, orders, options);
  const Allocate allocate = [&](const char* what, size_t n) { return device.allocate(what, n); };
  const auto data = [&](const char* name, int width) {
    return put_rows(device, name, in.at(name), s.T, static_cast<size_t>(width), s.offset, s.padding,
                    s.bfloat16);
  };
  const auto result = [&](const char* name, const char* of) {
    return device.result(name, in.at(of).size(), s.bfloat16);
  };
  const auto first = [&](const char* name) {
    return s.first ? static_cast<const float*>(device.put(name, in.at(name), false)) : nullptr;
  };
  const auto last = [&](const char* name) {
    return s.last ? static_cast<float*>(device.result(name, delta_case_memories_of(s), false))
                  : nullptr;
  };
  DeltaWork work;
  work.bfloat16 = s.bfloat16;
  work.processors = s.processors;
  ChunkCuda& c = work.delta.chunk;
  c.enters = s.first;
  c.B = s.B, c.T = s.T, c.K = s.K, c.D = s.D;
  c.i = data("i", s.D), c.d_y = data("d_y", s.D);
  c.e = data("u", s.K), c.s = data("s", s.K), work.delta.v = data("v", s.K);
  if (s.decays) work.delta.log_a = data("log_a", 1);
  if (s.backward) c.kept = device.allocate("kept", chunk_kept_count(c) * (s.bfloat16 ? 2 : 4));
  work.first = first("m");
  c.last = last("m");
  c.to_y = result("y", "i");
  work.delta.w = result("w", "i");
  device.run(delta_forward_calls(work, allocate));
  if (!s.backward) return device.judged();
  c.i = {work.delta.w, static_cast<long long>(s.T) * s.D, s.D};
  work.first = first("d_m");
  c.last = last("d m");
  c.d_i = result("d i", "i");
  work.d_u = result("d u", "u");
  work.d_v = result("d v", "v");
  work.d_s = result("d s", "s");
  if (s.decays) work.d_log_a = result("d log_a", "log_a");
  device.run(delta_backward_calls(work, allocate));
  return device.judged();
}

}  // namespace lcsm::test
