// A variant as the machines compute it, made once: whatever follows from its formulas alone.
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

// A formula before the loop: simplified, with the number of tau.
struct DataFormula {
  DataFormula(const Expr& e, const Variant& variant);

  Expr plain;
  std::optional<MapFormula> in_one_pass;  // on a CPU; none of a symbol or without data
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
  int scaled_by = -1;   // the leaf over channels that also scales the input; -1: none
};

struct CompiledComplexScan {
  std::shared_ptr<const Tape> tape;
  std::vector<CompiledLeaf> leaves;
  std::size_t parts = 1;       // of a number
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

  Machine on_a_gpu() const;  // throws std::invalid_argument where a GPU has no machine

  const Variant v;
  const Plan plan;
  const std::vector<Symbol> symbols;  // those that the inputs give

  std::optional<Decay> softmax;       // its logits
  std::vector<Decay> decays;          // of the chunk machine
  bool may_grow = false;              // one of them may exceed 1
  std::optional<DataFormula> erased;  // v of the delta machine

  ScalePlace scale_place = ScalePlace::kNowhere;
  Expr static_scale;                 // of a static e
  std::optional<DataFormula> scale;  // of i, or of e over the data

  // For every memory that is real and read by s alone; on a GPU a memory of one row has its own.
  std::optional<CompiledScan> scan, scan_of_a_row;
  // Of all others: with a real s, with a complex one.
  std::array<std::optional<CompiledComplexScan>, 2> complex;
  std::optional<ModesFormulas> modes;

 private:
  mutable std::once_flag once_;
  mutable Machine cuda_machine_ = Machine::kScan;
};

}  // namespace lcsm
