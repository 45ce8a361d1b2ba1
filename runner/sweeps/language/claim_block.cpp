#include "runner/sweeps/language/claim_block.h"

#include "runner/sweeps/language/result_names.h"
#include "runner/sweeps/language/view_block.h"

namespace runner {

results::ClaimSpec read_claim_block(const toml::table& block, int source, Mistakes& mistakes) {
  ViewBlock in("claim", block, source, mistakes);
  results::ClaimSpec spec;
  in.require("claim", "\"1-9-1-0 < 1-1-1-0 in valid.ppl\"");
  spec.text = in.text("claim");
  spec.paper = in.text("paper");
  in.select(&spec.tuned, &spec.by);
  spec.over = in.names("over", wrong_parameter);
  spec.where = in.where();
  in.finish();
  if (spec.text.empty()) return spec;
  in.checked("claim", [&] {
    const results::ParsedClaim parsed = results::parse_claim(spec.text);
    const std::string key = parsed.key.empty() ? "" : wrong_parameter(parsed.key);
    const std::string metric = parsed.metric.empty() ? "" : wrong_metric(parsed.metric);
    for (const std::string& wrong : {key, metric})
      if (!wrong.empty()) in.note("claim", wrong);
  });
  return spec;
}

}  // namespace runner
