#include "tests/lcsm/cuda/chunk/chunk_case.h"

#include <cmath>
#include <random>

namespace lcsm::test {
namespace {

using std::size_t;

bool over_k(Decays decays) { return decays == Decays::kRows || decays == Decays::kBoth; }
bool over_d(Decays decays) { return decays >= Decays::kChannels; }
bool one_for_rows(Decays decays) {
  return decays == Decays::kOne || decays == Decays::kOneAndChannels;
}
size_t steps_of(const ChunkShape& s) { return static_cast<size_t>(s.B * s.T); }
size_t memories_of(const ChunkShape& s) { return static_cast<size_t>(s.B * s.K * s.D); }
size_t log_k_width(const ChunkShape& s) {
  return one_for_rows(s.decays) ? 1 : static_cast<size_t>(s.K);
}
// nullptr: there is none.
template <class Map>
auto* found(Map& all, const std::string& name) {
  const auto at = all.find(name);
  return at == all.end() ? nullptr : &at->second;
}

}  // namespace

std::string name_of(const ChunkShape& s) {
  constexpr const char* kNames[] = {"no decay", "one decay", "k",
                                    "d",        "k and d",   "one decay and d"};
  return std::string(kNames[static_cast<int>(s.decays)]) + ", T = " + std::to_string(s.T) + ", " +
         std::to_string(s.K) + " x " + std::to_string(s.D) + ", " + std::to_string(s.processors) +
         " processors, -log o = " + std::to_string(s.strength) +
         (s.bfloat16 ? ", bfloat16" : ", float32") + (s.kernels == 1 ? ", fused" : "");
}

bool can_fuse(const ChunkShape& s) {
  return s.bfloat16 && s.K <= 64 && s.D <= 64 && !over_d(s.decays);
}

Named random_chunk(const ChunkShape& s, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<float> normal;
  const auto some = [&](size_t count, bool data) {
    Numbers all(count);
    for (double& x : all) x = static_cast<double>(rounded(normal(random), data && s.bfloat16));
    return all;
  };
  // Exponential: some steps decay ten times as strongly as the mean.
  const auto logs = [&](size_t count) {
    std::exponential_distribution<double> decay(1 / s.strength);
    Numbers all(count);
    for (size_t n = 0; n < count; ++n) {
      const size_t t = n / (count / steps_of(s)) % static_cast<size_t>(s.T) % kChunkRows;
      const float log = -static_cast<float>(decay(random));
      if (t < static_cast<size_t>(s.strong)) all[n] = static_cast<double>(rounded(log, s.bfloat16));
    }
    return all;
  };
  const size_t steps = steps_of(s), K = static_cast<size_t>(s.K), D = static_cast<size_t>(s.D);
  Named in{{"i", some(steps * D, true)},
           {"d_y", some(steps * D, true)},
           {"e", some(steps * K, true)},
           {"s", some(steps * K, true)}};
  if (over_k(s.decays) || one_for_rows(s.decays)) in["log_k"] = logs(steps * log_k_width(s));
  if (over_d(s.decays)) in["log_d"] = logs(steps * D);
  for (const char* name : {"m", "d_m"})
    if (s.first) in[name] = some(memories_of(s), false);
  return in;
}

Named by_definition(const ChunkShape& s, const Named& in) {
  const auto T = static_cast<size_t>(s.T), K = static_cast<size_t>(s.K),
             D = static_cast<size_t>(s.D), width = log_k_width(s);
  const bool one = one_for_rows(s.decays);
  Named out{{"y", Numbers(steps_of(s) * D)}, {"m", Numbers(memories_of(s))}};
  for (const auto& [name, values] : in)
    if (name != "d_y" && name != "d_m" && name != "m") out["d " + name] = Numbers(values.size());
  out["d m"] = Numbers(memories_of(s));
  const Numbers &i = in.at("i"), &e = in.at("e"), &shrink = in.at("s"), &d_y = in.at("d_y");
  const Numbers *const log_k = found(in, "log_k"), *const log_d = found(in, "log_d");
  const Numbers *const first = found(in, "m"), *const d_last = found(in, "d_m");
  Numbers &y = out.at("y"), &last = out.at("m"), &d_first = out.at("d m");
  Numbers &d_i = out.at("d i"), &d_e = out.at("d e"), &d_s = out.at("d s");
  Numbers *const d_log_k = found(out, "d log_k"), *const d_log_d = found(out, "d log_d");
  Numbers m(T + 1), o(T);
  for (size_t b = 0; b < static_cast<size_t>(s.B); ++b)
    for (size_t k = 0; k < K; ++k)
      for (size_t d = 0; d < D; ++d) {
        const size_t cell = (b * K + k) * D + d;
        m[0] = first ? (*first)[cell] : 0;
        for (size_t t = 0; t < T; ++t) {
          const size_t step = b * T + t, at_k = step * K + k, at_d = step * D + d;
          o[t] = std::exp((log_k ? (*log_k)[step * width + (one ? 0 : k)] : 0) +
                          (log_d ? (*log_d)[at_d] : 0));
          m[t + 1] = o[t] * m[t] + e[at_k] * i[at_d];
          y[at_d] += shrink[at_k] * m[t + 1];
        }
        last[cell] = m[T];
        double d_m = d_last ? (*d_last)[cell] : 0;
        for (size_t t = T; t-- > 0;) {
          const size_t step = b * T + t, at_k = step * K + k, at_d = step * D + d;
          d_m += shrink[at_k] * d_y[at_d];
          d_s[at_k] += m[t + 1] * d_y[at_d];
          d_e[at_k] += d_m * i[at_d];
          d_i[at_d] += d_m * e[at_k];
          const double d_log = o[t] * m[t] * d_m;
          if (d_log_k) (*d_log_k)[one ? step : at_k] += d_log;
          if (d_log_d) (*d_log_d)[at_d] += d_log;
          d_m *= o[t];
        }
        d_first[cell] = d_m;
      }
  return out;
}

ChunkInputCuda put_rows(JudgedDevice& device, const std::string& name, const Numbers& rows, int T,
                        size_t width, int offset, int padding, bool bfloat16) {
  const size_t stride = width + static_cast<size_t>(padding);
  Numbers spread(static_cast<size_t>(offset) + rows.size() / width * stride, NAN);
  for (size_t n = 0; n < rows.size(); ++n)
    spread[static_cast<size_t>(offset) + n / width * stride + n % width] = rows[n];
  char* const at = static_cast<char*>(device.put(name, spread, bfloat16));
  return {at + offset * (bfloat16 ? 2 : 4), T * static_cast<long long>(stride),
          static_cast<long long>(stride)};
}

namespace {

// The device's side of a case.
class ChunkDevice {
 public:
  ChunkDevice(const ChunkShape& shape, const Named& in, JudgedDevice& device)
      : s_(shape), in_(in), device_(device) {
    ChunkCuda& c = work_.chunk;
    work_.bfloat16 = s_.bfloat16;
    work_.processors = s_.processors;
    work_.choices = Choices().with(Choice::kWalkKernels, s_.kernels);
    c.enters = s_.first;
    c.B = s_.B, c.T = s_.T, c.K = s_.K, c.D = s_.D;
    const auto K = static_cast<size_t>(s_.K), D = static_cast<size_t>(s_.D);
    c.i = data("i", D), c.d_y = data("d_y", D);
    c.e = data("e", K), c.s = data("s", K);
    c.one_log_k = one_for_rows(s_.decays);
    if (in.count("log_k")) c.log_k = data("log_k", log_k_width(s_));
    if (in.count("log_d")) c.log_d = data("log_d", D);
    if (s_.backward)
      c.kept = device.allocate("kept", chunk_kept_count(work_) * (s_.bfloat16 ? 2 : 4));
  }

