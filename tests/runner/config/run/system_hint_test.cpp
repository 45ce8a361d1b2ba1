#include "runner/config/run/system_hint.h"

#include <gtest/gtest.h>

namespace runner {

TEST(SystemHint, NamesTheSystemOfThatNameOrANearOne) {
  EXPECT_EQ(with_system_hint("'s4d' is an oscillation", "s4d@modes=4"),
            "'s4d' is an oscillation; the named system is model.system = \"s4d@modes=4\"");
  EXPECT_EQ(with_system_hint("no code", "rretnet"), "no code; did you mean 'retnet'?");
  EXPECT_EQ(with_system_hint("no code; did you mean 'm2'?", "rretnet"),
            "no code; did you mean 'm2'?");
  EXPECT_EQ(with_system_hint("no code", "attention"),
            "no code; the model is model.family = \"attention\", in a list of codes 'transformer'");
  EXPECT_EQ(with_system_hint("no code", "eos"), "no code; the model is model.family = \"eos\"");
  EXPECT_EQ(with_system_hint("no code", "1-99-1-0"), "no code");
}

}  // namespace runner
