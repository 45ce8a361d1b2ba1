#include "lcsm/machines/scan_op.h"

#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/ops/complex.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/view_as_real.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "lcsm/cpu/scan/complex_scan_cpu.h"

namespace lcsm {
namespace {

using at::Tensor;

constexpr std::int64_t kCellsPerThread = 50000;  // about ten microseconds
constexpr std::int64_t kRowsOfShare = 8;  // with fewer, packing i and summing y is most of the work

// Divides a scan among workers: sequences times groups of channels times shares of the memory's
// rows, in a fixed assignment.
struct ScanShares {
  // `lanes`: per vector; channels are split at multiples of it.
  ScanShares(std::int64_t B, std::int64_t T, std::int64_t K, std::int64_t D, std::int64_t lanes);
  void run(const std::function<void(const ScanPart&)>& work) const;

  std::int64_t channels = 1, rows = 1, groups = 1, tasks = 1, workers = 1;

 private:
  std::int64_t K_, D_, lanes_;
};

ScanShares::ScanShares(std::int64_t B, std::int64_t T, std::int64_t K, std::int64_t D,
                       std::int64_t lanes)
    : K_(K), D_(D), lanes_(lanes) {
  const std::int64_t threads =
      std::clamp<std::int64_t>(B * T * K * D / kCellsPerThread, 1, at::get_num_threads());
  const std::int64_t most = (D + lanes - 1) / lanes;
  if (B < 4 * threads) channels = std::min(threads / std::gcd(threads, B), most);
  // Rows are split only if sequences times channel groups are fewer than threads.
  rows = std::clamp<std::int64_t>(threads / std::max<std::int64_t>(1, B * channels), 1,
                                  std::max<std::int64_t>(1, K / kRowsOfShare));
  groups = channels * rows;
  tasks = B * groups;
  workers = std::min(threads, tasks);
}

void ScanShares::run(const std::function<void(const ScanPart&)>& work) const {
  const std::int64_t units = (D_ + lanes_ - 1) / lanes_;
  const auto share = [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t worker = begin; worker < end; ++worker)
      for (std::int64_t n = tasks * worker / workers; n < tasks * (worker + 1) / workers; ++n) {
        const std::int64_t group = n % groups, c = group / rows, r = group % rows;
        work({.b = n / groups,
              .first = units * c / channels * lanes_,
              .last = std::min(D_, units * (c + 1) / channels * lanes_),
              .first_k = K_ * r / rows,
              .last_k = K_ * (r + 1) / rows,
              .share = r,
              .group = group,
              .worker = worker});
      }
  };
  if (workers == 1) return share(0, 1);
  at::parallel_for(0, workers, 1, share);
}

// A machine without its tensors: the real scan if parts = 0, otherwise the complex one.
struct Kind {
  std::int64_t K = 0, parts = 0;
  ScanKind has = {};
  bool learns = false;
  int scaled_by = -1;
  Tensors exact_o = {};

  std::int64_t rows() const { return K * std::max<std::int64_t>(parts, 1); }
  template <class T>
  const ScanKernels<T>& kernels() const {
    return parts > 0 ? complex_scan_kernels<T>() : scan_kernels<T>();
  }
};

// o^n for exact o and for o rounded to float32, as the tape has it: [2, parts, K, D].
Tensor powers_of(const Kind& kind, std::int64_t n) {
  const auto power = [&](const Tensors& o) {
    Tensor z =
        kind.parts == 1 ? o[0].contiguous() : at::complex(o[0].contiguous(), o[1].contiguous());
    Tensor result = at::ones_like(z);
    for (std::int64_t left = n; left > 0; left /= 2, z = z * z)
      if (left % 2 == 1) result = result * z;
    return kind.parts == 1 ? result.unsqueeze(0) : at::view_as_real(result).movedim(-1, 0);
  };
  Tensors rounded;
  for (const Tensor& part : kind.exact_o) rounded.push_back(part.to(at::kFloat).to(at::kDouble));
  return at::stack({power(kind.exact_o), power(rounded)});
}

class ScanMachine : public Operation {
 public:
  ScanMachine(std::shared_ptr<const Tape> tape, Kind kind)
      : tape_(std::move(tape)), is_(std::move(kind)) {
    results = 2;
  }

