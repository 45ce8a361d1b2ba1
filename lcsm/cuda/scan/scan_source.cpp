#include "lcsm/cuda/scan/scan_source.h"

#include "lcsm/base/name_hash.h"
#include "lcsm/cuda/scan/tape_source.h"

namespace lcsm {
namespace {
std::string word(StageKind stage) {
  return std::string("lcsm::StageKind::k") + (stage == StageKind::kData     ? "Data"
                                              : stage == StageKind::kStatic ? "Static"
                                                                            : "None");
}
std::string suffix(StageKind stage, const std::string& name) {
  return stage == StageKind::kData ? "" : stage == StageKind::kStatic ? "_" + name : "_no_" + name;
}
}  // namespace

ScanForm scan_form(const Tape& tape, bool static_e, bool static_s) {
  const auto of = [](bool is_static) { return is_static ? StageKind::kStatic : StageKind::kData; };
  return {tape.w >= 0 ? StageKind::kNone : of(static_e), of(static_s)};
}

bool scans_channels(const Tape& tape, int K) { return K == 1 && tape.parts.empty(); }

std::string scan_kernels_name(const Tape& tape, ScanForm form) {
  return "scan_" + name_hash(tape_source(tape, "Gate")) + suffix(form.e, "e") +
         suffix(form.s, "s") + (form.channels ? "_channels" : "");
}

std::string scan_kernels_text(const Tape& tape, ScanForm form) {
  const std::string name = scan_kernels_name(tape, form);
  return "namespace lcsm::" + name + " {\n" + tape_source(tape, "Gate") + "}\nLCSM_SCAN_" +
         (form.channels ? "CHANNELS_" : "") + "KERNELS(" + name + ", lcsm::" + name + "::Gate, " +
         word(form.e) + ", " + word(form.s) + ")\n";
}

CudaSource scan_source(const Tape& tape, ScanForm form) {
  return {.text = "#include \"lcsm/cuda/scan/scan_cuda.cuh\"\n" + scan_kernels_text(tape, form) +
                  "LCSM_SCAN_COMMON_KERNELS()\n",
          .name = scan_kernels_name(tape, form) + ".cu"};
}

}  // namespace lcsm
