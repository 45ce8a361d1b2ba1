// `lcsm codes`: explains a code or a formula without training it.
#include <fmt/format.h>

#include <optional>

#include "lcsm/code/code.h"
#include "runner/base/files/source_error.h"
#include "runner/base/process/stderr_text.h"
#include "runner/config/run/code_argument.h"
#include "runner/config/toml/oscillation_search.h"
#include "runner/front/codes/code_candidates.h"
#include "runner/front/codes/code_views.h"
#include "runner/front/verbs/verbs.h"
#include "runner/systems/system.h"

namespace runner {
namespace {

struct CodesOptions {
  std::vector<std::string> codes, files, inits;
  std::optional<std::string> formula;  // of --try, may be empty and then is an error
  std::string scale, read;
  double tau = lcsm::kDefaultTau;
  ModelOptions model;
  bool json = false;
};

constexpr const char* kCodesFooter = R"text(Examples:
  lcsm codes                                all codes
  lcsm codes 1-9-1-0                        one code in full
  lcsm codes ces                            the same for an oscillation: 0-ces-0-0
  lcsm codes '1-*-1-0' ssm                  several side by side
  lcsm codes '*-{0,4,5}-1-0@o=fixed'        patterns may carry options
  lcsm codes --try 'sigmoid(p_k + p_d)^(1/tau)'
  lcsm codes 1-griffin-1-0 --file my.toml   a custom oscillation

Custom oscillations are read from oscillations.toml, sweeps/*.toml and --file:
  [oscillation.griffin]
  o = "exp(-8 * softplus(w_d) * sigmoid(p_d))"
  init.w_d = "0.5 + 0.1 * normal"     # default: 0.1 * normal
  rank.p_d = 16                       # default: a full projection
  scale = "sqrt(1 - o^2)"             # multiplies the input; default: 1
  read = "complex(w_kd3, w_kd4)"      # multiplies s_t; default: 1
  help = "real-gated linear recurrence"

Symbols: p p_k p_d (data), w w_k w_d w_kd (learned), slope_* theta_k index_* size_* (fixed), tau,
e_k (the expand vector). A digit makes another symbol of the same kind (p_k2).

Functions: exp log sigmoid softplus tanh relu elu silu sqrt abs min max step cos sin; as factors of
a whole gate, also rotate(angle) and cumsoftmax(logits). The scale and read of a rotating gate may
be complex: q (the whole gate), rotate(angle), complex(re, im).)text";

void ignored_by_codes(const std::string& what) {
  print_safe("lcsm codes: ignored: " + what + "\n");
}

// Rejects an argument, with a caret under the mistake.
[[noreturn]] void refuse(const std::string& what, const std::string& word, std::size_t column,
                         const std::string& why) {
  throw std::invalid_argument(describe(what, word, {1, column, why}));
}

// --try FORMULA: the gate may even grow; the page then says so.
lcsm::Code tried_code(const CodesOptions& options, lcsm::Catalogue& catalogue) {
  lcsm::OscillationText text{.name = "try",
                             .o = *options.formula,
                             .scale = options.scale,
                             .read = options.read,
                             .help = "a formula to try",
                             .inits = {},
                             .ranks = {},
                             .growth = true,
                             .origin = kTried};
  for (const std::string& init : options.inits) {
    const std::size_t equals = init.find('=');
    if (equals == std::string::npos)
      throw std::invalid_argument("--init expects SYMBOL=FORMULA, got '" + init + "'");
    text.inits[init.substr(0, equals)] = init.substr(equals + 1);
  }
  try {
    catalogue.add(lcsm::make_oscillation(text));
  } catch (const lcsm::OscillationError& error) {
    const std::string symbol = error.key.substr(std::min<std::size_t>(5, error.key.size()));
    const std::string& where = error.key == "o"       ? *options.formula
                               : error.key == "scale" ? options.scale
                               : error.key == "read"  ? options.read
                                                      : text.inits[symbol];
    refuse(error.key == "o" ? "formula" : error.key, where, error.column, error.what());
  }
  const std::string tau =
      options.tau == lcsm::kDefaultTau ? "" : "@tau=" + lcsm::number_text(options.tau);
  const std::string code = lcsm::plain_code(*catalogue.find("try"), catalogue) + tau;
  try {
    return lcsm::parse_code(code, catalogue);
  } catch (const lcsm::CodeError& error) {
    refuse("code", code, error.column, error.what());
  }
}

void show_codes(const CodesOptions& options) {
  lcsm::Catalogue catalogue = load_catalogue(options.files, ignored_by_codes);
  if (options.codes.empty() && !options.formula) {
    fmt::print("{}", options.json ? overview_json(catalogue) : overview(catalogue, out_terminal()));
    return;
  }
  for (const std::string& word : options.codes)
    if (names_system(word, catalogue))
      throw std::invalid_argument("expected a code such as 1-9-1-4, got the named system '" + word +
                                  "': see `lcsm systems " + word + "`");
  std::vector<lcsm::Code> codes = codes_named(options.codes, catalogue, ignored_by_codes);
  if (options.formula) codes.push_back(tried_code(options, catalogue));
  std::vector<CodeFacts> facts;
  for (const lcsm::Code& code : codes) facts.push_back(facts_of(code, catalogue, options.model));
  if (options.json)
    fmt::print("{}", codes_json(facts));
  else
    fmt::print("{}", facts.size() == 1 ? page(facts[0], out_terminal())
                                       : comparison(facts, out_terminal()));
}

}  // namespace

void add_codes(Verb& program) {
  Verb& verb = program.verb("codes", "List codes, explain one, or try a custom formula");
  CodesOptions& options = verb.runs(show_codes);
  verb.argument("code", &options.codes, "Codes, patterns such as '1-*-1-0', or oscillations")
      .type("CODE")
      .completes(code_candidates);
  verb.option("--try", &options.formula, "Explain a gate's formula").type("FORMULA");
  verb.option("--scale", &options.scale, "With --try: factor of the input")
      .type("FORMULA")
      .needs("--try");
  verb.option("--read", &options.read, "With --try: factor of the memory when it is read")
      .type("FORMULA")
      .needs("--try");
  verb.option("--init", &options.inits, "With --try: initial values, such as w_d='0.1 * normal'")
      .type("SYMBOL=FORMULA")
      .needs("--try");
  verb.option("--tau", &options.tau, "With --try: the temperature")
      .type("NUMBER")
      .positive()
      .needs("--try");
  verb.option("--file", &options.files, "A TOML file with custom oscillations")
      .type("FILE")
      .existing_file();
  lcsm::Sizes& sizes = options.model.sizes;
  verb.option("--d", &sizes.d, "Channels").range(1, kMostSize);
  verb.option("--k", &sizes.k, "Memory rows").range(1, kMostSize);
  verb.option("--layers", &options.model.layers, "Depth of the model (default: the paper's)")
      .range(1, 10000);
  verb.option("--vocab", &options.model.vocab, "Vocabulary size").range(1, kMostSize);
  verb.flag("--json", &options.json, "Print JSON (schema lcsm.codes/1, or lcsm.codes.overview/1)");
  verb.footer(kCodesFooter);
}

}  // namespace runner
