#include "runner/workspace/folder.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace runner {

TEST(WorkspaceFolder, ComesFromTheOptionThenTheEnvironment) {
  setenv("LCSM_WORKSPACE", "/from/environment", 1);
  EXPECT_EQ(workspace_folder("/given"), "/given");
  EXPECT_EQ(workspace_folder(""), "/from/environment");
  unsetenv("LCSM_WORKSPACE");
  EXPECT_EQ(workspace_folder(""), "workspace");
}

}  // namespace runner
