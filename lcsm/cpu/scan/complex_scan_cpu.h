// The fused scan of a complex memory, or of a real one with weights w and r of its own: m_t = o_t
// (.) m_{t-1} + (e_t w_t) (.) i_t, y_t[d] = sum_k s_t[k] Re(r_t[k,d] m_t[k,d]), with o, w and r
// from a tape, each of one part or two (real, imaginary).
//
// It has the struct and the order of the real scan, with these differences. The tape computes the
// parts of o, then, if there are weights, the parts of w and of r. e and s are data [B, T, K] or
// null = 1: static ones are in w and r. If o is static and T is float32, the memory is carried from
// block to block in float64.
#pragma once

#include "lcsm/cpu/scan/scan_cpu.h"

namespace lcsm {

// Kernels for this processor's vectors. T is float or double.
template <class T>
const ScanKernels<T>& complex_scan_kernels();

}  // namespace lcsm
