#include "lcsm/layer/scan_op.h"

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>
#include <numeric>

#include "lcsm/cpu/scan_cpu.h"

namespace lcsm {
namespace {

using at::Tensor;

constexpr std::int64_t kCellsPerThread = 50000;  // about ten microseconds

constexpr std::int64_t kRowsOfShare = 8;  // below, packing i and adding up y is most of the work

// Sequences times groups of channels times shares of the memory's rows, in a fixed assignment to
// workers.
struct Shares {
  template <class T>
  static Shares of(const Scan<T>& scan) {
    Shares shares;
    const std::int64_t cells = scan.B * scan.steps * scan.K * scan.D;
    const std::int64_t threads =
        std::clamp<std::int64_t>(cells / kCellsPerThread, 1, at::get_num_threads());
    const std::int64_t most = (scan.D + scan_kernels<T>().lanes - 1) / scan_kernels<T>().lanes;
    if (scan.B < 4 * threads) shares.channels = std::min(threads / std::gcd(threads, scan.B), most);
    // Rows are shared only where sequences and channels are fewer than threads.
    shares.rows = std::clamp<std::int64_t>(threads / (scan.B * shares.channels), 1,
                                           std::max<std::int64_t>(1, scan.K / kRowsOfShare));
    shares.groups = shares.channels * shares.rows;
    shares.tasks = scan.B * shares.groups;
    shares.workers = std::min(threads, shares.tasks);
    return shares;
  }

  template <class T>
  void run(const Scan<T>& scan, void (*work)(const Scan<T>&, const ScanPart&)) const {
    const std::int64_t lanes = scan_kernels<T>().lanes, units = (scan.D + lanes - 1) / lanes;
    const auto share = [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t worker = begin; worker < end; ++worker)
        for (std::int64_t n = tasks * worker / workers; n < tasks * (worker + 1) / workers; ++n) {
          const std::int64_t group = n % groups, c = group / rows, r = group % rows;
          work(scan, {.b = n / groups,
                      .first = units * c / channels * lanes,
                      .last = std::min(scan.D, units * (c + 1) / channels * lanes),
                      .first_k = scan.K * r / rows,
                      .last_k = scan.K * (r + 1) / rows,
                      .share = r,
                      .group = group,
                      .worker = worker});
        }
    };
    if (workers == 1) return share(0, 1);
    at::parallel_for(0, workers, 1, share);
  }

  std::int64_t channels = 1, rows = 1, groups = 1, tasks = 1, workers = 1;
};

class ScanMachine : public Operation {
 public:
  ScanMachine(std::shared_ptr<const Tape> tape, std::int64_t K, bool has_e, bool continues,
              bool learns)
      : tape_(std::move(tape)), K_(K), has_e_(has_e), continues_(continues), learns_(learns) {
    results = 2;
  }

  // y, m, and the memories before the blocks.
  Tensors forward(const Tensors& inputs) const override {
    const ScanInputs in = named(inputs);
    const std::int64_t B = in.i.size(0), T_ = in.i.size(1), D = in.i.size(2);
    const std::int64_t block = std::min(scan_block_steps(K_, D), T_);
    Tensor y;
    const Tensor m = in.m.defined() ? in.m.clone() : at::zeros({B, K_, D}, in.i.options());
    const Tensor states =
        at::empty({B, learns_ ? (T_ + block - 1) / block : 0, K_, D}, in.i.options());
    AT_DISPATCH_FLOATING_TYPES(in.i.scalar_type(), "scan_machine", [&] {
      Scan<scalar_t> scan = scan_of<scalar_t>(in);
      scan.states = learns_ ? data<scalar_t>(states) : nullptr;
      const Shares shares = Shares::of(scan);
      y = shared(in.i, shares);
      scan.y = data<scalar_t>(y);
      scan.memory = data<scalar_t>(m);
      shares.run(scan, scan_kernels<scalar_t>().forward);
    });
    return {joined(y), m, states};
  }

  Tensors backward(const Tensors& inputs, const Tensors& outputs,
                   const Tensors& d_outputs) const override {
    const ScanInputs in = named(inputs);
    const Tensor d_y =
        d_outputs[0].defined() ? d_outputs[0].contiguous() : at::zeros_like(outputs[0]);
    const Tensor d_m = d_outputs[1].defined() ? d_outputs[1].clone(at::MemoryFormat::Contiguous)
                                              : at::zeros_like(outputs[1]);
    Tensors result;
    AT_DISPATCH_FLOATING_TYPES(in.i.scalar_type(), "scan_machine_backward", [&] {
      Scan<scalar_t> scan = scan_of<scalar_t>(in);
      scan.states = data<scalar_t>(outputs[2]);
      scan.memory = data<scalar_t>(d_m);
      scan.d_y = data<scalar_t>(d_y);
      result = gradients(in, scan);
    });
    if (continues_) result.push_back(d_m);
    return result;
  }

