#include "tests/lcsm/cuda/scan/scan_case.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include "lcsm/cpu/scan/complex_scan_cpu.h"
#include "lcsm/cpu/scan/scan_cpu.h"
#include "lcsm/cuda/scan/built_in.h"
#include "lcsm/cuda/scan/scan_calls.h"
#include "lcsm/cuda/scan/tape_source.h"
#include "lcsm/formula/complex_parts.h"
#include "lcsm/tape/complex_gate.h"
#include "lcsm/tape/scan_gate.h"

namespace lcsm::test {
namespace {

std::string leaf_name(std::size_t n) { return "leaf " + std::to_string(n); }

// The axes that a leaf varies over, as the strides of its tensor.
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
std::int64_t memory_of(const ScanGateCase& gate, const ScanShape& s) {
  return static_cast<std::int64_t>(parts_of(gate.tape)) * s.B * s.K * s.D;
}
// True if a leaf is the gate, or one of its parts.
bool is_gate(const Tape& tape, int leaf) {
  if (tape.parts.empty()) return leaf == tape.o;
  const auto end = tape.parts.begin() + static_cast<std::ptrdiff_t>(parts_of(tape));
  return std::any_of(tape.parts.begin(), end,
                     [&](const TapePart& part) { return part.value == leaf; });
}
// True if a leaf has the launch's type.
bool is_typed(const ScanGateCase& gate, Spread spread) {
  return !gate.tape.exact && (spread == Spread::kCells || spread == Spread::kSteps);
}

template <class Do>
void each_leaf(const ScanGateCase& gate, const ScanShape& shape, const Do& work) {
  for (std::size_t n = 0; n < gate.over_k.size(); ++n)
    work(n, gate.tape.values[n].spread,
         shape_of(gate.tape.values[n].spread, gate.over_k[n], shape));
}

}  // namespace

ScanGateCase built_in(const std::string& code) {
  for (BuiltInScan scan : code.ends_with("-k1") ? built_in_channel_scans() : built_in_scans())
    if (std::find(scan.codes.begin(), scan.codes.end(), code) != scan.codes.end())
      return {std::move(scan.tape), std::move(scan.over_k), scan.form};
  throw std::invalid_argument(code + " is no code of the fused scan");
}

ScanForm form_of(const ScanGateCase& gate, const ScanShape& shape) {
  ScanForm form = gate.form;
  form.channels = scans_channels(gate.tape, shape.K);
  return form;
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

ScanGateCase complex_case(const std::string& code, const OscillationText& mine) {
  Catalogue catalogue;
  if (!mine.name.empty()) catalogue.add(make_oscillation(mine));
  const Variant v = make_variant(parse_code(code, catalogue), catalogue);
  ComplexGate gate = complex_gate(v, v.s_static() && v.is_complex() && !v.has_unit_stages());
  const auto kind = [](bool is_static) { return is_static ? StageKind::kNone : StageKind::kData; };
  ScanGateCase made{std::move(gate.tape), {}, {kind(v.e_static()), kind(v.s_static())}};
  for (const Leaf& leaf : gate.inside.leaves) made.over_k.push_back(leaf.type.k);
  return made;
}

namespace {

// A tape of weights over both axes, w_kd first, and of p, which is 1 where a kept block begins.
Tape tape_of_weights(std::initializer_list<const char*> weights) {
  std::vector<Expr> parts;
  std::set<Symbol> all;
  for (const char* weight : weights) {
    const ComplexParts of = complex_parts(parse_formula(weight, FormulaUse::kAny));
    for (const Expr& part : {of.re, of.im}) {
      parts.push_back(part);
      for (const Symbol& s : symbols_of(part)) all.insert(s);
    }
  }
  std::vector<TapeLeaf> leaves;
  for (const Symbol& s : all)
    if (s.axes == Axes::kKD) leaves.push_back({s, Spread::kChannels, true});
  for (const Symbol& s : all)
    if (s.axes != Axes::kKD) leaves.push_back({s, Spread::kSteps, true});
  return make_tape(parts, leaves);
}
constexpr const char *kWrite = "complex(w_kd3, w_kd4)", *kRead = "complex(w_kd5, w_kd6)";

}  // namespace

ScanGateCase drifting_case() {
  return {tape_of_weights({"complex(w_kd, w_kd2)", kWrite, kRead}),
          std::vector<bool>(6, true),
          {},
          true};
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
  Named in{{"i", some(steps * s.D, true)}, {"d_y", some(steps * s.D, true)}};
  const auto stage = [&](const char* name, StageKind is) {
    if (is != StageKind::kNone)
      in[name] = is == StageKind::kStatic ? some(cells, false) : some(steps * s.K, true);
  };
  stage("e", gate.form.e);
  stage("s", gate.form.s);
  each_leaf(gate, s, [&](std::size_t n, Spread spread, const LeafShape& leaf) {
    Numbers& values = in[leaf_name(n)] = some(leaf.count, is_typed(gate, spread));
    if (!is_gate(gate.tape, static_cast<int>(n))) return;
    const double most = parts_of(gate.tape) == 2 ? 0.7 : 1;
    for (double& x : values)  // within (-1, 1)
      x = static_cast<double>(
          rounded(static_cast<float>(most * std::tanh(x)), is_typed(gate, spread) && s.bfloat16));
  });
  if (gate.drifts)
    for (double& x : in["drift"] = some(2 * cells, false)) x /= 4;
  for (const char* name : {"m", "d_m"})
    if (s.first) in[name] = some(memory_of(gate, s), false);
  return in;
}

namespace {

// Replaces a drifting o by o (1 + drift) at the first step of each whole block.
Named without_drift(const ScanShape& s, Named in) {
  const ScanGateCase gate{
      tape_of_weights({"complex(w_kd, w_kd2) * (1 + p * complex(w_kd7, w_kd8))", kWrite, kRead}),
      {true, true, true, true, true, true, true, true, false},
      {}};
  const Numbers drift = in.extract("drift").mapped();
  const auto half = drift.begin() + static_cast<std::ptrdiff_t>(drift.size() / 2);
  in[leaf_name(6)] = Numbers(drift.begin(), half);
  in[leaf_name(7)] = Numbers(half, drift.end());
  Numbers& begins = in[leaf_name(8)];
  for (int n = 0; n < s.B * s.T; ++n)
    begins.push_back(n % s.T % kScanBlock == 0 && n % s.T + kScanBlock <= s.T);
  Named out = by_cpu(gate, s, in);
  for (const std::size_t n : {6, 7, 8}) out.erase("d " + leaf_name(n));
  return out;
}

}  // namespace

Named by_cpu(const ScanGateCase& gate, const ScanShape& s, const Named& in) {
  if (gate.drifts) return without_drift(s, in);
  const std::int64_t block = std::min<std::int64_t>(scan_block_steps(s.K, s.D), s.T);
  const auto memory = static_cast<std::size_t>(memory_of(gate, s));
  Named out{{"y", Numbers(in.at("i").size())}, {"m", s.first ? in.at("m") : Numbers(memory)}};
  Numbers states(static_cast<std::size_t>((s.T + block - 1) / block) * memory);
  Scan<double> scan;
  scan.tape = &gate.tape;
  scan.B = s.B, scan.steps = s.T, scan.K = s.K, scan.D = s.D;
  scan.parts = static_cast<std::int64_t>(parts_of(gate.tape));
  scan.i = in.at("i").data();
  if (in.contains("e")) scan.e = {in.at("e").data(), gate.form.e == StageKind::kStatic};
  if (in.contains("s")) scan.s = {in.at("s").data(), gate.form.s == StageKind::kStatic};
  each_leaf(gate, s, [&](std::size_t n, Spread, const LeafShape& leaf) {
    scan.leaves.push_back({in.at(leaf_name(n)).data(), leaf.b, leaf.t, leaf.k});
  });
  scan.states = states.data();
  scan.y = out["y"].data();
  scan.memory = out["m"].data();
  const auto run = [&](auto pass) {
    for (std::int64_t b = 0; b < s.B; ++b) pass(scan, ScanPart{b, 0, s.D, 0, s.K, 0, 0, 0});
  };
  const lcsm::ScanKernels<double>& kernels =
      gate.tape.parts.empty() ? scan_kernels<double>() : complex_scan_kernels<double>();
  run(kernels.forward);
  for (const auto& [name, values] : in)
    if (name != "d_y" && name != "d_m" && name != "m") out["d " + name] = Numbers(values.size());
  out["d m"] = s.first ? in.at("d_m") : Numbers(memory);
  scan.d_y = in.at("d_y").data();
  scan.memory = out["d m"].data();
  scan.d.i = out["d i"].data();
  if (in.contains("e")) scan.d.e = out["d e"].data();
  if (in.contains("s")) scan.d.s = out["d s"].data();
  for (std::size_t n = 0; n < gate.over_k.size(); ++n)
    scan.d.leaves.push_back(out["d " + leaf_name(n)].data());
  run(kernels.backward);
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
    work_.form = form_of(gate, s_);
    work_.bfloat16 = s_.bfloat16;
    work_.processors = s_.processors;
    scan.B = s_.B, scan.T = s_.T, scan.K = s_.K, scan.D = s_.D;
    scan.i = data("i", s_.D);
    scan.d_y = data("d_y", s_.D);
    scan.e = stage("e", gate.form.e);
    scan.s = stage("s", gate.form.s);
    each_leaf(gate, s_, [&](std::size_t n, Spread spread, const LeafShape& leaf) {
      scan.leaves[n] = {put(leaf_name(n), is_typed(gate, spread)), leaf.b, leaf.t, leaf.k};
    });
    if (gate.drifts) scan.drift = static_cast<const float*>(put("drift", false));
    scan.kept = device.allocate("kept", scan_kept_bytes(work_));
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
    work_.d_e = gradient("e", gate_.form.e);
    work_.d_s = gradient("s", gate_.form.s);
    each_leaf(gate_, s_, [&](std::size_t n, Spread spread, const LeafShape& leaf) {
      work_.d_leaves.push_back(result("d " + leaf_name(n), static_cast<std::size_t>(leaf.count),
                                      is_typed(gate_, spread)));
    });
    device_.run(scan_backward_calls(work_, space));
  }

 private:
  std::size_t memory() const { return static_cast<std::size_t>(memory_of(gate_, s_)); }
  void* put(const std::string& name, bool data) {
    return device_.put(name, in_.at(name), data && s_.bfloat16);
  }
  ScanInputCuda data(const char* name, std::int64_t width) {
    return {put(name, true), s_.T * width, width, 1};
  }
  ScanInputCuda stage(const char* name, StageKind is) {
    if (is == StageKind::kNone) return {};
    return is == StageKind::kStatic ? ScanInputCuda{put(name, false), 0, 0, s_.D}
                                    : data(name, s_.K);
  }
  void* gradient(const std::string& of, StageKind is) {
    if (is == StageKind::kNone) return nullptr;
    return result("d " + of, in_.at(of).size(), is == StageKind::kData);
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
