#include "lcsm/cuda/scan/built_in.h"

#include <algorithm>

#include "lcsm/code/plan.h"
#include "lcsm/tape/scan_gate.h"

namespace lcsm {
namespace {

void add(const std::string& code, const Variant& variant, bool one_row,
         std::vector<BuiltInScan>* all) {
  if (plan_of(variant).machine != Machine::kScan) return;
  ScanGate gate = scan_gate(variant, one_row);
  ScanForm form = scan_form(gate.tape, variant.e_static(), variant.s_static());
  form.channels = one_row && scans_channels(gate.tape, 1);
  BuiltInScan scan{{}, {code}, std::move(gate.tape), {}, form};
  scan.name = scan_kernels_name(scan.tape, scan.form);
  for (const Leaf& leaf : gate.inside.leaves) scan.over_k.push_back(leaf.type.k);
  if (gate.inside.w) scan.over_k.push_back(true);
  const auto same = std::find_if(all->begin(), all->end(),
                                 [&](const BuiltInScan& other) { return other.name == scan.name; });
  if (same == all->end())
    all->push_back(std::move(scan));
  else
    same->codes.push_back(code);
}

std::vector<BuiltInScan> scans_of(bool one_row) {
  const Catalogue catalogue;
  std::vector<BuiltInScan> all;
  const auto variant = [&](const std::string& code) {
    return make_variant(parse_code(code, catalogue), catalogue);
  };
  const std::string ending = one_row ? "-k1" : "";
  for (const Oscillation& row : catalogue.all()) {
    if (row.whole) {
      add(row.name + ending, variant(row.name), one_row, &all);
      continue;
    }
    for (const char* e : {"1-", "0-"})
      for (const char* s : {"-1", "-0"})
        add(e + row.name + s + ending, variant(e + row.name + s + "-0"), one_row, &all);
  }
  return all;
}

}  // namespace

std::vector<BuiltInScan> built_in_scans() { return scans_of(false); }
std::vector<BuiltInScan> built_in_channel_scans() { return scans_of(true); }

}  // namespace lcsm
