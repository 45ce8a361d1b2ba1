#include "tests/ptx/program.h"

#include <array>
#include <stdexcept>
#include <unordered_map>

namespace ptx {
namespace {

struct TypeRow {
  const char* name;
  Type type;
  int bytes;
};

constexpr std::array kTypes = {
    TypeRow{"pred", Type::kPred, 1},     TypeRow{"b8", Type::kB8, 1},
    TypeRow{"b16", Type::kB16, 2},       TypeRow{"b32", Type::kB32, 4},
    TypeRow{"b64", Type::kB64, 8},       TypeRow{"u8", Type::kU8, 1},
    TypeRow{"u16", Type::kU16, 2},       TypeRow{"u32", Type::kU32, 4},
    TypeRow{"u64", Type::kU64, 8},       TypeRow{"s8", Type::kS8, 1},
    TypeRow{"s16", Type::kS16, 2},       TypeRow{"s32", Type::kS32, 4},
    TypeRow{"s64", Type::kS64, 8},       TypeRow{"f16", Type::kF16, 2},
    TypeRow{"bf16", Type::kBf16, 2},     TypeRow{"f16x2", Type::kF16x2, 4},
    TypeRow{"bf16x2", Type::kBf16x2, 4}, TypeRow{"tf32", Type::kTf32, 4},
    TypeRow{"f32", Type::kF32, 4},       TypeRow{"f64", Type::kF64, 8},
};

}  // namespace

int bytes_of(Type type) {
  for (const TypeRow& row : kTypes)
    if (row.type == type) return row.bytes;
  return 0;
}

bool is_float(Type type) { return type >= Type::kF16; }
bool is_signed(Type type) { return type >= Type::kS8 && type <= Type::kS64; }

Type type_named(const std::string& name) {
  static const std::unordered_map<std::string, Type> kByName = [] {
    std::unordered_map<std::string, Type> all;
    for (const TypeRow& row : kTypes) all[row.name] = row.type;
    return all;
  }();
  const auto found = kByName.find(name);
  return found == kByName.end() ? Type::kNone : found->second;
}

const Kernel& Program::kernel(const std::string& wanted) const {
  std::string names;
  for (const Kernel& kernel : kernels) {
    if (kernel.name == wanted) return kernel;
    names += (names.empty() ? "" : ", ") + kernel.name;
  }
  throw std::runtime_error(name + ": expected a kernel of " + names + ", got " + wanted +
                           ": name one of them.");
}

u64 Program::array(const std::string& wanted) const {
  for (const auto& [array_name, address] : arrays)
    if (array_name == wanted) return address;
  throw std::runtime_error(name + ": expected an array of the module, got " + wanted +
                           ": declare it __device__ or __constant__.");
}

}  // namespace ptx
