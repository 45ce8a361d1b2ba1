#include "tests/lcsm/cuda/wkv/wkv_case.h"

#include <cmath>
#include <random>

#include "lcsm/cpu/wkv_cpu.h"

namespace lcsm::test {
namespace {

using std::size_t;

size_t wkv_case_rows_of(const WkvShape& s) {
  return static_cast<size_t>(s.B) * static_cast<size_t>(s.D);
}
size_t wkv_case_steps_of(const WkvShape& s) {
  return wkv_case_rows_of(s) * static_cast<size_t>(s.T);
}

}  // namespace

std::string name_of(const WkvShape& s) {
  return "T = " + std::to_string(s.T) + ", D = " + std::to_string(s.D) +
         (s.first ? ", continues" : "") + (s.processors > 1 ? ", split" : "") +
         (s.bfloat16 ? ", bfloat16" : ", float32");
}

Named random_wkv(const WkvShape& s, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<float> normal;
  const auto some = [&](size_t count, double size, bool data) {
    Numbers all(count);
    for (double& x : all)
      x = static_cast<double>(
          rounded(static_cast<float>(size) * normal(random), data && s.bfloat16));
    return all;
  };
  const auto D = static_cast<size_t>(s.D);
  Named in{{"k", some(wkv_case_steps_of(s), s.keys, true)},
           {"v", some(wkv_case_steps_of(s), 1, true)},
           {"d_y", some(wkv_case_steps_of(s), 1, true)},
           {"w", some(D, 1, false)},
           {"u", some(D, 1, false)}};
  for (double& w : in["w"]) w = static_cast<double>(static_cast<float>(s.decay * std::exp(w)));
  for (const char* name : {"mean", "log_sum", "d_mean", "d_log_sum"})
    if (s.first) in[name] = some(wkv_case_rows_of(s), 1, false);
  return in;
}

Named by_cpu(const WkvShape& s, const Named& in) {
  Named out{{"y", Numbers(wkv_case_steps_of(s))},
            {"d k", Numbers(wkv_case_steps_of(s))},
            {"d v", Numbers(wkv_case_steps_of(s))},
            {"mean", Numbers(wkv_case_rows_of(s))},
            {"log_sum", Numbers(wkv_case_rows_of(s))}};
  const auto D = static_cast<size_t>(s.D), of_sequence = static_cast<size_t>(s.T) * D;
  for (const char* name : {"d w", "d u"}) out[name] = Numbers(D);
  for (const char* name : {"d mean", "d log_sum"}) out[name] = Numbers(wkv_case_rows_of(s));
  for (size_t b = 0; b < static_cast<size_t>(s.B); ++b) {
    Numbers means(of_sequence), sums(of_sequence), none(D), d_w(D), d_u(D);
    const auto of = [&](const char* name, size_t width) {
      return in.count(name) ? in.at(name).data() + b * width : nullptr;
    };
    Wkv<double> wkv{.steps = s.T, .d = s.D};
    wkv.k = of("k", of_sequence), wkv.v = of("v", of_sequence);
    wkv.w = of("w", 0), wkv.u = of("u", 0);
    wkv.first_mean = of("mean", D), wkv.first_sum = of("log_sum", D);
    wkv.mean = means.data(), wkv.sum = sums.data();
    wkv.y = &out["y"][b * of_sequence];
    wkv_kernels<double>().forward(wkv);
    wkv.d_y = of("d_y", of_sequence);
    wkv.d_mean = s.first ? of("d_mean", D) : none.data();
    wkv.d_sum = s.first ? of("d_log_sum", D) : none.data();
    wkv.d_k = &out["d k"][b * of_sequence], wkv.d_v = &out["d v"][b * of_sequence];
    wkv.d_w = d_w.data(), wkv.d_u = d_u.data();
    wkv.d_first_mean = &out["d mean"][b * D], wkv.d_first_sum = &out["d log_sum"][b * D];
    wkv_kernels<double>().backward(wkv);
    for (size_t d = 0; d < D; ++d) {
      out["mean"][b * D + d] = means[of_sequence - D + d];
      out["log_sum"][b * D + d] = sums[of_sequence - D + d];
      out["d w"][d] += d_w[d], out["d u"][d] += d_u[d];
    }
  }
  return out;
}

Judged by_judge(const WkvShape& s, const Named& in, const Kernels& kernels, int orders,
                const ptx::Options& options) {
  JudgedDevice device(kernels, orders, options);
  const Allocate allocate = [&](const char* what, size_t n) { return device.allocate(what, n); };
  const auto floats = [&](const char* name) {
    return in.count(name) ? static_cast<const float*>(device.put(name, in.at(name), false))
                          : nullptr;
  };
  const auto result = [&](const char* name, size_t count) {
    return static_cast<float*>(device.result(name, count, false));
  };
  WkvWork work;
  work.bfloat16 = s.bfloat16;
  work.processors = s.processors;
  WkvCuda& wkv = work.wkv;
  wkv.B = s.B, wkv.T = s.T, wkv.D = s.D;
  wkv.k = device.put("k", in.at("k"), s.bfloat16), wkv.v = device.put("v", in.at("v"), s.bfloat16);
  wkv.w = floats("w"), wkv.u = floats("u");
  wkv.mean = floats("mean"), wkv.log_sum = floats("log_sum");
  wkv.last_mean = result("mean", wkv_case_rows_of(s)),
  wkv.last_log_sum = result("log_sum", wkv_case_rows_of(s));
  wkv.kept = static_cast<float*>(device.allocate("kept", wkv_kept_count(wkv) * sizeof(float)));
  wkv.y = device.result("y", wkv_case_steps_of(s), s.bfloat16);
  device.run(wkv_forward_calls(work, allocate));
  wkv.d_y = device.put("d_y", in.at("d_y"), s.bfloat16);
  wkv.d_mean = floats("d_mean"), wkv.d_log_sum = floats("d_log_sum");
  wkv.d_k = device.result("d k", wkv_case_steps_of(s), s.bfloat16);
  wkv.d_v = device.result("d v", wkv_case_steps_of(s), s.bfloat16);
  wkv.d_first_mean = result("d mean", wkv_case_rows_of(s));
  wkv.d_first_log_sum = result("d log_sum", wkv_case_rows_of(s));
  work.d_w_u = result("d w u", 2 * static_cast<size_t>(s.D));
  device.run(wkv_backward_calls(work, allocate));
  Judged judged = device.judged();
  const Numbers both = judged.values.extract("d w u").mapped();
  const auto half = both.begin() + s.D;
  judged.values["d w"] = Numbers(both.begin(), half);
  judged.values["d u"] = Numbers(half, both.end());
  return judged;
}

}  // namespace lcsm::test
