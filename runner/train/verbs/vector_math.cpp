// Before main: one call of exp, on one thread. LibTorch computes exp, log, sqrt and their like by
// MKL, which chooses its code for them at the first call in a process. A thread that calls while
// another one chooses may get code of low accuracy: 4000 units in the last place (MKL 2024.2;
// pytorch issue 188792).
#include <ATen/ops/exp.h>
#include <ATen/ops/zeros.h>

namespace {

[[maybe_unused]] const bool chosen = at::exp(at::zeros({1})).defined();

}  // namespace
