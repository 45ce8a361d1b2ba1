// The families of exponential smoothing, state spaces and their kin, one type each: a block (see
// lcsm/block/block.h) that has one filter,
//
//     Filter filter(const Weights&, std::int64_t T, const GpuOrCpu&) const;  // ets/kernels
//     static constexpr std::int64_t kBackwardLag;  // the first lag of its second direction; 0
//                                                  // counts the present step twice
//
// with ReplayOptions as a base, whose tensors and cost put_replay and with_replay add, a tensor
// "skip" (put_skip) for a shortcut, and an option `output` (put_output) for a projection, or a
// forward pass of its own (ets/layer).
#pragma once

#include <span>
#include <string_view>

#include "ets/families/ces.h"
#include "ets/families/diagonal.h"
#include "ets/families/dss.h"
#include "ets/families/ema.h"
#include "ets/families/etsmlp.h"
#include "ets/families/h3.h"
#include "ets/families/mega.h"
#include "ets/families/s4.h"
#include "ets/families/s4pp.h"
#include "ets/families/s5.h"
#include "ets/families/tnn.h"

namespace ets {

using Families =
    lcsm::BlockTypes<Ces, Ema, S4d, S4, Dss, S5, H3, Tnn, Etsmlp, MegaFeed, Mega, S4pp>;

std::span<const lcsm::BlockRow* const> family_rows();

// Null if there is none of that name.
const lcsm::BlockRow* family_named(std::string_view name);

}  // namespace ets
