#include "runner/front/serve/http.h"

#include <gtest/gtest.h>

namespace runner {
namespace {

int refused_with(const std::string& bytes) { return read_request(bytes).refused; }

}  // namespace

TEST(Http, ReadsARequest) {
  const auto arrival = read_request(
      "GET /data/mine.json?token=1f&x= HTTP/1.1\r\nHOST:  LocalHost:8423 \r\nX-A: b\r\n\r\nmore");
  ASSERT_TRUE(arrival.request);
  EXPECT_EQ(arrival.request->method, "GET");
  EXPECT_EQ(arrival.request->path, "/data/mine.json");
  EXPECT_EQ(arrival.request->query.at("token"), "1f");
  EXPECT_EQ(arrival.request->query.at("x"), "");
  EXPECT_EQ(arrival.request->host, "localhost:8423");
}

TEST(Http, WaitsForTheWholeRequest) {
  const std::string whole = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_FALSE(read_request(whole.substr(0, size)).is_whole()) << size;
  EXPECT_TRUE(read_request(whole).is_whole());
}

TEST(Http, RefusesMalformedRequests) {
  const std::string end = "\r\n\r\n";
  for (const char* head :
       {"", "GET", "GET /", "GET / HTTP/2", "GET  / HTTP/1.1", "GET x HTTP/1.1", "GET * HTTP/1.1",
        "G(T / HTTP/1.1", "GET http://a/ HTTP/1.1", "GET /\x01 HTTP/1.1", "GET /\xff HTTP/1.1",
        "GET / HTTP/1.1 x", "GET / HTTP/1.1\r\nno colon", "GET / HTTP/1.1\r\n folded: a",
        "GET / HTTP/1.1\r\nHost : a", "GET / HTTP/1.1\r\nHost: a\nb", "GET / HTTP/1.1\r\nA: \x01",
        "GET / HTTP/1.1\r\nHost: a\r\nHost: b", "\x16\x03\x01"})
    EXPECT_EQ(refused_with(head + end), 400) << head;
  EXPECT_EQ(refused_with(std::string("GET /\0 HTTP/1.1", 15) + end), 400);
}

TEST(Http, RefusesLongRequests) {
  const std::string start = "GET /" + std::string(kMostRequestBytes, 'a');
  EXPECT_EQ(refused_with(start), 431);
  EXPECT_EQ(refused_with(start + " HTTP/1.1\r\nHost: a\r\n\r\n"), 431);
}

TEST(Http, ResponsesAreCareful) {
  const std::string head = head_of({.type = "text/html", .body = text_body("<p>")});
  EXPECT_TRUE(head.starts_with("HTTP/1.1 200 OK\r\n"));
  EXPECT_TRUE(head.ends_with("\r\n\r\n"));
  for (const char* part :
       {"Content-Length: 3\r\n", "Connection: close\r\n", "Cache-Control: no-store\r\n",
        "X-Content-Type-Options: nosniff\r\n", "Referrer-Policy: no-referrer\r\n",
        "Content-Security-Policy: default-src 'none';", "frame-ancestors 'none'\r\n"})
    EXPECT_NE(head.find(part), std::string::npos) << part;
  EXPECT_NE(head_of(refusal(405, "no")).find("Allow: GET, HEAD\r\n"), std::string::npos);
}

}  // namespace runner
