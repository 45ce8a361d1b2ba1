// A test that runs verbs of `lcsm` in a workspace of its own.
#pragma once

#include "tests/results/fixture.h"
#include "tests/runner/run_program.h"

namespace runner {

class LcsmTest : public ::testing::Test {
 protected:
  Ran lcsm(Words words) const {
    words.insert(words.end(), {"--workspace", scratch.path().string()});
    return run_lcsm(words);
  }

  const results::Scratch scratch;
};

}  // namespace runner
