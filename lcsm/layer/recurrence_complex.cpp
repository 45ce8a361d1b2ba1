#include "lcsm/layer/recurrence_complex.h"

#include "lcsm/machines/scan_op.h"
#include "lcsm/machines/scan_op_cuda.h"
#include "lcsm/tape/complex_gate.h"

namespace lcsm {

RecurrenceResult recurrence_complex(const Variant& v, const RecurrenceInputs& in,
                                    const ComplexFormulas& formulas,
                                    const std::shared_ptr<Gpu>& gpu) {
  ComplexGate gate = complex_gate(v, in.s_imaginary.defined());
  ScanInputs scan;
  scan.K = v.sizes.k;
  scan.i = in.i;
  if (!v.e_static()) scan.e = in.e;
  if (!v.s_static()) scan.s = in.s;
  scan.m = in.state.m;
  for (const Leaf& leaf : gate.inside.leaves)
    scan.leaves.push_back(formulas.leaf(leaf).to(state_dtype(in.i.scalar_type())));
  Tensors exact_o;
  bool is_static = true;
  for (std::size_t n = 0; n < gate.parts; ++n)
    is_static = is_static && !type_of(gate.formulas[n]).data;
  for (std::size_t n = 0; n < gate.parts && is_static; ++n)
    exact_o.push_back(formulas.cells(gate.formulas[n]).detach());
  const auto tape = std::make_shared<const Tape>(std::move(gate.tape));
  const Tensors out =
      gpu ? complex_scan_machine_cuda(gpu, tape, scan, exact_o)
          : complex_scan_machine(tape, scan, static_cast<std::int64_t>(gate.parts), exact_o);
  return {out[0], {out[1], {}}};
}

}  // namespace lcsm
