#include "runner/claim_block.h"

#include "runner/view_block.h"

namespace runner {

results::ClaimSpec read_claim_block(const toml::table& block, int source, Mistakes& mistakes) {
  ViewBlock in("claim", block, source, mistakes);
  results::ClaimSpec spec;
  in.require("claim", "\"1-9-1-0 < 1-1-1-0 in valid.ppl\"");
  spec.text = in.text("claim");
  spec.paper = in.text("paper");
  in.select(&spec.tuned, &spec.by);
  spec.where = in.where();
  in.finish();
  if (!spec.text.empty()) in.checked("claim", [&] { results::parse_claim(spec.text); });
  return spec;
}

}  // namespace runner