  void forward() {
    ChunkCuda& c = work_.chunk;
    work_.first = first("m");
    c.last = last("m");
    c.to_y = result("y", "i");
    device_.run(chunk_forward_calls(work_, allocate_));
  }
  void backward() {
    ChunkCuda& c = work_.chunk;
    c.y = c.to_y;
    work_.first = first("d_m");
    c.last = last("d m");
    c.d_i = result("d i", "i");
    work_.d_e = result("d e", "e");
    work_.d_s = result("d s", "s");
    if (in_.count("log_k")) work_.d_log_k = result("d log_k", "log_k");
    if (in_.count("log_d")) c.d_log_d = result("d log_d", "log_d");
    device_.run(chunk_backward_calls(work_, allocate_));
  }

 private:
  ChunkInputCuda data(const char* name, size_t width) {
    return put_rows(device_, name, in_.at(name), s_.T, width, s_.offset, s_.padding, s_.bfloat16);
  }
  const float* first(const char* name) {
    return s_.first ? static_cast<const float*>(device_.put(name, in_.at(name), false)) : nullptr;
  }
  float* last(const char* name) {
    return s_.last ? static_cast<float*>(device_.result(name, memories_of(s_), false)) : nullptr;
  }
  // Allocates a result in the shape of an input.
  void* result(const char* name, const char* of) {
    return device_.result(name, in_.at(of).size(), s_.bfloat16);
  }

  const ChunkShape s_;
  const Named& in_;
  JudgedDevice& device_;
  const Allocate allocate_ = [this](const char* what, size_t n) {
    return device_.allocate(what, n);
  };
  ChunkWork work_;
};

}  // namespace

Judged by_judge(const ChunkShape& shape, const Named& inputs, const Kernels& kernels, int orders,
                const ptx::Options& options) {
  JudgedDevice device(kernels, orders, options);
  ChunkDevice chunk(shape, inputs, device);
  chunk.forward();
  if (shape.backward) chunk.backward();
  return device.judged();
}

}  // namespace lcsm::test
