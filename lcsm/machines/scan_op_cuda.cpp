#include "lcsm/machines/scan_op_cuda.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/complex.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/view_as_real.h>
#include <ATen/ops/zeros_like.h>

#include "lcsm/cuda/scan/scan_calls.h"
#include "lcsm/cuda/scan/tape_source.h"
#include "lcsm/tensors/workspace.h"

namespace lcsm {
namespace {

using at::Tensor;

struct GpuKind {
  std::int64_t K = 0;
  ScanKind has = {};
  bool learns = false;
  Tensor drift = {};  // as in ScanCuda; undefined = 0
};

class ScanMachineCuda : public Operation {
 public:
  ScanMachineCuda(std::shared_ptr<Gpu> gpu, std::shared_ptr<const Tape> tape, GpuKind kind)
      : gpu_(std::move(gpu)), tape_(std::move(tape)), is_(kind) {
    results = 2;
  }

  // Returns y, m and the kept memories.
  Tensors forward(const Tensors& inputs) const override {
    const ScanInputs in = named(inputs);
    ScanWork work = work_of(in);
    const Tensor y = at::empty_like(in.i), m = memory_like(in),
                 kept =
                     at::empty({is_.learns ? static_cast<std::int64_t>(scan_kept_bytes(work)) : 0},
                               in.i.options().dtype(at::kByte));
    work.scan.kept = is_.learns ? kept.data_ptr() : nullptr;
    work.scan.memory = data<float>(m);
    work.first = data<float>(in.m);
    work.y = numbers(y);
    run(in, work, scan_forward_calls);
    return {y, m, kept};
  }

  Tensors backward(const Tensors& inputs, const Tensors& outputs,
                   const Tensors& d_outputs) const override {
    const ScanInputs in = named(inputs);
    const Tensor d_y =
        d_outputs[0].defined() ? d_outputs[0].contiguous() : at::zeros_like(outputs[0]);
    const Tensor d_last = d_outputs[1].defined() ? d_outputs[1].contiguous() : Tensor();
    ScanWork work = work_of(in);
    work.scan.kept = outputs[2].data_ptr();
    work.scan.d_y = over_time(d_y);
    work.first = data<float>(d_last);
    Tensors result;
    const auto like = [&](const Tensor& tensor) {
      if (tensor.defined()) result.push_back(at::empty_like(tensor));
      return tensor.defined() ? numbers(result.back()) : nullptr;
    };
    work.d_i = like(in.i);
    work.d_s = like(in.s);
    work.d_e = like(in.e);
    for (const Tensor& leaf : in.leaves) work.d_leaves.push_back(like(leaf));
    const Tensor d_m = memory_like(in);
    work.scan.memory = data<float>(d_m);
    run(in, work, scan_backward_calls);
    if (is_.has.m) result.push_back(d_m);
    return result;
  }

 private:
  ScanInputs named(const Tensors& inputs) const { return scan_inputs(inputs, is_.has); }
  Tensor memory_like(const ScanInputs& in) const {
    const std::int64_t rows = static_cast<std::int64_t>(parts_of(*tape_)) * is_.K;
    return at::empty({in.i.size(0), rows, in.i.size(2)}, floats(in));
  }
  static at::TensorOptions floats(const ScanInputs& in) { return in.i.options().dtype(at::kFloat); }

  static ScanInputCuda over_time(const Tensor& x) {
    return {numbers(x), x.stride(0), x.stride(1), x.dim() == 3 ? 1 : 0};
  }
  static ScanInputCuda stage(const Tensor& x) {
    return x.dim() == 2 ? ScanInputCuda{numbers(x), 0, 0, x.stride(0)} : over_time(x);
  }
  static ScanInputCuda leaf(const Tensor& x, Spread spread) {
    if (spread == Spread::kCells) return {numbers(x), x.stride(0), x.stride(1), 0};
    if (spread == Spread::kSteps) return over_time(x);
    const bool over_k = x.dim() == (spread == Spread::kChannels ? 2 : 1);
    return {numbers(x), 0, 0, over_k ? x.stride(0) : 0};
  }

