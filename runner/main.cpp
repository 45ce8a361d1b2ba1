#include <CLI/CLI.hpp>

#include "runner/doctor.h"

int main(int argc, char** argv) {
  CLI::App app{"LCSM explorer"};
  app.set_version_flag("--version", "lcsm 0.1.0");
  runner::add_doctor(app);
  CLI11_PARSE(app, argc, argv);
}
