#include "lcsm/kernel/scan_source.h"

#include "lcsm/base/name_hash.h"
#include "lcsm/kernel/tape_source.h"

namespace lcsm {
namespace {
std::string word(bool value) { return value ? "true" : "false"; }
}  // namespace

std::string scan_kernels_name(const Tape& tape, ScanForm form) {
  const bool static_e = form.static_e && tape.w < 0;
  return "scan_" + name_hash(tape_source(tape, "Gate")) + (static_e ? "_e" : "") +
         (form.static_s ? "_s" : "");
}

std::string scan_kernels_text(const Tape& tape, ScanForm form) {
  const std::string name = scan_kernels_name(tape, form);
  return "namespace lcsm::" + name + " {\n" + tape_source(tape, "Gate") + "}\nLCSM_SCAN_KERNELS(" +
         name + ", lcsm::" + name + "::Gate, " + word(form.static_e && tape.w < 0) + ", " +
         word(form.static_s) + ")\n";
}

CudaSource scan_source(const Tape& tape, ScanForm form) {
  return {.text = "#include \"lcsm/cuda/scan_cuda.cuh\"\n" + scan_kernels_text(tape, form) +
                  "LCSM_SCAN_COMMON_KERNELS()\n",
          .name = scan_kernels_name(tape, form) + ".cu"};
}

}  // namespace lcsm
