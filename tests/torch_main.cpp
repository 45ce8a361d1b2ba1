// GoogleTest's main for programs that link LibTorch. It skips LibTorch's shutdown, which removes
// thousands of operators one by one: 0.1 s of the 0.25 s of CPU that each test case would cost.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <iostream>

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const int status = RUN_ALL_TESTS();
  std::cout.flush();
  std::fflush(nullptr);
  _exit(status);
}
