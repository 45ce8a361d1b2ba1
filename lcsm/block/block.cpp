#include "lcsm/block/block.h"

namespace lcsm {

Options options_of(const BlockRow& row) { return {row.name, row.options()}; }

Block make_block(const BlockRow& row, const Options& options, std::int64_t d) {
  options.check();
  Block block{&row, options, d, row.read(options)};
  row.check(block);
  return block;
}

Parameters tensors_of(const Block& block) { return block.row->tensors(block); }

bool sees_later_steps(const BlockRow& row, const Options& options) {
  const auto is = [&](std::string_view name, std::string_view value) {
    return options.has(name) && options.text(name) == value;
  };
  return row.always_two_sided || is("bidirectional", "true") || is("causal", "false");
}

}  // namespace lcsm
