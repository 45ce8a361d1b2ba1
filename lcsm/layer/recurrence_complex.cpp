#include "lcsm/layer/recurrence_complex.h"

#include "lcsm/machines/scan_op.h"
#include "lcsm/machines/scan_op_cuda.h"

namespace lcsm {

RecurrenceResult recurrence_complex(const Compiled& compiled, const RecurrenceInputs& in,
                                    const ComplexFormulas& formulas, const GpuOrCpu& gpu) {
  const CompiledComplexScan& of = *compiled.complex[in.s_imaginary.defined() ? 1 : 0];
  ScanInputs scan;
  scan.K = compiled.v.sizes.k;
  scan.i = in.i;
  if (!compiled.v.e_static()) scan.e = in.e;
  if (!compiled.v.s_static()) scan.s = in.s;
  scan.m = in.state.m;
  for (const CompiledLeaf& leaf : of.leaves)
    scan.leaves.push_back(formulas.leaf(leaf).to(state_dtype(in.i.scalar_type())));
  Tensors exact_o;
  for (const Expr& part : of.static_o) exact_o.push_back(formulas.cells(part).detach());
  const Tensors out =
      gpu ? complex_scan_machine_cuda(gpu, of.tape, scan, exact_o)
          : complex_scan_machine(of.tape, scan, static_cast<std::int64_t>(of.parts), exact_o);
  return {out[0], {out[1], {}}};
}

}  // namespace lcsm
