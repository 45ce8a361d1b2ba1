#include "tests/lcsm/kernel/scan_case.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "lcsm/cpu/scan_cpu.h"
#include "lcsm/kernel/built_in.h"
#include "lcsm/tape/scan_gate.h"

namespace lcsm::test {
namespace {

std::string leaf_name(std::size_t n) { return "leaf " + std::to_string(n); }

// What a leaf varies over, as the strides of its tensor.
struct LeafShape {
  std::int64_t b = 0, t = 0, k = 0, count = 1;
};
LeafShape shape_of(Spread spread, bool over_k, const ScanShape& s) {
  const std::int64_t K = over_k ? s.K : 1;
  switch (spread) {
    case Spread::kCells:
      return {std::int64_t{s.T} * s.D, s.D, 0, std::int64_t{s.B} * s.T * s.D};
    case Spread::kSteps:
      return {s.T * K, K, over_k ? 1 : 0, s.B * s.T * K};
    case Spread::kChannels:
      return {0, 0, over_k ? s.D : 0, K * s.D};
    default:
      return {0, 0, over_k ? 1 : 0, K};
  }
}
bool over_data(Spread spread) { return spread == Spread::kCells || spread == Spread::kSteps; }

template <class Do>
void each_leaf(const ScanGateCase& gate, const ScanShape& shape, const Do& work) {
  for (std::size_t n = 0; n < gate.over_k.size(); ++n)
    work(n, gate.tape.values[n].spread,
         shape_of(gate.tape.values[n].spread, gate.over_k[n], shape));
}

}  // namespace

ScanGateCase built_in(const std::string& code) {
  for (BuiltInScan scan : built_in_scans())
    if (std::find(scan.codes.begin(), scan.codes.end(), code) != scan.codes.end())
      return {std::move(scan.tape), std::move(scan.over_k), scan.form};
  throw std::invalid_argument(code + " is no code of the fused scan");
}

ScanGateCase every_leaf() {
  Catalogue catalogue;
  catalogue.add(make_oscillation({.name = "mine",
                                  .o = "sigmoid(p_d * w_kd + p) * sigmoid(p_k + p_d2 + w)",
                                  .help = "a test"}));
  ScanGate gate = scan_gate(make_variant(parse_code("1-mine-1-0", catalogue), catalogue));
  ScanGateCase made{std::move(gate.tape), {}, {}};
  for (const Leaf& leaf : gate.inside.leaves) made.over_k.push_back(leaf.type.k);
  return made;
}

Named random_inputs(const ScanGateCase& gate, const ScanShape& s, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<float> normal;
  const auto some = [&](std::int64_t count, bool data) {
    Numbers all(static_cast<std::size_t>(count));
    for (double& x : all) x = static_cast<double>(rounded(normal(random), data && s.bfloat16));
    return all;
  };
  const std::int64_t steps = std::int64_t{s.B} * s.T, cells = std::int64_t{s.K} * s.D;
  const auto stage = [&](bool is_static) {
    return is_static ? some(cells, false) : some(steps * s.K, true);
  };
  Named in{{"i", some(steps * s.D, true)}, {"d_y", some(steps * s.D, true)}};
  if (gate.tape.w < 0) in["e"] = stage(gate.form.static_e);
  in["s"] = stage(gate.form.static_s);
  each_leaf(gate, s, [&](std::size_t n, Spread spread, const LeafShape& leaf) {
    Numbers& values = in[leaf_name(n)] = some(leaf.count, over_data(spread));
    if (static_cast<int>(n) != gate.tape.o) return;
    for (double& x : values)  // the gate itself: within (-1, 1)
      x = static_cast<double>(rounded(static_cast<float>(std::tanh(x)), s.bfloat16));
  });
  for (const char* name : {"m", "d_m"})
    if (s.first) in[name] = some(s.B * cells, false);
  return in;
}

Named by_cpu(const ScanGateCase& gate, const ScanShape& s, const Named& in) {
  const std::int64_t block = std::min<std::int64_t>(scan_block_steps(s.K, s.D), s.T);
  const auto memory = static_cast<std::size_t>(s.B * s.K * s.D);
  Named out{{"y", Numbers(in.at("i").size())}, {"m", s.first ? in.at("m") : Numbers(memory)}};
  Numbers states(static_cast<std::size_t>((s.T + block - 1) / block) * memory);
  Scan<double> scan;
  scan.tape = &gate.tape;
  scan.B = s.B, scan.steps = s.T, scan.K = s.K, scan.D = s.D;
  scan.i = in.at("i").data();
  if (gate.tape.w < 0) scan.e = {in.at("e").data(), gate.form.static_e};
  scan.s = {in.at("s").data(), gate.form.static_s};
  each_leaf(gate, s, [&](std::size_t n, Spread, const LeafShape& leaf) {
    scan.leaves.push_back({in.at(leaf_name(n)).data(), leaf.b, leaf.t, leaf.k});
  });
  scan.states = states.data();
  scan.y = out["y"].data();
  scan.memory = out["m"].data();
  const auto run = [&](auto pass) {
    for (std::int64_t b = 0; b < s.B; ++b) pass(scan, ScanPart{b, 0, s.D, 0, s.K, 0, 0, 0});
  };
  run(scan_kernels<double>().forward);
  for (const auto& [name, values] : in)
    if (name != "d_y" && name != "d_m" && name != "m") out["d " + name] = Numbers(values.size());
  out["d m"] = s.first ? in.at("d_m") : Numbers(memory);
  scan.d_y = in.at("d_y").data();
  scan.memory = out["d m"].data();
  scan.d.i = out["d i"].data();
  if (gate.tape.w < 0) scan.d.e = out["d e"].data();
  scan.d.s = out["d s"].data();
  for (std::size_t n = 0; n < gate.over_k.size(); ++n)
    scan.d.leaves.push_back(out["d " + leaf_name(n)].data());
  run(scan_kernels<double>().backward);
  return out;
}

namespace {

// The device's side of a case.
class ScanDevice {
 public:
  ScanDevice(const ScanGateCase& gate, const ScanShape& shape, const Named& in,
             JudgedDevice& device)
      : gate_(gate), s_(shape), in_(in), device_(device) {
    ScanCuda& scan = work_.scan;
    work_.tape = &gate.tape;
    work_.form = gate.form;
    work_.bfloat16 = s_.bfloat16;
    work_.processors = s_.processors;
    scan.B = s_.B, scan.T = s_.T, scan.K = s_.K, scan.D = s_.D;
    scan.i = data("i", s_.D);
    scan.d_y = data("d_y", s_.D);
    if (gate.tape.w < 0) scan.e = stage("e", gate.form.static_e);
    scan.s = stage("s", gate.form.static_s);
    each_leaf(gate, s_, [&](std::size_t n, Spread spread, const LeafShape& leaf) {
      scan.leaves[n] = {put(leaf_name(n), over_data(spread)), leaf.b, leaf.t, leaf.k};
    });
    scan.kept = static_cast<float*>(device.allocate("kept", scan_kept_count(scan) * sizeof(float)));
  }

