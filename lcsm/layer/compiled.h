// A variant compiled for the machines: all that follows from its formulas alone, made once.
#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "lcsm/code/plan.h"
#include "lcsm/machines/map_op.h"
#include "lcsm/tape/complex_gate.h"
#include "lcsm/tape/scan_gate.h"

namespace lcsm {

// A formula that is computed before the loop: simplified, with the number of tau in it.
struct DataFormula {
  DataFormula(const Expr& e, const Variant& variant);

  Expr plain;
  std::optional<MapFormula> in_one_pass;  // none for a symbol alone or without data
};

// A leaf of a scan's tape.
struct CompiledLeaf {
  Type type;
  Expr formula;
  std::optional<DataFormula> over_data;
};

struct CompiledScan {
  std::shared_ptr<const Tape> tape;
  std::vector<CompiledLeaf> leaves;
  bool weighs = false;  // the tape has a w, and e as its last leaf
  int scaled_by = -1;   // the leaf over cells that also scales the input; -1: none
};

struct CompiledComplexScan {
  std::shared_ptr<const Tape> tape;
  std::vector<CompiledLeaf> leaves;
  std::size_t parts = 1;       // of a number: 2 = real, imaginary
  std::vector<Expr> static_o;  // the parts of o if they are static, else none
};

// The factors of a sum of modes.
struct ModesFormulas {
  Expr log_o;  // null: none
  ComplexParts scale, read;
};

// A part of log o, or the logits of a running softmax, with the axes of its values.
struct Decay {
  Type type;
  DataFormula log;
};

struct Compiled {
  explicit Compiled(const Variant& variant);

  Machine on_a_gpu() const;  // throws std::invalid_argument if a GPU has no machine

  const Variant v;
  const Plan plan;
  const std::vector<Symbol> symbols;  // the symbols whose values the inputs give

  std::optional<Decay> softmax;       // its logits
  std::vector<Decay> decays;          // of the chunk machine
  bool may_grow = false;              // one of the decays may exceed 1
  std::optional<DataFormula> erased;  // v of the delta machine

  ScalePlace scale_place = ScalePlace::kNowhere;
  Expr static_scale;                 // the scale of a static e
  std::optional<DataFormula> scale;  // the scale of i, or of e over the data

  // For a real memory without a `read`; scan_of_a_row: for a memory of one row on a GPU.
  std::optional<CompiledScan> scan, scan_of_a_row;
  // For other memories: [0] with a real s, [1] with a complex s.
  std::array<std::optional<CompiledComplexScan>, 2> complex;
  std::optional<ModesFormulas> modes;

 private:
  mutable std::once_flag once_;
  mutable Machine cuda_machine_ = Machine::kScan;
};

}  // namespace lcsm
