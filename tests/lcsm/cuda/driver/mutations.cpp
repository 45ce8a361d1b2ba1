#include "tests/lcsm/cuda/driver/mutations.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "lcsm/cuda/driver/kernel_headers.h"
#include "lcsm/cuda/driver/nvrtc.h"
#include "tests/sanitized.h"

namespace lcsm::test {
namespace {

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

// One step more in an unrolled loop over registers touches only a spare register.
constexpr const char* kOfRegisters[] = {" < kRows", " < kScanRows", " < kLeaves"};
bool is_of_registers(const std::string& line_before, const std::string& code) {
  return line_before == "#pragma unroll" ||
         std::any_of(std::begin(kOfRegisters), std::end(kOfRegisters),
                     [&](const char* start) { return code.starts_with(start); });
}

struct Mutation {
  std::string header;
  std::size_t line = 0;
  std::string before, after;
};

std::vector<std::string> lines_of(const std::string& path) {
  std::vector<std::string> lines;
  for (const KernelHeader& header : kernel_headers())
    if (header.path == path) {
      std::istringstream text(header.text);
      for (std::string line; std::getline(text, line);) lines.push_back(line);
    }
  return lines;
}
// The header after what it includes.
void add_header(const std::string& path, std::vector<std::string>& all) {
  if (std::find(all.begin(), all.end(), path) != all.end()) return;
  for (const std::string& line : lines_of(path))
    if (line.starts_with("#include \"")) add_header(line.substr(10, line.size() - 11), all);
  all.push_back(path);
}
bool is_code(const std::string& line) {
  const std::string start = line.substr(std::min(line.find_first_not_of(' '), line.size()));
  return !start.starts_with("//") && !start.starts_with("#") && !start.starts_with("template") &&
         !start.starts_with("static_assert");
}
class Run {
 public:
  explicit Run(const Mutated& mutated) : of_(mutated), plain_(mutated.trials.size()) {
    for (const std::string& path : mutated.headers) add_header(path, headers_);
  }

  std::vector<Mutation> all() const {
    std::vector<Rule> rules(std::begin(kRules), std::end(kRules));
    rules.insert(rules.end(), of_.rules.begin(), of_.rules.end());
    std::vector<Mutation> all;
    for (const std::string& header : headers_) {
      if (!header.ends_with(".cuh") || header.find(of_.changed) == header.npos) continue;
      const std::vector<std::string> lines = lines_of(header);
      for (std::size_t n = 0; n < lines.size(); ++n)
        for (const Rule& rule : rules)
          add({header, n, lines[n].substr(0, lines[n].find("//")), ""}, n > 0 ? lines[n - 1] : "",
              rule, all);
    }
    return all;
  }

  enum class Verdict { kRefused, kFound, kMissed, kSame };
  Verdict of(const Mutation& mutation) {
    std::vector<std::pair<std::size_t, std::string>> passed;  // trials that found nothing
    for (std::size_t n = 0; n < of_.trials.size(); ++n) {
      if (!of_.trials[n].has(mutation.header)) continue;
      std::string code = compiled(mutation, of_.trials[n]).code;
      if (code.empty()) return compiles(n) ? Verdict::kRefused : Verdict::kMissed;
      if (many_ && code == plain(n)) continue;
      const Fault found = fault(code, of_.trials[n]);
      if (found.threw) plain(n);  // proves nothing where the trial throws without a mutation, too
      if (!found.text.empty()) return Verdict::kFound;
      passed.emplace_back(n, std::move(code));
    }
    for (const auto& [n, code] : passed)
      if (code != plain(n)) return Verdict::kMissed;
    return Verdict::kSame;
  }

