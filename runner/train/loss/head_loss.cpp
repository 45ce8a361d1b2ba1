#include "runner/train/loss/head_loss.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/_log_softmax.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/full.h>
#include <ATen/ops/log_softmax.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "lcsm/cpu/step/cross_entropy_cpu.h"
#include "lcsm/cuda/driver/gpu.h"
#include "lcsm/cuda/step/cross_entropy_calls.h"
#include "lcsm/tensors/operation.h"
#include "lcsm/tensors/product.h"
#include "lcsm/tensors/shares.h"

namespace runner {
namespace {

using at::Tensor;
using lcsm::Tensors;

// Few enough rows that their logits stay in the cache, but not fewer, since each piece reads the
// whole head three times.
constexpr std::int64_t kLogitsAtOnce = std::int64_t{1} << 21, kRowsAtLeast = 256;
// On a GPU logits pass through memory: few enough that they are small beside the other tensors.
constexpr std::int64_t kLogitsOnGpu = std::int64_t{1} << 26;

// [V, d] padded with rows of 0: products on a GPU are slow unless rows are a multiple of 16 bytes.
Tensor padded_for(const lcsm::GpuOrCpu& gpu, const Tensor& head) {
  constexpr std::int64_t kMany = 2048, kMultiple = 8;
  const std::int64_t V = head.size(0);
  if (!gpu || V <= kMany || V % kMultiple == 0) return head;
  return at::constant_pad_nd(head, {0, 0, 0, kMultiple - V % kMultiple});
}

// Calls f(first, rows) for pieces of N rows.
template <class F>
void each_piece(std::int64_t N, std::int64_t vocab, const lcsm::GpuOrCpu& gpu, const F& f) {
  const std::int64_t at_once = std::max(kRowsAtLeast, (gpu ? kLogitsOnGpu : kLogitsAtOnce) / vocab);
  for (std::int64_t first = 0; first < N; first += at_once) f(first, std::min(at_once, N - first));
}

// On a GPU, in place. Adds to sums [3], float64: the number of rows, their losses, the rows whose
// target has the largest logit. When training, logits [rows, V or more], float32 or bfloat16, are
// replaced by their gradient, which is 0 from column V on. targets [rows], int64. Returns which
// rows are right, [rows].
Tensor cross_entropy_on_gpu(lcsm::Gpu* gpu, const Tensor& logits, std::int64_t V,
                            const Tensor& targets, bool learns, const Tensor& sums) {
  const Tensor of_rows = at::empty({2, logits.size(0)}, logits.options().dtype(at::kFloat));
  lcsm::CrossEntropyWork work;
  work.bfloat16 = logits.scalar_type() == at::kBFloat16;
  work.rows.rows = logits.size(0);
  work.rows.V = static_cast<int>(V);
  work.rows.stride = static_cast<int>(logits.size(1));
  work.rows.logits = logits.mutable_data_ptr();
  work.rows.targets = reinterpret_cast<const long long*>(targets.const_data_ptr<std::int64_t>());
  work.rows.loss = of_rows.mutable_data_ptr<float>();
  work.rows.right = work.rows.loss + logits.size(0);
  work.rows.scale = 1;
  work.rows.learns = learns;
  work.sums = sums.mutable_data_ptr<double>();
  work.add = true;
  gpu->run(lcsm::cross_entropy_source(), "cross-entropy", lcsm::cross_entropy_calls(work));
  return of_rows[1];
}

struct CpuLosses {
  double sum = 0;
  Tensor right;  // [rows], float32: which rows are right
};

// On a CPU, in place like cross_entropy_on_gpu, but adds nothing. logits [rows, V], float32; the
// gradient is multiplied by `weight`.
CpuLosses cross_entropy_on_cpu(const Tensor& logits, const Tensor& targets, bool learns,
                               double weight) {
  constexpr double kFlopsPerLogit = 25;
  const std::int64_t rows = logits.size(0);
  const Tensor wanted = targets.contiguous();
  const Tensor losses = at::empty({rows}, logits.options().dtype(at::kDouble)),
               right = at::empty({rows}, logits.options());
  lcsm::each_sequence(rows, kFlopsPerLogit * static_cast<double>(logits.numel()),
                      [&](std::int64_t row, const lcsm::Share&) {
                        lcsm::run_cross_entropy({.rows = 1,
                                                 .classes = logits.size(1),
                                                 .logits = lcsm::data<float>(logits, row),
                                                 .targets = lcsm::data<std::int64_t>(wanted, row),
                                                 .losses = lcsm::data<double>(losses, row),
                                                 .right = lcsm::data<float>(right, row),
                                                 .learns = learns,
                                                 .weight = static_cast<float>(weight)});
                      });
  const auto* const each = losses.const_data_ptr<double>();
  return {std::accumulate(each, each + rows, 0.0), right};
}

struct HeadLoss : lcsm::Operation {
  Tensor targets;
  LossForm form;
  bool learns = true;

