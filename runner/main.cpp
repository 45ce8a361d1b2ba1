#include <CLI/CLI.hpp>

int main(int argc, char** argv) {
  CLI::App app{"LCSM explorer"};
  app.set_version_flag("--version", "lcsm 0.1.0");
  CLI11_PARSE(app, argc, argv);
}