 private:
  ScanInputs named(const Tensors& inputs) const {
    auto next = inputs.begin();
    ScanInputs in;
    in.i = *next++;
    in.s = *next++;
    if (has_e_) in.e = *next++;
    while (in.leaves.size() < leaves()) in.leaves.push_back(*next++);
    if (continues_) in.m = *next++;
    return in;
  }
  std::size_t leaves() const {
    return static_cast<std::size_t>(
        std::count_if(tape_->values.begin(), tape_->values.end(),
                      [](const TapeValue& value) { return value.leaf >= 0; }));
  }
  bool over_data(std::size_t n) const {
    const Spread spread = tape_->values[n].spread;
    return spread == Spread::kCells || spread == Spread::kSteps;
  }

  template <class T>
  Scan<T> scan_of(const ScanInputs& in) const {
    Scan<T> scan;
    scan.tape = tape_.get();
    scan.B = in.i.size(0);
    scan.steps = in.i.size(1);
    scan.K = K_;
    scan.D = in.i.size(2);
    scan.i = data<T>(in.i);
    scan.e = {data<T>(in.e), in.e.defined() && in.e.dim() == 2};
    scan.s = {data<T>(in.s), in.s.dim() == 2};
    for (std::size_t n = 0; n < in.leaves.size(); ++n) {
      const Tensor& leaf = in.leaves[n];
      const Spread spread = tape_->values[n].spread;
      ScanLeaf<T> at{data<T>(leaf)};
      if (over_data(n)) at.b = leaf.stride(0), at.t = leaf.stride(1);
      if (spread == Spread::kSteps && leaf.dim() == 3) at.k = 1;
      if (spread == Spread::kChannels && leaf.dim() == 2) at.k = scan.D;
      if (spread == Spread::kNumber && leaf.dim() == 1) at.k = 1;
      scan.leaves.push_back(at);
    }
    return scan;
  }

  // Space for each share's part of [B, T, D].
  static Tensor shared(const Tensor& like, const Shares& shares) {
    if (shares.rows == 1) return at::empty_like(like);
    return at::empty({shares.rows, like.size(0), like.size(1), like.size(2)}, like.options());
  }
  static Tensor joined(const Tensor& shared) { return shared.dim() == 3 ? shared : shared.sum(0); }
  // Space for a gradient by group or by worker; its first index is summed afterwards.
  static Tensor space(const Tensor& like, std::int64_t copies) {
    std::vector<std::int64_t> shape{copies};
    shape.insert(shape.end(), like.sizes().begin(), like.sizes().end());
    return at::zeros(shape, like.options());
  }
  static Tensor summed(const Tensor& copies) {
    return copies.size(0) == 1 ? copies.select(0, 0) : copies.sum(0);
  }

  // d_i, d_s, d_e, the leaves.
  template <class T>
  Tensors gradients(const ScanInputs& in, Scan<T>& scan) const {
    const Shares shares = Shares::of(scan);
    const auto copies = [&](bool is_static) { return is_static ? shares.workers : shares.groups; };
    const Tensor d_i = shared(in.i, shares), d_s = space(in.s, copies(scan.s.is_static));
    const Tensor d_e = in.e.defined() ? space(in.e, copies(scan.e.is_static)) : Tensor();
    scan.d.i = data<T>(d_i);
    scan.d.e = data<T>(d_e);
    scan.d.s = data<T>(d_s);
    Tensors d_leaves;
    for (std::size_t n = 0; n < in.leaves.size(); ++n) {
      const bool cells = tape_->values[n].spread == Spread::kCells;
      d_leaves.push_back(space(in.leaves[n], cells ? shares.rows : copies(!over_data(n))));
      scan.d.leaves.push_back(data<T>(d_leaves.back()));
    }
    shares.run(scan, scan_kernels<T>().backward);
    Tensors result{joined(d_i), summed(d_s)};
    if (d_e.defined()) result.push_back(summed(d_e));
    for (const Tensor& leaf : d_leaves) result.push_back(summed(leaf));
    return result;
  }

  const std::shared_ptr<const Tape> tape_;
  const std::int64_t K_;
  const bool has_e_, continues_, learns_;
};

}  // namespace

Tensors scan_machine(std::shared_ptr<const Tape> tape, const ScanInputs& in) {
  Tensors inputs{in.i.contiguous(), in.s.contiguous()};
  if (in.e.defined()) inputs.push_back(in.e.contiguous());
  for (const Tensor& leaf : in.leaves) inputs.push_back(leaf.contiguous());
  if (in.m.defined()) inputs.push_back(in.m.contiguous());
  const bool learns = at::GradMode::is_enabled() &&
                      std::any_of(inputs.begin(), inputs.end(),
                                  [](const Tensor& tensor) { return tensor.requires_grad(); });
  return differentiable(c10::make_intrusive<ScanMachine>(std::move(tape), in.K, in.e.defined(),
                                                         in.m.defined(), learns),
                        inputs);
}

void run_gate_functions(const Tape& tape, at::ScalarType dtype, std::int64_t cells) {
  const std::int64_t threads = at::get_num_threads();
  at::parallel_for(0, threads, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t n = begin; n < end; ++n)
      AT_DISPATCH_FLOATING_TYPES(dtype, "run_gate_functions", [&] {
        scan_kernels<scalar_t>().functions(tape, cells / threads);
      });
  });
}

}  // namespace lcsm
