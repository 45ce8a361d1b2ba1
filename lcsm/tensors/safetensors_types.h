// LibTorch's types for the types of a safetensors file, in the order of kSafeTensorsTypes.
#pragma once

#include <c10/core/ScalarType.h>

#include <array>

#include "lcsm/files/safetensors_header.h"

namespace lcsm {

inline constexpr std::array<at::ScalarType, kSafeTensorsTypes.size()> kScalarTypes = {
    at::kLong, at::kDouble, at::kFloat, at::kInt,  at::kBFloat16,
    at::kHalf, at::kShort,  at::kChar,  at::kByte, at::kBool};

}  // namespace lcsm
