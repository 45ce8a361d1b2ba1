#include "lcsm/files/user_cache.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <string>

namespace lcsm {
namespace {

class UserCache : public testing::Test {
 protected:
  UserCache() {
    for (const char* name : {"LCSM_CACHE", "XDG_CACHE_HOME", "HOME"}) {
      if (const char* value = std::getenv(name)) before_[name] = value;
      unsetenv(name);
    }
  }
  ~UserCache() override {
    for (const char* name : {"LCSM_CACHE", "XDG_CACHE_HOME", "HOME"}) unsetenv(name);
    for (const auto& [name, value] : before_) setenv(name.c_str(), value.c_str(), 1);
  }

 private:
  std::map<std::string, std::string> before_;
};

}  // namespace

TEST_F(UserCache, IsTheFirstThatIsNamed) {
  EXPECT_EQ(user_cache(), "");
  setenv("HOME", "/of/me", 1);
  EXPECT_EQ(user_cache(), "/of/me/.cache/lcsm");
  setenv("XDG_CACHE_HOME", "/scratch", 1);
  EXPECT_EQ(user_cache(), "/scratch/lcsm");
  setenv("LCSM_CACHE", "", 1);
  EXPECT_EQ(user_cache(), "/scratch/lcsm");
  setenv("LCSM_CACHE", "/shared/lcsm", 1);
  EXPECT_EQ(user_cache(), "/shared/lcsm");
}

}  // namespace lcsm
