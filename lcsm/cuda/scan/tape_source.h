// Prints a tape as CUDA source: a struct that computes one cell of the memory in float32, with the
// functions of lcsm/cuda/common/math_cuda.cuh, into ScanFactors of
// lcsm/cuda/scan/scan_tile_cuda.cuh.
#pragma once

#include <string>

#include "lcsm/tape/tape.h"

namespace lcsm {

// `struct NAME`, for the kernels of lcsm/cuda: the same text for the same computation, whatever the
// formula it was made from. The tape's results are o (and w), or the parts of o, then, if there are
// more, the parts of w and of r.
//
//   kLeaves, kParts (of a cell), kWrites and kReads (it computes w, r), kByLog (the pass gives
//   d log o in place of d o), kExact (leaves over data are float32 in every
//   launch), kSteady (o is of parts and does not vary over time)
//   spread(n)          what leaf n varies over
//   gate(x, by)        the factors of a cell from its leaves
//   gradient(x, pass, d)  calls pass(by, slope, d_by), which sets the gradients of the factors, and
//                      adds the gradient of each leaf to d; `slope` multiplies the one of o
std::string tape_source(const Tape& tape, const std::string& name);

// The parts of a cell of the memory: 2 if it is complex.
std::size_t parts_of(const Tape& tape);

}  // namespace lcsm