 private:
  static void add(Mutation mutation, const std::string& line_before, const Rule& rule,
                  std::vector<Mutation>& all) {
    const std::string& code = mutation.before;
    if (!is_code(code)) return;
    for (std::size_t at = 0; (at = code.find(rule.from, at)) != code.npos; ++at) {
      if (rule.to == std::string(" <= ") && is_of_registers(line_before, code.substr(at))) continue;
      mutation.after = code;
      mutation.after.replace(at, std::string(rule.from).size(), rule.to);
      all.push_back(mutation);
    }
  }
  NvrtcResult compiled(const Mutation& mutation, const Trial& trial) const {
    std::string text;
    for (const std::string& header : headers_) {
      const std::vector<std::string> lines = lines_of(header);
      for (std::size_t n = 0; n < lines.size(); ++n) {
        const std::string& line =
            header == mutation.header && n == mutation.line ? mutation.after : lines[n];
        if (!line.starts_with("#include \"") && line != "#pragma once") text += line + "\n";
      }
    }
    return compile_cuda({.text = text + trial.source, .name = "mutated.cu"});
  }
  struct Fault {
    std::string text;
    bool threw = false;
  };
  static Fault fault(const std::string& code, const Trial& trial) {
    try {
      return {trial.fault(Kernels(code))};
    } catch (const std::exception& error) {
      return {error.what(), true};
    }
  }
  // True if the trial compiles without a mutation: otherwise a compile error would prove nothing.
  bool compiles(std::size_t n) {
    if (compiles_.find(n) == compiles_.end()) {
      const NvrtcResult sound = compiled({}, of_.trials[n]);
      EXPECT_FALSE(sound.code.empty()) << "without a mutation: " << sound.log;
      compiles_[n] = !sound.code.empty();
    }
    return compiles_[n];
  }
  // The code of the trial without a mutation, in which nothing must be found.
  const std::string& plain(std::size_t n) {
    if (plain_[n].empty()) {
      const NvrtcResult sound = compiled({}, of_.trials[n]);
      if (sound.code.empty()) throw std::runtime_error("without a mutation: " + sound.log);
      EXPECT_EQ(fault(sound.code, of_.trials[n]).text, "") << "without a mutation, trial " << n;
      plain_[n] = sound.code;
    }
    return plain_[n];
  }

  const Mutated& of_;
  std::vector<std::string> headers_;  // in the order in which they include each other
  const bool many_ = std::getenv("LCSM_MUTATIONS") != nullptr;  // then equal code is detected
  std::vector<std::string> plain_;
  std::map<std::size_t, bool> compiles_;  // by trial
};

bool is_equivalent(const Mutated& mutated, const Mutation& mutation) {
  return std::any_of(
      mutated.equivalent.begin(), mutated.equivalent.end(),
      [&](const Equivalent& row) { return mutation.after.find(row.line) != std::string::npos; });
}

}  // namespace

std::string no_mutations() {
  if (tests::kSanitized) return "the judge, which runs them, is never sanitized";
  if (std::getenv("CI") == nullptr && std::getenv("LCSM_MUTATIONS") == nullptr)
    return "a minute of work that CI does: set CI=true or LCSM_MUTATIONS=1";
  return nvrtc_missing();
}

void expect_found(const Mutated& mutated) {
  constexpr std::size_t kMostTried = 5;  // without LCSM_MUTATIONS
  Run run(mutated);
  const std::vector<Mutation> all = run.all();
  EXPECT_GE(all.size(), 200u);
  const char* const chosen = std::getenv("LCSM_MUTATIONS");
  std::size_t stride = 1, first = 0;
  if (chosen) std::sscanf(chosen, "%zu/%zu", &stride, &first);
  std::size_t tried = 0, missed = 0, same = 0;
  bool found = false;  // by what a kernel did
  for (std::size_t n = first; n < all.size(); n += std::max<std::size_t>(stride, 1)) {
    if (!chosen && (found || tried == kMostTried)) break;
    if (is_equivalent(mutated, all[n])) continue;
    const Run::Verdict verdict = run.of(all[n]);
    found |= verdict == Run::Verdict::kFound;
    same += verdict == Run::Verdict::kSame;
    tried += verdict != Run::Verdict::kSame;
    if (verdict != Run::Verdict::kMissed) continue;
    ++missed;
    std::cout << "not found: " << all[n].header << ":" << all[n].line + 1 << "\n  " << all[n].before
              << "\n  " << all[n].after << std::endl;
  }
  std::cout << missed << " of " << tried << " mutations were not found, " << same
            << " gave the same code, of " << all.size() << " in all\n";
  EXPECT_TRUE(found) << "by what a kernel did";
  EXPECT_LE(20 * missed, tried + 19) << "more than one in twenty";
}

std::string fault_of(const Judged& got, const Named& expected, double most) {
  if (!got.findings.empty()) return got.findings;
  for (const auto& [what, off] : differences(got.values, expected))
    if (off > most) return what + " is off by " + std::to_string(off);
  return "";
}

}  // namespace lcsm::test
