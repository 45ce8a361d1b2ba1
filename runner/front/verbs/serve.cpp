// `lcsm serve`: serves the curves of sweeps as live pages, for this host only.
#include <fmt/format.h>

#include "runner/front/options/results_verb.h"
#include "runner/front/options/sweep_verb.h"
#include "runner/front/serve/guard.h"
#include "runner/front/serve/http_server.h"
#include "runner/front/serve/sweep_site.h"
#include "runner/front/verbs/verbs.h"

namespace runner {
namespace {

struct ServeOptions {
  SweepChoice choice;
  std::string workspace;
  int port = 0;
};

constexpr const char* kServeFooter = R"text(Examples:
  lcsm serve                        prints the address of a page with all sweeps
  lcsm serve quickstart --port 8423
  ssh -L 8423:127.0.0.1:8423 HOST   from another host; the same address then works there

It changes nothing and runs until Ctrl-C. It serves this host only, and requires the token in the
address, which is new each time.)text";

[[noreturn]] void serve(const ServeOptions& options) {
  const auto workspace = workspace_of(options.workspace);
  SweepSite site(workspace, new_token(), options.choice);
  HttpServer server(options.port,
                    [&site](const HttpRequest& request) { return site.answer(request); });
  fmt::print("http://127.0.0.1:{}{}\n", server.port(), site.address(site.named()));
  std::fflush(stdout);
  while (true) server.turn(1000);
}

}  // namespace

void add_serve(Verb& program) {
  Verb& verb = program.verb("serve", "Show the curves of sweeps as live pages in a browser");
  ServeOptions& options = verb.runs(serve);
  add_sweep_options(verb, &options.choice).required(false);
  verb.option("--port", &options.port, "Port (default: any free port)").type("N").range(0, 65535);
  add_workspace_option(verb, &options.workspace);
  verb.footer(kServeFooter);
}

}  // namespace runner
