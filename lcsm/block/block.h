// A block is a part of a model that mixes steps, or follows such a part. Its type is a struct of
// its options. Its member functions describe tensors and costs without LibTorch, and run the
// forward pass:
//
//   struct X {
//     static constexpr std::string_view kName = "x", kHelp = "what it is";
//     std::int64_t taps = 3;
//     void describe(auto& option);
//     Parameters tensors(std::int64_t d) const;          // in the order of the equations
//     Mixing mixing(std::int64_t d, double steps) const;
//     BlockResult forward(const Weights&, const at::Tensor& x, const BlockContext&) const;
//
//     // Optional:
//     void check(std::int64_t d) const;         // rules between options and sizes
//     static constexpr bool kTwoSided = true;   // always sees later steps
//     static constexpr bool kRecalls = true;    // carries its state between consecutive examples
//     static constexpr bool kBeginsWithProducts = true;  // x may be of their type
//     static constexpr std::string_view kCpuOnly = "why no GPU computes it";
//   };
#pragma once

#include <any>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lcsm/block/mixing.h"
#include "lcsm/block/options.h"
#include "lcsm/code/variant.h"

namespace at {
class Tensor;
}

namespace lcsm {

struct BlockContext;
struct BlockResult;
using Weights = std::map<std::string, at::Tensor>;

using Parameters = std::vector<Parameter>;

struct BlockRow;

// A row with its options and the number of channels filled in.
struct Block {
  const BlockRow* row = nullptr;
  Options options;  // as texts, by name
  std::int64_t d = 0;
  std::any fields = {};  // the struct of options

  template <class T>
  const T& as() const {
    return std::any_cast<const T&>(fields);
  }
};

// The type of a block as a value.
struct BlockRow {
  std::string_view name, help;
  std::span<const OptionRow> (*options)();
  std::any (*read)(const Options&);
  Parameters (*tensors)(const Block&);
  Mixing (*mixing)(const Block&, double steps);
  void (*check)(const Block&);
  bool always_two_sided = false;
  bool recalls = false;  // its state carries over between consecutive examples
  std::string_view cpu_only = "";
};

template <class T>
constexpr BlockRow make_block_row() {
  BlockRow row = {
      .name = T::kName,
      .help = T::kHelp,
      .options = option_rows<T>,
      .read = [](const Options& options) -> std::any { return read_options<T>(options); },
      .tensors = [](const Block& block) { return block.as<T>().tensors(block.d); },
      .mixing = [](const Block& block,
                   double steps) { return block.as<T>().mixing(block.d, steps); },
      .check = [](const Block&) {},
  };
  if constexpr (requires(const T& block) { block.check(1); })
    row.check = [](const Block& block) { block.as<T>().check(block.d); };
  if constexpr (requires { T::kTwoSided; }) row.always_two_sided = T::kTwoSided;
  if constexpr (requires { T::kRecalls; }) row.recalls = T::kRecalls;
  if constexpr (requires { T::kCpuOnly; }) row.cpu_only = T::kCpuOnly;
  return row;
}
template <class T>
inline constexpr BlockRow block_row = make_block_row<T>();

// The rows of several types.
template <class... T>
struct BlockTypes {
  static constexpr const BlockRow* rows[] = {&block_row<T>...};

  // Calls f with the struct of the block's type; false if it is none of these types.
  static bool visit(const Block& block, const auto& f) {
    return ((block.row == &block_row<T> && (f(block.as<T>()), true)) || ...);
  }
};

Options options_of(const BlockRow& row);

// Throws std::invalid_argument where options or sizes do not fit together.
Block make_block(const BlockRow& row, const Options& options, std::int64_t d);

// Lists the tensors in the order of the equations.
Parameters tensors_of(const Block& block);

// True if an output depends on later inputs: always, or by the options "bidirectional" and
// "causal".
bool sees_later_steps(const BlockRow& row, const Options& options);

}  // namespace lcsm
