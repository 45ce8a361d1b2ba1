#include "lcsm/block/block.h"

#include "lcsm/base/row_names.h"

namespace lcsm {

std::int64_t Block::directions() const {
  return row->backward_lag != Lag::kCausalOnly && options.flag("bidirectional") ? 2 : 1;
}

Block make_block(const BlockRow& row, const Options& options, std::int64_t d) {
  options.check();
  Block block{&row, options, d};
  if (row.check) row.check(block);
  return block;
}

Parameters tensors_of(const Block& block) { return block.row->tensors(block); }

Block part_of(const Block& whole, const BlockRow& row, std::int64_t d) {
  Options options(row.name, row.options);
  for (const OptionRow& option : row.options)
    if (row_named(whole.options.rows(), option.name) != nullptr &&
        whole.options.is_set(option.name))
      options.set(option.name, whole.options.text(option.name));
  return make_block(row, options, d);
}

bool is_two_sided(const Block& block) {
  const auto is = [&](std::string_view name, bool value) {
    return row_named(block.options.rows(), name) != nullptr && block.options.flag(name) == value;
  };
  return is("bidirectional", true) || is("causal", false);
}

}  // namespace lcsm