  // Returns y, m, the memories before the blocks, and the powers of o.
  Tensors forward(const Tensors& inputs) const override {
    const ScanInputs in = named(inputs);
    const std::int64_t B = in.i.size(0), T_ = in.i.size(1), D = in.i.size(2);
    const std::int64_t block = std::min(scan_block_steps(is_.K, D), T_), rows = is_.rows();
    Tensor y;
    const Tensor m = in.m.defined() ? in.m.clone() : at::zeros({B, rows, D}, in.i.options());
    const Tensor states =
        at::empty({B, is_.learns ? (T_ + block - 1) / block : 0, rows, D}, in.i.options());
    const Tensor powers = powers_over(in.i, block);
    AT_DISPATCH_FLOATING_TYPES(in.i.scalar_type(), "scan_machine", [&] {
      Scan<scalar_t> scan = scan_of<scalar_t>(in);
      scan.states = is_.learns ? data<scalar_t>(states) : nullptr;
      scan.powers = powers_in(powers);
      const ScanShares shares = shares_of(scan);
      y = shared(in.i, shares);
      scan.y = data<scalar_t>(y);
      scan.memory = data<scalar_t>(m);
      shares.run([&](const ScanPart& part) { is_.kernels<scalar_t>().forward(scan, part); });
    });
    return {joined(y), m, states, powers};
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
      scan.powers = powers_in(outputs[3]);
      scan.states = data<scalar_t>(outputs[2]);
      scan.memory = data<scalar_t>(d_m);
      scan.d_y = data<scalar_t>(d_y);
      result = gradients(in, scan);
    });
    if (is_.has.m) result.push_back(d_m);
    return result;
  }

 private:
  ScanInputs named(const Tensors& inputs) const { return scan_inputs(inputs, is_.has); }
  bool over_data(std::size_t n) const { return over_steps(tape_->values[n].spread); }

  template <class T>
  Scan<T> scan_of(const ScanInputs& in) const {
    Scan<T> scan;
    scan.tape = tape_.get();
    scan.B = in.i.size(0);
    scan.steps = in.i.size(1);
    scan.K = is_.K;
    scan.D = in.i.size(2);
    scan.parts = std::max<std::int64_t>(is_.parts, 1);
    scan.i = data<T>(in.i);
    scan.scaled_by = is_.scaled_by;
    scan.e = {data<T>(in.e), in.e.defined() && in.e.dim() == 2};
    scan.s = {data<T>(in.s), in.s.defined() && in.s.dim() == 2};
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

  // [2, 2, parts, K, D]; empty if there is only one block, which needs no powers.
  Tensor powers_over(const Tensor& i, std::int64_t block) const {
    const std::int64_t steps = i.size(1), rest = (steps - 1) % block + 1;
    if (is_.exact_o.empty() || i.scalar_type() != at::kFloat || steps <= block)
      return at::empty({0}, i.options().dtype(at::kDouble));
    const Tensor of_block = powers_of(is_, block);
    return at::stack({of_block, rest == block ? of_block : powers_of(is_, rest)});
  }
  static const double* powers_in(const Tensor& powers) {
    return powers.numel() > 0 ? data<double>(powers) : nullptr;
  }

  template <class T>
  ScanShares shares_of(const Scan<T>& scan) const {
    return {scan.B, scan.steps, scan.K, scan.D, is_.kernels<T>().lanes};
  }

  // Space for one [B, T, D] per share of the rows.
  static Tensor shared(const Tensor& like, const ScanShares& shares) {
    if (shares.rows == 1) return at::empty_like(like);
    return at::empty({shares.rows, like.size(0), like.size(1), like.size(2)}, like.options());
  }
  static Tensor joined(const Tensor& shared) { return shared.dim() == 3 ? shared : shared.sum(0); }
  // Space for a gradient per group or per worker, summed afterwards over the first axis. `whole`:
  // the parts write every entry.
  static Tensor space(const Tensor& like, std::int64_t copies, bool whole) {
    std::vector<std::int64_t> shape{copies};
    shape.insert(shape.end(), like.sizes().begin(), like.sizes().end());
    return whole ? at::empty(shape, like.options()) : at::zeros(shape, like.options());
  }
  static Tensor summed(const Tensor& copies) {
    return copies.size(0) == 1 ? copies.select(0, 0) : copies.sum(0);
  }

  // Returns d_i, d_s, d_e, and the gradients of the leaves.
  template <class T>
  Tensors gradients(const ScanInputs& in, Scan<T>& scan) const {
    const ScanShares shares = shares_of(scan);
    const auto copies = [&](bool is_static) { return is_static ? shares.workers : shares.groups; };
    const Tensor d_i = shared(in.i, shares);
    const auto space_of = [&](const Tensor& stage, bool is_static) {
      if (!stage.defined()) return Tensor();
      return space(stage, copies(is_static), !is_static && shares.rows == 1);
    };
    const Tensor d_s = space_of(in.s, scan.s.is_static);
    const Tensor d_e = space_of(in.e, scan.e.is_static);
    scan.d.i = data<T>(d_i);
    scan.d.e = data<T>(d_e);
    scan.d.s = data<T>(d_s);
    Tensors d_leaves;
    for (std::size_t n = 0; n < in.leaves.size(); ++n) {
      const bool cells = tape_->values[n].spread == Spread::kCells;
      d_leaves.push_back(space(in.leaves[n], cells ? shares.rows : copies(!over_data(n)), cells));
      scan.d.leaves.push_back(data<T>(d_leaves.back()));
    }
    shares.run([&](const ScanPart& part) { is_.kernels<T>().backward(scan, part); });
    Tensors result{joined(d_i)};
    if (d_s.defined()) result.push_back(summed(d_s));
    if (d_e.defined()) result.push_back(summed(d_e));
    for (const Tensor& leaf : d_leaves) result.push_back(summed(leaf));
    return result;
  }

  const std::shared_ptr<const Tape> tape_;
  const Kind is_;
};

