#include "runner/models/families/block_cost.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "lcsm/code/plan.h"
#include "runner/models/families/mixing.h"
#include "runner/systems/blocks.h"
#include "runner/systems/eos_rows.h"

namespace runner {
namespace {

// ----- Pairs of steps -----

Mixing of_transformer(const lcsm::Block& v, double T) {
  return pairs("attention over all pairs", number(v.d), number(v.d), T, T);
}

Mixing of_linformer(const lcsm::Block& v, double) {
  return pairs("attention over projected steps", number(v.d), number(v.d), option(v, "projected"),
               0);
}

Mixing of_bigbird(const lcsm::Block& v, double T) {
  const double seen =
      (option(v, "window") + option(v, "global") + option(v, "random")) * option(v, "block");
  return pairs("attention over chosen blocks", number(v.d), number(v.d), std::min(T, seen), T);
}

Mixing of_reformer(const lcsm::Block& v, double T) {
  const double seen = 2 * option(v, "chunk") * option(v, "rounds");
  return pairs("attention over chunks of sorted steps", number(v.d), number(v.d), std::min(T, seen),
               T);
}

Mixing of_transformer_ls(const lcsm::Block& v, double T) {
  const double far = option(v, "projected") * T / option(v, "segment"),
               near = std::min(T, 2 * option(v, "window"));
  return pairs("attention over a window and projections", number(v.d), number(v.d), near + far,
               near + far);
}

Mixing of_flash(const lcsm::Block& v, double T) {
  const double key = option(v, "shared"),
               value = option(v, "size") > 0 ? option(v, "size") : 2 * number(v.d),
               seen = std::min(T, option(v, "chunk"));
  Mixing mixing = pairs("attention within chunks, products between them", key, value, seen, seen);
  mixing.flops += 4 * key * value;
  mixing.state += key * value;
  return mixing;
}

Mixing of_gmlp(const lcsm::Block& v, double T) {
  const double size = (option(v, "size") > 0 ? option(v, "size") : 6 * number(v.d)) / 2;
  if (is(v, "spatial", "toeplitz"))
    return {"convolution by FFT", 10 * size * half_octave(2 * T), size * T};
  return {"a matrix over all steps", 2 * size * T, size * T};
}

Mixing of_gfnet(const lcsm::Block& v, double) {
  return {"convolution by FFT", 10 * number(v.d) * half_octave(option(v, "length")), 0};
}

// ----- A memory of rows -----

// The cost of products of `rows` features and `values` channels in each of `heads`, with one column
// more if the weights are counted.
Mixing products(double heads, double rows, double values, bool counted) {
  const double memory = heads * rows * (values / heads + (counted ? 1 : 0));
  return {"chunked matrix products", 4 * memory, memory};
}

Mixing of_linear(const lcsm::Block& v, double) {
  const double heads = option(v, "heads");
  return products(heads, number(v.d) / heads, number(v.d), true);
}

Mixing of_performer(const lcsm::Block& v, double) {
  const double heads = option(v, "heads"), w = number(v.d) / heads, given = option(v, "features");
  return products(heads, given > 0 ? given : std::max(1.0, std::ceil(w * std::log(w))), number(v.d),
                  true);
}

Mixing of_cosformer(const lcsm::Block& v, double) {
  const double heads = option(v, "heads");
  return products(heads, 2 * number(v.d) / heads, number(v.d), true);
}

Mixing of_based(const lcsm::Block& v, double T) {
  const double f = option(v, "feature"), heads = option(v, "heads");
  if (is(v, "view", "quadratic")) return pairs("all pairs of steps", heads * f, number(v.d), T, T);
  return products(heads, 1 + f + f * (f + 1) / 2, number(v.d), true);
}

// Two running sums: into the packed positions, and out of them.
Mixing of_luna(const lcsm::Block& v, double) {
  const double packed = option(v, "packed"), heads = option(v, "heads"), d = number(v.d);
  if (v.options.flag("bidirectional"))
    return pairs("attention to packed positions", d, d, 2 * packed, 0);
  return {"chunked matrix products", 4 * 2 * packed * d, packed * (d / heads * heads + d)};
}

Mixing of_retnet(const lcsm::Block& v, double T) {
  const double heads = option(v, "heads"), values = number(retnet_values(v));
  Mixing mixing = products(heads, number(v.d) / heads, values, false);
  if (is(v, "form", "recurrent")) mixing.state += 1;  // the number of steps
  if (is(v, "form", "chunks")) mixing.machine = "matrix products of chunks";
  if (!is(v, "form", "parallel")) return mixing;
  mixing.machine += "; scales of rows from all pairs";
  mixing.flops += 2 * number(v.d) * T;
  return mixing;
}

// ----- Scans -----

double convolution(double taps, double channels) { return 2 * taps * channels; }

Mixing of_base_conv(const lcsm::Block& v, double) {
  const double taps = option(v, "taps");
  return {"short convolution", convolution(taps, number(v.d)), (taps - 1) * number(v.d)};
}

Mixing of_mamba(const lcsm::Block& v, double) {
  const MambaSizes sizes = mamba_sizes(v);
  const double channels = number(sizes.channels), taps = option(v, "taps");
  const lcsm::Cost scan =
      lcsm::cost_of(coded({.oscillation = {.name = "mamba", .o = "exp(-abs(p_d * w_kd))"},
                           .k = static_cast<int>(sizes.state),
                           .d = static_cast<int>(sizes.channels)},
                          v.d, 1)
                        .variant);
  return {"fused scan", number(scan.recurrence_flops) + convolution(taps, channels),
          number(scan.state) + (taps - 1) * channels};
}

// Two exponentials and two weighted means a channel; a mix of two steps for each projection.
Mixing of_rwkv4(const lcsm::Block& v, double) {
  return {"running softmax, one pass", (40 + 3 * 4) * number(v.d), 3 * number(v.d)};
}
Mixing of_rwkv4_feed(const lcsm::Block& v, double) {
  return {"short convolution", 2 * convolution(2, number(v.d)), number(v.d)};
}

// The gate once for each channel; a complex memory is turned there and back.
Mixing of_hgrn(const lcsm::Block& v, double) {
  const double parts = is(v, "form", "complex") ? 2 : 1, d = number(v.d);
  return {"fused scan", number(v.directions()) * (4 * parts + (parts == 2 ? 12 : 0)) * d,
          parts * d};
}

// A code with its parts.
Mixing of_eos(const lcsm::Block& v) {
  const EosParts parts = parts_of(v);
  const bool batched = parts.heads > 1 && can_batch_heads(parts);
  const lcsm::Variant head = head_variant(parts, batched);
  const lcsm::Plan plan = lcsm::plan_of(head);
  const lcsm::Cost one = lcsm::cost_of(head);
  const double heads = parts.heads, taps = number(parts.taps);
  const double convolved = number(parts.variant.sizes.d) +
                           (parts.variant.e_static() ? 0 : number(parts.variant.sizes.k)) +
                           (parts.variant.s_static() ? 0 : number(parts.variant.sizes.k));
  Mixing mixing = {lcsm::to_string(plan.machine), heads * number(one.recurrence_flops),
                   heads * number(one.state)};
  if (plan.cumulative) mixing.state += heads * head.sizes.k;  // of the running softmax
  if (taps > 0) {
    mixing.flops += convolution(taps, convolved);
    mixing.state += (taps - 1) * convolved;
  }
  return mixing;
}

struct BlockRow {
  const lcsm::BlockRow* block;
  Mixing (*mixing)(const lcsm::Block& v, double T);
};

Mixing mixing_of(const lcsm::Block& v, double T) {
  static const std::array rows = {
      BlockRow{&kBaseConv, of_base_conv},
      BlockRow{&kTransformer, of_transformer},
      BlockRow{&kMlp, none},
      BlockRow{&kGlu, none},
      BlockRow{&kLinearTransformer, of_linear},
      BlockRow{&kPerformer, of_performer},
      BlockRow{&kLuna, of_luna},
      BlockRow{&kLinformer, of_linformer},
      BlockRow{&kFlash, of_flash},
      BlockRow{&kGmlp, of_gmlp},
      BlockRow{&kGfnet, of_gfnet},
      BlockRow{&kBigbird, of_bigbird},
      BlockRow{&kReformer, of_reformer},
      BlockRow{&kTransformerLs, of_transformer_ls},
      BlockRow{&kMamba, of_mamba},
      BlockRow{&kRwkv4, of_rwkv4},
      BlockRow{&kRwkv4Feed, of_rwkv4_feed},
      BlockRow{&kHgrn, of_hgrn},
      BlockRow{&kRetnet, of_retnet},
      BlockRow{&kCosformer, of_cosformer},
      BlockRow{&kBased, of_based},
  };
  for (const BlockRow& row : rows)
    if (row.block == v.row) return row.mixing(v, T);
  if (eos_row(*v.row) != nullptr) return of_eos(v);
  return filter_mixing(v, T);
}

// Weights that multiply no token: of convolutions, of a matrix over steps, of the network that
// makes a kernel.
constexpr std::array<std::string_view, 5> kNoMatrices = {"conv.", "replay.", "spatial.",
                                                         "position.", "coefficient."};

// The numbers of the matrices that a token is multiplied by.
double matrices_of(const lcsm::Block& v) {
  double count = 0;
  for (const lcsm::Parameter& tensor : lcsm::tensors_of(v)) {
    const bool other = std::any_of(kNoMatrices.begin(), kNoMatrices.end(), [&](auto part) {
      return tensor.name.find(part) != std::string::npos;
    });
    if (tensor.shape.size() == 2 && tensor.name.ends_with(".weight") && !other && !tensor.shared)
      count += number(tensor.count());
  }
  return count;
}

}  // namespace

BlockCost cost_of(const lcsm::Block& block, std::int64_t T) {
  Mixing mixing = mixing_of(block, number(T));
  return {std::move(mixing.machine), 2 * matrices_of(block) + mixing.flops,
          sees_later_steps(block) ? 0 : mixing.state};
}

}  // namespace runner
