// Are faults of the scan's kernels found? Each mutation of their headers, one change in one place,
// must be refused by the compiler, found by the judge, or give other results than the CPU. Every
// kStride-th runs; LCSM_MUTATIONS=1 runs all, LCSM_MUTATIONS=7 every seventh.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <sstream>

#include "lcsm/kernel/kernel_headers.h"
#include "tests/lcsm/kernel/scan_case.h"

namespace lcsm::test {
namespace {

constexpr std::size_t kStride = 41;  // seven of them, in half a minute

struct Rule {
  const char *from, *to;
};
constexpr Rule kRules[] = {{"__syncthreads();", ";"},
                           {" + ", " - "},
                           {" - ", " + "},
                           {" < ", " <= "},
                           {" * ", " + "},
                           {"fmaf(", "-fmaf("},
                           {" >= ", " > "},
                           {" == ", " != "},
                           {" / ", " * "},
                           {" += ", " -= "},
                           {" || ", " && "},
                           {" && ", " || "},
                           {"(int j = 0", "(int j = 1"},
                           {"(int n = 0", "(int n = 1"}};

// A step more in a loop over registers is dropped by the compiler, or goes to an element to spare.
constexpr const char* kOfRegisters[] = {" < kScanRows", " < kLeaves"};

// Mutations that change no result, by what stands there after them.
struct Equivalent {
  const char *line, *reason;
};
constexpr Equivalent kEquivalent[] = {
    {"chunks = (steps + kScanSteps + 1) / kScanSteps", "an empty chunk more"},
};

// In the order in which they include each other.
constexpr const char* kHeaders[] = {
    "lcsm/cuda/math_cuda.cuh",         "lcsm/cuda/scan_cuda.h",
    "lcsm/cuda/scan_tile_cuda.cuh",    "lcsm/cuda/scan_inputs_cuda.cuh",
    "lcsm/cuda/scan_forward_cuda.cuh", "lcsm/cuda/scan_backward_cuda.cuh",
    "lcsm/cuda/scan_carry_cuda.cuh",   "lcsm/cuda/scan_cuda.cuh"};

std::vector<std::string> lines_of(const std::string& path) {
  std::vector<std::string> lines;
  for (const KernelHeader& header : kernel_headers())
    if (header.path == path) {
      std::istringstream text(header.text);
      for (std::string line; std::getline(text, line);) lines.push_back(line);
    }
  return lines;
}
bool is_code(const std::string& line) {
  const std::string start = line.substr(std::min(line.find_first_not_of(' '), line.size()));
  return !start.starts_with("//") && !start.starts_with("#") && !start.starts_with("template") &&
         !start.starts_with("static_assert");
}

bool is_of_registers(const std::string& code) {
  return std::any_of(std::begin(kOfRegisters), std::end(kOfRegisters),
                     [&](const char* start) { return code.starts_with(start); });
}

struct Mutation {
  std::string header;
  std::size_t line = 0;
  std::string before, after;
};
std::vector<Mutation> all_mutations() {
  std::vector<Mutation> all;
  for (const std::string header : kHeaders) {
    if (!header.ends_with(".cuh") || header.find("scan_") == header.npos) continue;
    const std::vector<std::string> lines = lines_of(header);
    for (std::size_t n = 0; n < lines.size(); ++n) {
      const std::string code = lines[n].substr(0, lines[n].find("//"));
      for (const Rule& rule : kRules)
        for (std::size_t at = 0; is_code(code) && (at = code.find(rule.from, at)) != code.npos;
             ++at) {
          if (rule.to == std::string(" <= ") && is_of_registers(code.substr(at))) continue;
          std::string after = code;
          after.replace(at, std::string(rule.from).size(), rule.to);
          all.push_back({header, n, code, after});
        }
    }
  }
  return all;
}

std::string headers_with(const Mutation& mutation) {
  std::string text;
  for (const std::string header : kHeaders) {
    const std::vector<std::string> lines = lines_of(header);
    for (std::size_t n = 0; n < lines.size(); ++n) {
      const std::string& line =
          header == mutation.header && n == mutation.line ? mutation.after : lines[n];
      if (!line.starts_with("#include \"") && line != "#pragma once") text += line + "\n";
    }
  }
  return text;
}

// How it is found; nothing = it is not.
std::optional<std::string> found(const Mutation& mutation, const ScanGateCase& gate,
                                 const ScanShape& shape) {
  const std::string name = scan_kernels_name(gate.tape, gate.form);
  std::string text = scan_kernels_text(gate.tape, gate.form);
  text.replace(text.find("LCSM_SCAN_KERNELS("), 18, "LCSM_SCAN_KERNELS_FLOAT32(");
  const NvrtcResult compiled = compile_cuda(
      {.text = headers_with(mutation) + text + "LCSM_SCAN_COMMON_KERNELS()\n", .name = "scan.cu"});
  if (compiled.code.empty()) return "the compiler";
  const Named inputs = random_inputs(gate, shape, 5);
  try {
    const Judged got =
        by_judge(gate, shape, inputs, Kernels(compiled.code), 2, {.limit = 3'000'000});
    if (!got.findings.empty()) return "the judge";
    for (const auto& [what, off] : differences(got.values, by_cpu(gate, shape, inputs)))
      if (off > 1e-5) return what;
  } catch (const std::exception& error) {
    return error.what();
  }
  return {};
}
bool is_found(const Mutation& mutation) {
  // Between them: leaves of every kind, static and data stages, several tiles and segments.
  const ScanShape small{.B = 2, .T = 75, .K = 33, .D = 5, .processors = 100, .first = true};
  const ScanShape wide{.B = 1, .T = 13, .K = 5, .D = 35};
  if (found(mutation, every_leaf(), small) || found(mutation, built_in("1-9-1"), wide)) return true;
  return found(mutation, built_in("0-4-1"), small) || found(mutation, built_in("1-3-0"), small);
}
bool is_equivalent(const Mutation& mutation) {
  return std::any_of(std::begin(kEquivalent), std::end(kEquivalent), [&](const Equivalent& row) {
    return mutation.after.find(row.line) != std::string::npos;
  });
}

}  // namespace

TEST(ScanMutations, AreFound) {
  if (!nvrtc_missing().empty()) GTEST_SKIP() << nvrtc_missing();
  const char* const chosen = std::getenv("LCSM_MUTATIONS");
  const std::size_t stride = chosen ? std::max(1, std::atoi(chosen)) : kStride;
  const std::vector<Mutation> all = all_mutations();
  EXPECT_GE(all.size(), 200u);
  ASSERT_EQ(found({}, every_leaf(), {.T = 9}), std::nullopt) << "without a mutation";
  std::size_t tried = 0, missed = 0;
  for (std::size_t n = 0; n < all.size(); n += stride) {
    if (is_equivalent(all[n])) continue;
    ++tried;
    if (is_found(all[n])) continue;
    ++missed;
    std::cout << "not found: " << all[n].header << ":" << all[n].line + 1 << "\n  " << all[n].before
              << "\n  " << all[n].after << std::endl;
  }
  std::cout << missed << " of " << tried << " mutations were not found\n";
  EXPECT_LE(20 * missed, tried + 19) << "more than one in twenty";
}

}  // namespace lcsm::test