  HeadLoss() { keeps_inputs = false; }

  // It weighs the gradient of the logits.
  bool is_by_kernel_on_cpu(at::ScalarType type) const {
    return !form.gpu && form.smoothing == 0 && type != at::kDouble;
  }

  // Adds the loss of logits to sums[1]; when training, returns their gradient.
  Tensor losses(const Tensor& logits, std::int64_t V, const Tensor& wanted, at::ScalarType type,
                const Tensor& sums) const {
    if (form.smoothing > 0) return smoothed_losses(logits, V, wanted, type, sums);
    if (form.gpu) {
      cross_entropy_on_gpu(form.gpu.get(), logits, V, wanted, learns, sums);
      return logits;
    }
    if (is_by_kernel_on_cpu(type)) {
      const Tensor wide = logits.to(at::kFloat);
      sums[1].add_(cross_entropy_on_cpu(wide, wanted, learns, form.weight).sum);
      return wide.to(logits.scalar_type());
    }
    const Tensor at_target = wanted.unsqueeze(1);
    Tensor p = at::_log_softmax(logits.to(type), 1, false);
    sums[1].sub_(p.gather(1, at_target).sum(at::kDouble));
    if (!learns) return {};
    p.exp_();
    p.scatter_add_(1, at_target, at::full(at_target.sizes(), -1, p.options()));
    return p.to(logits.scalar_type());
  }

  // Like the above, by LibTorch's operations on any device.
  Tensor smoothed_losses(const Tensor& logits, std::int64_t V, const Tensor& wanted,
                         at::ScalarType type, const Tensor& sums) const {
    const Tensor at_target = wanted.unsqueeze(1);
    const double each = form.smoothing / static_cast<double>(V);
    Tensor p = at::_log_softmax(logits.narrow(1, 0, V).to(type), 1, false);
    sums[1].sub_((1 - form.smoothing) * p.gather(1, at_target).sum(at::kDouble) +
                 each * p.sum(at::kDouble));
    if (!learns) return {};
    p = p.exp_().sub_(each);
    p.scatter_add_(1, at_target, at::full(at_target.sizes(), form.smoothing - 1, p.options()));
    return at::constant_pad_nd(p.to(logits.scalar_type()), {0, logits.size(1) - V});
  }

  // h, W -> the summed loss. Saves its gradients by h and by W.
  Tensors forward(const Tensors& inputs) const override {
    const at::NoGradGuard raw;
    const at::ScalarType type = inputs[0].scalar_type(),
                         product = product_type(form.precision, type);
    const std::int64_t V = inputs[1].size(0);
    const Tensor h = inputs[0].to(product), head = padded_for(form.gpu, inputs[1].to(product));
    const Tensor sums = at::zeros({3}, inputs[0].options().dtype(at::kDouble));
    Tensor d_h, d_head;
    if (learns) {
      d_h = at::empty_like(inputs[0]);
      d_head = at::empty(head.sizes(), inputs[1].options());
      if (h.size(0) == 0) d_head.zero_();
    }
    each_piece(h.size(0), head.size(0), form.gpu, [&](std::int64_t first, std::int64_t rows) {
      const Tensor piece = h.narrow(0, first, rows);
      const Tensor p =
          losses(lcsm::product(piece, head), V, targets.narrow(0, first, rows), type, sums);
      if (!learns) return;
      d_h.narrow(0, first, rows).copy_(lcsm::product(p, head.t()));
      lcsm::add_product_of_columns(p, piece, &d_head, /*from_nothing=*/first == 0);
    });
    const Tensor sum = sums[1].mul(form.weight).to(type == at::kBFloat16 ? at::kFloat : type);
    if (!learns) return {sum};
    if (form.weight != 1 && !is_by_kernel_on_cpu(type)) {
      d_h.mul_(form.weight);
      d_head.mul_(form.weight);
    }
    return {sum, d_h, d_head.narrow(0, 0, V)};
  }

