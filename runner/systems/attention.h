// Options and tensors shared by attention-like blocks.
#pragma once

#include "ets/families/tensor_list.h"

namespace runner {

inline constexpr ets::OptionRow kHeads =
    ets::integer("heads", "4", 1, "heads of d / heads channels");
inline constexpr ets::OptionRow kBidirectional =
    ets::flag("bidirectional", false, "every position sees all others, not only earlier ones");
inline constexpr ets::OptionRow kDraw =
    ets::integer("draw", "0", 0, "seed of the fixed random draws");

// Throws std::invalid_argument unless the heads divide d.
void check_heads(const ets::Variant& variant);

// Throws std::invalid_argument for more positions than the option `length` has weights for.
void check_length(const ets::Variant& variant, std::int64_t T);

// Adds "qkv" [3 d, d], whose rows are queries, keys and values, each head by head, and "output" [d,
// d].
void put_qkv(const ets::Variant& variant, ets::TensorList* tensors);
void put_output(const ets::Variant& variant, ets::TensorList* tensors);

}  // namespace runner
