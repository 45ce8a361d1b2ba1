// A tape printed as CUDA source: a struct that computes one cell of the memory in float32, by the
// functions of lcsm/cuda/math_cuda.cuh.
#pragma once

#include <string>

#include "lcsm/tape/tape.h"

namespace lcsm {

// `struct NAME`, for the kernels of lcsm/cuda: the same text for the same computation, whatever the
// formula it was made from. Of tapes with o (and w), not of parts.
//
//   kLeaves, kWrites (it computes w), kByLog (the pass gives d log o in place of d o)
//   spread(n)          what leaf n varies over
//   gate(x, o, w)      o and w of a cell from its leaves
//   gradient(x, pass, d)  calls pass(o, w, slope, d_o, d_w), which sets d_o and d_w, and adds the
//                      gradient of each leaf to d; `slope` multiplies d_o
std::string tape_source(const Tape& tape, const std::string& name);

}  // namespace lcsm