  ScanWork work_of(const ScanInputs& in) const {
    ScanWork work;
    work.tape = tape_.get();
    work.form = form(in);
    work.bfloat16 = in.i.scalar_type() == at::kBFloat16;
    work.processors = gpu_->processors();
    work.choices = gpu_->choices();
    ScanCuda& scan = work.scan;
    scan.B = static_cast<int>(in.i.size(0));
    scan.T = static_cast<int>(in.i.size(1));
    scan.K = static_cast<int>(is_.K);
    scan.D = static_cast<int>(in.i.size(2));
    scan.i = over_time(in.i);
    scan.drift = data<float>(is_.drift);
    if (is_.has.s) scan.s = stage(in.s);
    if (is_.has.e) scan.e = stage(in.e);
    for (std::size_t n = 0; n < in.leaves.size(); ++n)
      scan.leaves[n] = leaf(in.leaves[n], tape_->values[n].spread);
    return work;
  }
  ScanForm form(const ScanInputs& in) const {
    const auto of = [](const Tensor& stage) {
      return !stage.defined()   ? StageKind::kNone
             : stage.dim() == 2 ? StageKind::kStatic
                                : StageKind::kData;
    };
    return {of(in.e), of(in.s), scans_channels(*tape_, static_cast<int>(is_.K))};
  }

  void run(const ScanInputs& in, const ScanWork& work, decltype(scan_forward_calls)* calls) const {
    Workspace space(in.i);
    const CudaSource source = scan_source(work);
    gpu_->run(source, "the gate " + source.name, calls(work, space.allocate()));
  }

  const std::shared_ptr<Gpu> gpu_;
  const std::shared_ptr<const Tape> tape_;
  const GpuKind is_;
};

// (exact o / o rounded to float32)^kScanBlock - 1.
Tensor drift_of(const Tensors& exact_o) {
  const auto number = [](const Tensors& o) {
    return o.size() == 1 ? o[0].contiguous() : at::complex(o[0].contiguous(), o[1].contiguous());
  };
  Tensors rounded;
  for (const Tensor& part : exact_o) rounded.push_back(part.to(at::kFloat).to(at::kDouble));
  const Tensor o = number(rounded), zero = o.eq(0);
  Tensor ratio = (number(exact_o) / o.masked_fill(zero, 1)).masked_fill(zero, 1);
  for (int n = 1; n < kScanBlock; n *= 2) ratio = ratio * ratio;
  ratio = ratio - 1;
  if (exact_o.size() == 2) ratio = at::view_as_real(ratio).movedim(-1, 0);
  return ratio.to(at::kFloat).contiguous();
}

Tensors run(std::shared_ptr<Gpu> gpu, std::shared_ptr<const Tape> tape, const ScanInputs& in,
            Tensor drift) {
  const auto typed = [&](const Tensor& x, bool over_data) {
    return x.to(over_data ? in.i.scalar_type() : at::kFloat).contiguous();
  };
  Tensors inputs{in.i.contiguous()};
  if (in.s.defined()) inputs.push_back(typed(in.s, in.s.dim() == 3));
  if (in.e.defined()) inputs.push_back(typed(in.e, in.e.dim() == 3));
  for (std::size_t n = 0; n < in.leaves.size(); ++n) {
    const bool over_data = over_steps(tape->values[n].spread);
    inputs.push_back(typed(in.leaves[n], over_data && !tape->exact));
  }
  if (in.m.defined()) inputs.push_back(in.m.contiguous());
  GpuKind kind{in.K, scan_kind(in), learns(inputs), std::move(drift)};
  return differentiable(
      c10::make_intrusive<ScanMachineCuda>(std::move(gpu), std::move(tape), std::move(kind)),
      inputs);
}

}  // namespace

Tensors scan_machine_cuda(std::shared_ptr<Gpu> gpu, std::shared_ptr<const Tape> tape,
                          const ScanInputs& in) {
  return run(std::move(gpu), std::move(tape), in, {});
}

Tensors complex_scan_machine_cuda(std::shared_ptr<Gpu> gpu, std::shared_ptr<const Tape> tape,
                                  const ScanInputs& in, const Tensors& exact_o) {
  return run(std::move(gpu), std::move(tape), in, exact_o.empty() ? Tensor() : drift_of(exact_o));
}

}  // namespace lcsm
