#include "tests/ptx/opcodes.h"

#include <algorithm>
#include <stdexcept>
#include <unordered_map>
#include <unordered_set>

#include "tests/ptx/memory.h"
#include "tests/ptx/statements.h"

namespace ptx {
namespace {

// Registers that every warp gets filled; others, clocks above all, have no row.
bool is_special(const std::string& name) {
  static const std::unordered_set<std::string> kNames = {
      "%tid.x",          "%tid.y",       "%tid.z",
      "%ntid.x",         "%ntid.y",      "%ntid.z",
      "%ctaid.x",        "%ctaid.y",     "%ctaid.z",
      "%nctaid.x",       "%nctaid.y",    "%nctaid.z",
      "%laneid",         "%warpid",      "%nwarpid",
      "%lanemask_eq",    "%lanemask_lt", "%lanemask_le",
      "%lanemask_gt",    "%lanemask_ge", "%dynamic_smem_size",
      "%total_smem_size"};
  return kNames.contains(name);
}

// " a b c " has the word " b ".
bool lists(const std::string& words, const std::string& word) {
  return (" " + words + " ").find(" " + word + " ") != std::string::npos;
}

const Row* row_named(const std::string& name) {
  static const std::unordered_map<std::string, const Row*> kByName = [] {
    std::unordered_map<std::string, const Row*> all;
    for (const Rows* rows : all_rows())
      for (const Row& row : *rows) all.try_emplace(row.name, &row);
    return all;
  }();
  const auto found = kByName.find(name);
  return found == kByName.end() ? nullptr : found->second;
}

}  // namespace

Decoder::Decoder(Builder& of, const std::string& text, int line, const std::string& source)
    : builder(of) {
  i.line = line;
  i.text = text;
  i.source = source;
  std::string rest = text;
  take_predicate(rest);
  const std::size_t end = std::min(rest.find(' '), rest.size());
  parts = split(rest.substr(0, end), '.');
  arguments = split(rest.substr(end), ',');
  for (const std::string& part : parts)
    if (const Type type = type_named(part); type != Type::kNone) types.push_back(type);
}

void Decoder::take_predicate(std::string& text) {
  if (!text.starts_with('@')) return;
  const std::size_t end = text.find(' ');
  i.negated = text[1] == '!';
  const std::string name = text.substr(i.negated ? 2 : 1, end - (i.negated ? 2 : 1));
  const auto found = builder.find_register(name);
  if (!found) fail("expected a predicate, got " + name);
  i.predicate = found->at;
  text = trimmed(text.substr(end));
}

bool Decoder::has(const char* modifier) const {
  return std::find(parts.begin() + 1, parts.end(), modifier) != parts.end();
}

Type Decoder::type() const {
  if (types.empty()) fail("expected a type");
  return types.back();
}

std::string Decoder::among(const char* names) const {
  for (std::size_t k = 1; k < parts.size(); ++k)
    if (lists(names, parts[k])) return parts[k];
  return "";
}

std::optional<Register> Decoder::known(const std::string& name) {
  if (is_special(name)) return Register{builder.special(name), 4};
  return builder.find_register(name);
}

std::optional<u64> Decoder::value_of(const std::string& name, int bytes, bool real) const {
  if (name == "WARP_SZ") return 32;
  if (const auto symbol = builder.find_symbol(name)) return symbol->address;
  return literal_of(name, bytes, real);
}

void Decoder::place(int at, int bytes) {
  if (i.operands == 20) fail("more than 20 operands");
  i.at[i.operands] = at;
  i.width[i.operands++] = static_cast<u8>(bytes);
}

void Decoder::out(const std::string& name, Type type) {
  if (name == "_") return place(builder.take(8), bytes_of(type));
  const auto found = builder.find_register(name);
  if (!found) fail("expected a register, got " + name);
  if (found->bytes != bytes_of(type)) fail("expected a register of the type's width, got " + name);
  place(found->at, found->bytes);
}

void Decoder::in(const std::string& name, Type type) {
  const int bytes = bytes_of(type);
  if (const auto found = known(name)) {
    if (found->bytes != bytes) fail("expected a register of the type's width, got " + name);
    return place(found->at, bytes);
  }
  const auto value = value_of(name, bytes, type == Type::kF32 || type == Type::kF64);
  if (!value) fail("expected a register or a number, got " + name);
  place(builder.constant(bytes == 8 ? *value : *value & ((1ull << 8 * bytes) - 1), bytes), bytes);
}

void Decoder::out_any(const std::string& name) {
  if (name == "_") return place(builder.take(8), 8);
  const auto found = builder.find_register(name);
  if (!found) fail("expected a register, got " + name);
  place(found->at, found->bytes);
}

void Decoder::in_any(const std::string& name, Type type) {
  if (const auto found = known(name)) return place(found->at, found->bytes);
  in(name, type);
}

void Decoder::address(const std::string& bracketed) {
  if (!bracketed.starts_with('[') || !bracketed.ends_with(']'))
    fail("expected an address in brackets, got " + bracketed);
  std::string base = trimmed(bracketed.substr(1, bracketed.size() - 2)), rest;
  if (const std::size_t plus = base.find('+'); plus != base.npos) {
    rest = trimmed(base.substr(plus + 1));
    base = trimmed(base.substr(0, plus));
  }
  i.address = i.operands;
  i.offset = rest.empty() ? 0 : std::stoll(rest, nullptr, 0);
  if (const auto found = builder.find_register(base)) return place(found->at, found->bytes);
  const auto symbol = builder.find_symbol(base);
  if (symbol && i.space == Space::kParam && symbol->space == Space::kLocal) i.space = Space::kLocal;
  in(base, Type::kB64);
}

void Decoder::expect(std::size_t least, std::size_t most) const {
  if (arguments.size() < least || arguments.size() > most)
    fail("expected " + std::to_string(least) + " to " + std::to_string(most) + " operands");
}

void Decoder::fail(const std::string& reason) const {
  throw std::runtime_error(
      builder.kernel.name + ", PTX line " + std::to_string(i.line) + " (" + i.source + "): `" +
      i.text + "`: " + reason +
      ". If the device accepts it, add it to its row in tests/ptx/rows/*.cpp.");
}

std::vector<const Rows*> all_rows() {
  return {&integer_rows(), &float_rows(),   &approximate_rows(), &bit_rows(),    &choice_rows(),
          &move_rows(),    &convert_rows(), &control_rows(),     &memory_rows(), &atomic_rows(),
          &warp_rows(),    &mma_rows(),     &matrix_rows(),      &copy_rows()};
}

Instruction decoded(Builder& builder, const std::string& text, int line,
                    const std::string& source) {
  Decoder decoder(builder, text, line, source);
  const Row* row = row_named(decoder.parts[0]);
  if (row == nullptr) decoder.fail("no row has the opcode " + decoder.parts[0]);
  for (std::size_t k = 1; k < decoder.parts.size(); ++k)
    if (type_named(decoder.parts[k]) == Type::kNone && !lists(row->modifiers, decoder.parts[k]))
      decoder.fail("the row of " + decoder.parts[0] + " has no modifier ." + decoder.parts[k]);
  row->build(decoder);
  if (decoder.i.step == nullptr && decoder.i.flow == Flow::kNext)
    decoder.fail("the row of " + decoder.parts[0] + " has no such combination of modifiers");
  return decoder.i;
}

}  // namespace ptx
