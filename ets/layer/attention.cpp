#include "ets/layer/attention.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/cos.h>
#include <ATen/ops/erf.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/sin.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "ets/layer/block_attention.h"

namespace ets {
namespace {

using at::Tensor;

bool is_half(const Tensor& x) {
  return x.scalar_type() == at::kBFloat16 || x.scalar_type() == at::kHalf;
}
// Scores, their softmax and its sums are float32 even if the tensors have 16 bits.
Tensor widened(const Tensor& x) { return is_half(x) ? x.to(at::kFloat) : x; }

// The vector [z] rotated by each place [n]: [n, z]. Its halves are the two coordinates of the
// rotated pairs.
Tensor turned(const Tensor& vector, const Tensor& place) {
  const std::int64_t half = vector.size(0) / 2;
  const Tensor rates = at::exp(at::arange(half, vector.options()) *
                               (-std::log(10000.0) / static_cast<double>(half)));
  const Tensor angle = place.unsqueeze(-1) * rates, c = at::cos(angle), s = at::sin(angle);
  const Tensor first = vector.narrow(0, 0, half), second = vector.narrow(0, half, half);
  return at::cat({first * c - second * s, second * c + first * s}, -1);
}

// The bias between places [n] and other places [m]: [n, m]; or 0.
Tensor bias_of(std::string_view kind, const lcsm::Weights& weights, const Tensor& place,
               const Tensor& other, const at::TensorOptions& options) {
  if (kind == "none") return at::zeros({}, options);
  if (kind == "rotary")
    return at::matmul(turned(weights.at("rotary_query"), place),
                      turned(weights.at("rotary_key"), other).t());
  const Tensor& table = weights.at("distance");
  const std::int64_t zero = (table.size(0) - 1) / 2;
  const Tensor distance = other.unsqueeze(0) - place.unsqueeze(1);
  return table.index_select(0, (distance + zero).flatten()).view(distance.sizes());
}

Tensor softmax_weights(const Tensor& scores, const Tensor& near, const Tensor& seen) {
  // A step that would see only padding sees the padding.
  const Tensor blocked = at::where(seen.any(-1, true), seen, near).logical_not();
  return at::softmax(scores.masked_fill(blocked, -std::numeric_limits<double>::infinity()), -1);
}

Tensor smooth_weights(std::string_view kind, const Tensor& scores) {
  if (kind == "relu2") return at::relu(scores).square();
  return 0.5 * (1 + at::erf((scores - 0.707107) / (0.282095 * std::sqrt(2.0))));
}

// Attention by the matrix of all pairs of steps.
Tensor by_pairs(const Attention& form, const lcsm::Weights& weights, const Tensor& q,
                const Tensor& k, const Tensor& values, const Tensor& padding) {
  const Tensor step = at::arange(q.size(1), q.options().dtype(at::kLong));
  const Tensor place = step.remainder(form.chunk), number = step.floor_divide(form.chunk);
  Tensor near = number.unsqueeze(1) == number;
  if (form.causal) near = near.logical_and(step.unsqueeze(1) >= step);
  const Tensor seen =
      padding.defined() ? near.logical_and(padding.logical_not().unsqueeze(1)) : near;
  const Tensor products = widened(at::matmul(q, k.transpose(1, 2))),
               bias = bias_of(form.bias, weights, place, place, products.options());
  const auto read = [&](const Tensor& shares) {
    return at::matmul((form.drop ? form.drop(shares) : shares).to(values.scalar_type()), values);
  };
  if (form.kind == "softmax")
    return read(softmax_weights(products * form.factor + bias, near, seen));
  const Tensor count = form.causal ? (place + 1).unsqueeze(-1) : seen.sum(-1, true).clamp_min(1);
  return read(smooth_weights(form.kind, products / count + bias) * seen);
}

// Attention within chunks, which are the N rows of q, k and values [N, n, channels]; scores exist
// for one block at a time. The divisor of the products is put into q; rotated vectors are
// additional channels of q and k.
Tensor within(const Attention& form, const lcsm::Weights& weights, const Tensor& q, const Tensor& k,
              const Tensor& values, const Tensor& padding, bool on_gpu) {
  const std::int64_t n = q.size(1);
  if (form.drop) {
    Attention one = form;
    one.chunk = n;
    return by_pairs(one, weights, q, k, values, padding);
  }
  BlockAttention block{
      .kind = std::string(form.kind), .causal = form.causal, .padding = padding, .on_gpu = on_gpu};
  const Tensor place = at::arange(n, q.options().dtype(at::kLong));
  const Tensor wide = widened(q);
  Tensor queries = wide, keys = k;
  if (form.kind == "softmax") {
    queries = wide * form.factor;
  } else if (form.causal) {
    queries = wide / (place + 1).unsqueeze(-1);
  } else if (padding.defined()) {
    queries = wide / padding.logical_not().sum(1).clamp_min(1).view({-1, 1, 1});
  } else {
    queries = wide / n;
  }
  if (form.bias == "simple") block.distance = weights.at("distance");
  if (form.bias == "rotary") {
    const auto with = [&](const Tensor& whole, const char* name) {
      const Tensor more = turned(weights.at(name), place);
      return at::cat({whole, more.expand({whole.size(0), n, more.size(1)})}, -1);
    };
    queries = with(queries, "rotary_query");
    keys = with(keys, "rotary_key");
  }
  const Tensor y = attended_by_blocks(block, queries, keys, values);
  const auto table = weights.find(form.bias == "rotary" ? "rotary_query" : "distance");
  const bool all_half = is_half(q) && is_half(k) && is_half(values) &&
                        (form.bias == "none" || is_half(table->second));
  return all_half ? y.to(values.scalar_type()) : y;
}

// Attention within the whole chunks, and within the remaining steps.
Tensor by_chunks(const Attention& form, const lcsm::Weights& weights, const Tensor& q,
                 const Tensor& k, const Tensor& values, const Tensor& padding, bool on_gpu) {
  const std::int64_t B = q.size(0), T = q.size(1), whole = T - T % form.chunk;
  const auto part = [&](std::int64_t from, std::int64_t size, std::int64_t n) {
    const auto cut = [&](const Tensor& all) {
      return all.narrow(1, from, size).reshape({-1, n, all.size(2)});
    };
    const Tensor hidden =
        padding.defined() ? padding.narrow(1, from, size).reshape({-1, n}) : padding;
    return within(form, weights, cut(q), cut(k), cut(values), hidden, on_gpu)
        .reshape({B, size, values.size(2)});
  };
  std::vector<Tensor> parts;
  if (whole > 0) parts.push_back(part(0, whole, form.chunk));
  if (whole < T) parts.push_back(part(whole, T - whole, T - whole));
  return at::cat(parts, 1);
}

}  // namespace

Attention attention_of(std::string_view block, const ChunkOptions& options,
                       const lcsm::Weights& weights, std::int64_t T) {
  const std::int64_t chunk = options.chunk == 0 ? T : std::min(options.chunk, T);
  const auto table = weights.find("distance");
  if (table != weights.end() && chunk > (table->second.size(0) + 1) / 2)
    throw std::invalid_argument(std::string(block) +
                                ": option 'positions': expected at least the " + std::to_string(T) +
                                " steps of the sequence, got " + std::to_string(options.positions));
  return {.bias = options.bias.text(), .causal = options.causal, .chunk = chunk};
}

Tensor cross_attended(const Attention& form, const lcsm::Weights& weights, const Tensor& q,
                      const Tensor& k, const Tensor& values, const Tensor& padding) {
  const at::TensorOptions whole = q.options().dtype(at::kLong);
  const std::int64_t T = q.size(1), S = k.size(1);
  if (const auto table = weights.find("distance");
      table != weights.end() && std::max(T, S) > (table->second.size(0) + 1) / 2)
    throw std::invalid_argument("attention to a source: option 'positions': expected at least " +
                                std::to_string(std::max(T, S)) + ", the longer sequence, got " +
                                std::to_string((table->second.size(0) + 1) / 2));
  const Tensor products = widened(at::matmul(q, k.transpose(1, 2))),
               bias = bias_of(form.bias, weights, at::arange(T, whole), at::arange(S, whole),
                              products.options());
  const Tensor near = at::ones({1, 1, S}, q.options().dtype(at::kBool)),
               seen = padding.defined() ? padding.logical_not().unsqueeze(1) : near;
  const Tensor shares =
      form.kind == "softmax"
          ? softmax_weights(products * form.factor + bias, near, seen)
          : smooth_weights(form.kind, products / seen.sum(-1, true).clamp_min(1) + bias) * seen;
  return at::matmul((form.drop ? form.drop(shares) : shares).to(values.scalar_type()), values);
}

Tensor attended(const Attention& form, const lcsm::Weights& weights, const Tensor& q,
                const Tensor& k, const Tensor& values, const Tensor& padding, const lcsm::On& on) {
  if (on.backend == lcsm::Backend::kReference)
    return by_pairs(form, weights, q, k, values, padding);
  return by_chunks(form, weights, q, k, values, padding, on.gpu != nullptr);
}

}  // namespace ets
