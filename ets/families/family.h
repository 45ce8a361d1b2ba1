// The families of exponential smoothing, state spaces and their kin, one row each.
#pragma once

#include <span>
#include <string_view>

#include "lcsm/block/block.h"

namespace ets {

std::span<const lcsm::BlockRow* const> family_rows();

// Null if there is none of that name.
const lcsm::BlockRow* family_named(std::string_view name);

// ----- The rows, each in a file of its name -----

extern const lcsm::BlockRow kCes, kEma, kS4d, kS4, kDss, kS5, kH3, kTnn, kEtsmlp, kMegaFeed, kMega,
    kS4pp;

}  // namespace ets
