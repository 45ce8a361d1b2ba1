#include "tests/ptx/findings.h"

namespace ptx {
namespace {

std::string place(const Instruction& at) {
  return "PTX line " + std::to_string(at.line) + " (" + at.source + ") `" + at.text + "`";
}

}  // namespace

const char* name_of(Fault fault) {
  switch (fault) {
    case Fault::kRace:
      return "race";
    case Fault::kUnwritten:
      return "unwritten";
    case Fault::kOutOfBounds:
      return "out of bounds";
    case Fault::kMisaligned:
      return "misaligned";
    case Fault::kReadOnly:
      return "read-only";
    case Fault::kInFlight:
      return "in flight";
    case Fault::kDivergence:
      return "divergence";
    case Fault::kStuck:
      return "stuck";
    case Fault::kOrder:
      return "order";
  }
  return "";
}

void Findings::add(Fault fault, const Kernel& kernel, const Instruction& at,
                   const std::string& detail, const Instruction* other) {
  const auto [found, fresh] = places_.try_emplace(Key{fault, &at, other, detail}, all_.size());
  if (fresh) {
    std::string text =
        std::string(name_of(fault)) + ": " + kernel.name + ", " + place(at) + ": " + detail;
    if (other != nullptr) text += " at " + place(*other);
    all_.push_back({fault, kernel.name, at.line, at.source, text, 0});
  }
  ++all_[found->second].times;
}

std::vector<Finding> Findings::list() const { return all_; }

}  // namespace ptx