Tensors run(std::shared_ptr<const Tape> tape, const ScanInputs& in, Kind kind) {
  Tensors inputs{in.i.contiguous()};
  if (in.s.defined()) inputs.push_back(in.s.contiguous());
  if (in.e.defined()) inputs.push_back(in.e.contiguous());
  for (const Tensor& leaf : in.leaves) inputs.push_back(leaf.contiguous());
  if (in.m.defined()) inputs.push_back(in.m.contiguous());
  kind.K = in.K;
  kind.has = scan_kind(in);
  kind.scaled_by = in.scaled_by;
  kind.learns = learns(inputs);
  return differentiable(c10::make_intrusive<ScanMachine>(std::move(tape), std::move(kind)), inputs);
}

}  // namespace

ScanKind scan_kind(const ScanInputs& in) {
  return {in.s.defined(), in.e.defined(), in.m.defined()};
}

ScanInputs scan_inputs(const Tensors& inputs, const ScanKind& has) {
  auto next = inputs.begin();
  ScanInputs in;
  in.i = *next++;
  if (has.s) in.s = *next++;
  if (has.e) in.e = *next++;
  in.leaves.assign(next, inputs.end() - (has.m ? 1 : 0));
  if (has.m) in.m = inputs.back();
  return in;
}

Tensors scan_machine(std::shared_ptr<const Tape> tape, const ScanInputs& in) {
  return run(std::move(tape), in, {});
}

Tensors complex_scan_machine(std::shared_ptr<const Tape> tape, const ScanInputs& in,
                             std::int64_t parts, const Tensors& exact_o) {
  return run(std::move(tape), in, {.parts = parts, .exact_o = exact_o});
}

}  // namespace lcsm
