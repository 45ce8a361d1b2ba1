// The table of opcodes: what a row accepts and how it becomes an Instruction.
#pragma once

#include <string>
#include <vector>

#include "tests/ptx/builder.h"

namespace ptx {

// Decodes one statement while its row builds the instruction.
class Decoder {
 public:
  Decoder(Builder& builder, const std::string& text, int line, const std::string& source);

  Instruction i;
  std::vector<std::string> parts;      // mul wide s32
  std::vector<Type> types;             // s32
  std::vector<std::string> arguments;  // %rd1 %r2 4

  bool has(const char* modifier) const;
  Type type() const;                           // the last
  std::string among(const char* names) const;  // the modifier among these, "" if none

  // Append operand k of the statement; a register must be exactly as wide as the type.
  void out(std::size_t k, Type type) { out(arguments.at(k), type); }
  void in(std::size_t k, Type type) { in(arguments.at(k), type); }
  void out(const std::string& name, Type type);
  void in(const std::string& name, Type type);
  void out_any(const std::string& name);  // as wide as the register is
  void in_any(const std::string& name, Type type);
  void address(const std::string& bracketed);  // [%rd1+8], also sets the space of a symbol
  void place(int at, int bytes);

  // Sizes of the statement, checked before rows read arguments.
  void expect(std::size_t least, std::size_t most) const;
  [[noreturn]] void fail(const std::string& reason) const;

  Builder& builder;

 private:
  void take_predicate(std::string& text);
  std::optional<Register> known(const std::string& name);  // registers and %tid.x
  std::optional<u64> value_of(const std::string& name, int bytes, bool real) const;
};

struct Row {
  const char* name;
  const char* modifiers;  // all known modifiers, without types
  void (*build)(Decoder&);
};

using Rows = std::vector<Row>;
const Rows& integer_rows();
const Rows& float_rows();
const Rows& approximate_rows();
const Rows& bit_rows();
const Rows& choice_rows();
const Rows& move_rows();
const Rows& convert_rows();
const Rows& control_rows();
const Rows& memory_rows();
const Rows& atomic_rows();
const Rows& warp_rows();
const Rows& mma_rows();
const Rows& matrix_rows();
const Rows& copy_rows();

std::vector<const Rows*> all_rows();

// Throws, naming line and opcode, if no row accepts the statement.
Instruction decoded(Builder& builder, const std::string& text, int line, const std::string& source);

}  // namespace ptx
