// Mutation tests of kernels. Each mutation of a header, one change in one place, must be refused by
// the compiler, found by the judge, or give wrong results.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tests/lcsm/cuda/driver/judged_device.h"

namespace lcsm::test {

struct Rule {
  const char *from, *to;
};
// A mutation that changes no result, given by the code after the mutation.
struct Equivalent {
  const char *line, *reason;
};
// A source, compiled after the headers, and a check that returns its kernels' fault; "" = none.
struct Trial {
  std::string source;
  std::function<std::string(const Kernels&)> fault;
  // True if the kernels contain something of the header.
  std::function<bool(const std::string& header)> has = [](const std::string&) { return true; };
};

struct Mutated {
  std::vector<std::string> headers;  // with all that they include
  std::string changed;               // part of the names of mutated headers, all *.cuh
  std::vector<Rule> rules;           // beside the common ones
  std::vector<Equivalent> equivalent{};
  std::vector<Trial> trials;  // tried in this order, until one finds the mutation
};

// The reason why mutations cannot be tried here; "" = they can.
std::string no_mutations();

// Requires that at most one in twenty of the run mutations is missed. LCSM_MUTATIONS=1 runs all, 7
// every seventh, 7/2 every seventh from the third on. Without it the first five run at most, until
// one is found by what a kernel does, which is required. Mutations for which the compiler produces
// equal code do not count.
void expect_found(const Mutated& mutated);

// The fault of a case's results: findings, or the name of a result that is off by more than `most`;
// "" = none.
std::string fault_of(const Judged& got, const Named& expected, double most);

}  // namespace lcsm::test