  void run() {
    const Allocate space = [this](const char* what, std::size_t n) {
      return device_.allocate(what, n);
    };
    work_.first = first("m");
    work_.scan.memory = static_cast<float*>(result("m", memory(), false));
    work_.y = result("y", in_.at("i").size(), true);
    device_.run(scan_forward_calls(work_, space));
    work_.first = first("d_m");
    work_.scan.memory = static_cast<float*>(result("d m", memory(), false));
    work_.d_i = result("d i", in_.at("i").size(), true);
    if (gate_.tape.w < 0) work_.d_e = result("d e", in_.at("e").size(), !gate_.form.static_e);
    work_.d_s = result("d s", in_.at("s").size(), !gate_.form.static_s);
    each_leaf(gate_, s_, [&](std::size_t n, Spread spread, const LeafShape& leaf) {
      work_.d_leaves.push_back(
          result("d " + leaf_name(n), static_cast<std::size_t>(leaf.count), over_data(spread)));
    });
    device_.run(scan_backward_calls(work_, space));
  }

 private:
  std::size_t memory() const { return static_cast<std::size_t>(s_.B * s_.K * s_.D); }
  void* put(const std::string& name, bool data) {
    return device_.put(name, in_.at(name), data && s_.bfloat16);
  }
  ScanInputCuda data(const char* name, std::int64_t width) {
    return {put(name, true), s_.T * width, width, 1};
  }
  ScanInputCuda stage(const char* name, bool is_static) {
    return is_static ? ScanInputCuda{put(name, false), 0, 0, s_.D} : data(name, s_.K);
  }
  const float* first(const char* name) {
    return s_.first ? static_cast<const float*>(put(name, false)) : nullptr;
  }
  void* result(const std::string& name, std::size_t count, bool data) {
    return device_.result(name, count, data && s_.bfloat16);
  }

  const ScanGateCase& gate_;
  const ScanShape s_;
  const Named& in_;
  JudgedDevice& device_;
  ScanWork work_;
};

}  // namespace

Judged by_judge(const ScanGateCase& gate, const ScanShape& shape, const Named& inputs,
                const Kernels& kernels, int orders, const ptx::Options& options) {
  JudgedDevice device(kernels, orders, options);
  ScanDevice(gate, shape, inputs, device).run();
  return device.judged();
}

}  // namespace lcsm::test