  Tensors backward(const Tensors&, const Tensors& outputs, const Tensors& d) const override {
    // The loss itself is differentiated: no factor to multiply by.
    if (!form.gpu && d[0].item<double>() == 1) return {outputs[1], outputs[2]};
    return {outputs[1].mul(d[0]), outputs[2].mul(d[0])};
  }
};

}  // namespace

Tensor cross_entropy_sum(const Tensor& h, const Tensor& head, const Tensor& targets,
                         const LossForm& form) {
  auto operation = c10::make_intrusive<HeadLoss>();
  operation->targets = targets;
  operation->form = form;
  operation->learns = lcsm::learns({h, head});
  if (!form.gpu) return lcsm::differentiable(std::move(operation), {h, head})[0];
  // Gradients on a GPU are always multiplied, since the host does not know the factor.
  operation->form.weight = 1;
  return lcsm::differentiable(std::move(operation), {h, head})[0].mul(form.weight);
}

Tensor shared_entropy_sum(const Tensor& h, const Tensor& head, const Tensor& shares) {
  const Tensor logits = at::matmul(h.to(head.scalar_type()), head.t());
  return (shares.to(logits.scalar_type()) * at::log_softmax(logits, 1)).sum().neg();
}

Score cross_entropy_score(const Tensor& h, const Tensor& head, const Tensor& targets,
                          Precision precision, const lcsm::GpuOrCpu& gpu, Tensor* right) {
  const at::NoGradGuard raw;
  const at::ScalarType type = h.scalar_type(), product = product_type(precision, type);
  const Tensor x = h.to(product), w = padded_for(gpu, head.to(product));
  Score all;
  const Tensor sums = at::zeros({3}, h.options().dtype(at::kDouble));
  if (right != nullptr) *right = at::empty({x.size(0)}, h.options().dtype(at::kFloat));
  each_piece(x.size(0), w.size(0), gpu, [&](std::int64_t first, std::int64_t rows) {
    const Tensor wanted = targets.narrow(0, first, rows);
    const Tensor logits = lcsm::product(x.narrow(0, first, rows), w);
    if (gpu) {
      const Tensor here = cross_entropy_on_gpu(gpu.get(), logits, head.size(0), wanted,
                                               /*learns=*/false, sums);
      if (right != nullptr) right->narrow(0, first, rows).copy_(here);
      return;
    }
    Tensor here;
    if (type != at::kDouble) {
      const CpuLosses found =
          cross_entropy_on_cpu(logits.to(at::kFloat), wanted, /*learns=*/false, 1);
      all[Sum::kLoss] += found.sum;
      here = found.right;
    } else {
      const Tensor p = at::_log_softmax(logits.to(type), 1, false);
      all[Sum::kLoss] -= p.gather(1, wanted.unsqueeze(1)).sum(at::kDouble).item<double>();
      here = p.argmax(1).eq(wanted);
    }
    if (right != nullptr) right->narrow(0, first, rows).copy_(here);
    all[Sum::kRight] += here.sum(at::kDouble).item<double>();
    all[Sum::kCount] += static_cast<double>(rows);
  });
  if (!gpu) return all;
  const Tensor here = sums.to(at::kCPU);
  all[Sum::kCount] = here[0].item<double>();
  all[Sum::kLoss] = here[1].item<double>();
  all[Sum::kRight] = here[2].item<double>();
  return all;
}

namespace {

// Calls f(h, head, targets) for the first softmax, then for each band with its rows, even if it has
// none, so that its tensors have a gradient in every step.
template <class F>
void each_softmax(const Tensor& h, const Banded& banded, const Tensor& targets, Precision precision,
                  const F& f) {
  const at::ScalarType type = h.scalar_type(), product = product_type(precision, type);
  const Tensor of = banded.bands_of_tokens(targets);
  const std::int64_t tokens = banded.bands()[0].band.tokens;
  f(h, banded.first_head(), at::where(of.eq(0), targets, of + (tokens - 1)));
  for (std::size_t i = 1; i < banded.bands().size(); ++i) {
    const BandTensors& band = banded.bands()[i];
    const Tensor rows = of.eq(static_cast<std::int64_t>(i)).nonzero().flatten();
    const Tensor narrow =
        lcsm::affine(h.index_select(0, rows).to(product), band.project.t().to(product)).to(type);
    f(narrow, band.weight, targets.index_select(0, rows) - band.band.first);
  }
}

}  // namespace

Tensor band_loss_sum(const Tensor& h, const Banded& banded, const Tensor& targets,
                     const LossForm& form) {
  Tensor sum;
  each_softmax(h, banded, targets, form.precision,
               [&](const Tensor& rows, const Tensor& head, const Tensor& wanted) {
                 const Tensor part = cross_entropy_sum(rows, head, wanted, form);
                 sum = sum.defined() ? sum + part : part;
               });
  return sum;
}

Score band_loss_score(const Tensor& h, const Banded& banded, const Tensor& targets,
                      Precision precision, const lcsm::GpuOrCpu& gpu) {
  const at::NoGradGuard raw;
  Score score;
  each_softmax(h, banded, targets, precision,
               [&](const Tensor& rows, const Tensor& head, const Tensor& wanted) {
                 score += cross_entropy_score(rows, head, wanted, precision, gpu);
               });
  score[Sum::kCount] = static_cast<double>(targets.size(0));
  score[Sum::kRight] = std::numeric_limits<double>::quiet_NaN();
  return score;
}

}  // namespace runner
