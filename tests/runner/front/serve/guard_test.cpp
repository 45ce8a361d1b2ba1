#include "runner/front/serve/guard.h"

#include <gtest/gtest.h>

#include <set>

namespace runner {
namespace {

constexpr const char* kToken = "00112233445566778899aabbccddeeff";

int status_of(const std::string& host, const std::string& token = kToken,
              const std::string& method = "GET") {
  HttpRequest request{.method = method, .path = "/", .query = {{"token", token}}, .host = host};
  const auto no = refused(request, kToken);
  return no ? no->status : 200;
}

}  // namespace

TEST(Guard, TokensAreLongAndNew) {
  std::set<std::string> tokens;
  for (int i = 0; i < 100; ++i) tokens.insert(new_token());
  EXPECT_EQ(tokens.size(), 100u);
  EXPECT_EQ(tokens.begin()->size(), 32u);
  EXPECT_EQ(tokens.begin()->find_first_not_of("0123456789abcdef"), std::string::npos);
}

TEST(Guard, ComparesTokensWhole) {
  EXPECT_TRUE(is_same_secret(kToken, kToken));
  for (const char* other :
       {"", "0", "00112233445566778899aabbccddeefe", "00112233445566778899aabbccddeeff0",
        "10112233445566778899aabbccddeeff"})
    EXPECT_FALSE(is_same_secret(other, kToken)) << other;
  EXPECT_FALSE(is_same_secret(std::string(kToken) + '\0', kToken));
}

TEST(Guard, HostsAreNamesOfThisHost) {
  for (const char* host : {"127.0.0.1", "127.0.0.1:8423", "localhost", "localhost:1"})
    EXPECT_EQ(status_of(host), 200) << host;
  for (const char* host : {"", "example.org", "example.org:8423", "127.0.0.1.example.org",
                           "localhost.example.org", "127.0.0.1:", "127.0.0.1:80x",
                           "127.0.0.1:80:80", "localhost@example.org", "0.0.0.0", ":80"})
    EXPECT_EQ(status_of(host), 403) << host;
}

TEST(Guard, OnlyReaders) {
  EXPECT_EQ(status_of("localhost", kToken, "HEAD"), 200);
  for (const char* method : {"POST", "PUT", "DELETE", "OPTIONS", "get"})
    EXPECT_EQ(status_of("localhost", kToken, method), 405) << method;
}

TEST(Guard, NothingWithoutTheToken) {
  EXPECT_EQ(status_of("localhost", ""), 403);
  EXPECT_EQ(status_of("localhost", "0011"), 403);
  EXPECT_EQ(refused({.method = "GET", .path = "/", .query = {}, .host = "localhost"}, "")->status,
            403);
}

}  // namespace runner
