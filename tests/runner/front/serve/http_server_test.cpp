#include "runner/front/serve/http_server.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "runner/base/process/exit_code.h"
#include "tests/message_of.h"
#include "tests/runner/front/serve/http_client.h"
#include "tests/runner/run_program.h"

namespace runner {
namespace {

// Serves on a thread of its own until it is destroyed.
class Serving {
 public:
  explicit Serving(HttpServer::Answer answer, const ServerLimits& limits = {})
      : server_(0, std::move(answer), limits), thread_([this] {
          while (!over_) server_.turn(5);
        }) {}
  ~Serving() {
    over_ = true;
    thread_.join();
  }
  int port() const { return server_.port(); }

 private:
  HttpServer server_;
  std::atomic<bool> over_ = false;
  std::thread thread_;
};

HttpResponse echo(const HttpRequest& request) { return {.body = text_body(request.path)}; }

}  // namespace

TEST(HttpServer, Answers) {
  const Serving serving(echo);
  const std::string got = asked(serving.port(), get("/a"));
  EXPECT_TRUE(got.starts_with("HTTP/1.1 200 OK\r\n")) << got;
  EXPECT_TRUE(got.ends_with("\r\n\r\n/a"));
  EXPECT_TRUE(has(asked(serving.port(), get("/a", "HEAD")), "Content-Length: 2\r\n"));
  EXPECT_TRUE(asked(serving.port(), get("/a", "HEAD")).ends_with("\r\n\r\n"));
}

TEST(HttpServer, RefusesWhatIsNoRequest) {
  const Serving serving(echo);
  EXPECT_TRUE(has(asked(serving.port(), "nonsense\r\n\r\n"), "400 Bad Request"));
  EXPECT_TRUE(has(asked(serving.port(), std::string(100'000, 'a')), "431 "));
  EXPECT_TRUE(asked(serving.port(), get("/a")).ends_with("/a")) << "and goes on";
}

TEST(HttpServer, AnswersOthersWhileSomeAreSlow) {
  const Serving serving(echo);
  const int first = opened(serving.port(), "GET /first HTTP/1.1\r\n");
  const int second = opened(serving.port(), "GET /se");
  EXPECT_TRUE(asked(serving.port(), get("/a")).ends_with("/a"));
  send(second, "cond HTTP/1.1\r\n\r\n", 17, 0);
  EXPECT_TRUE(rest_of(second).ends_with("/second"));
  send(first, "\r\n", 2, 0);
  EXPECT_TRUE(rest_of(first).ends_with("/first"));
}

TEST(HttpServer, SendsMuchToSlowReaders) {
  const auto much = text_body(std::string(20'000'000, 'x'));
  const Serving serving([&](const HttpRequest&) { return HttpResponse{.body = much}; });
  const int slow = opened(serving.port(), get("/"));
  EXPECT_EQ(asked(serving.port(), get("/")).size(), rest_of(slow).size());
}

TEST(HttpServer, DoesNotWaitForever) {
  const Serving serving(echo, {.request_seconds = 0.05});
  EXPECT_TRUE(has(rest_of(opened(serving.port(), "GET /")), "408 Request Timeout"));
  EXPECT_TRUE(has(rest_of(opened(serving.port(), "")), "408 Request Timeout"));
}

TEST(HttpServer, DropsReadersThatDoNotRead) {
  const auto much = text_body(std::string(50'000'000, 'x'));
  const Serving serving([&](const HttpRequest&) { return HttpResponse{.body = much}; },
                        {.connections = 1, .response_seconds = 0.05});
  const int still = opened(serving.port(), get("/"));
  EXPECT_TRUE(has(asked(serving.port(), get("/", "HEAD")), "200 OK")) << "there is only one place";
  close(still);
}

TEST(HttpServer, MoreThanItHasPlacesForWait) {
  const Serving serving(echo, {.connections = 2, .request_seconds = 0.05, .ending_seconds = 0.05});
  std::vector<int> silent;
  for (int i = 0; i < 10; ++i) silent.push_back(opened(serving.port(), ""));
  EXPECT_TRUE(asked(serving.port(), get("/a")).ends_with("/a"));
  for (const int each : silent) close(each);
}

TEST(HttpServer, ThoseThatDoNotReadMakePlace) {
  const auto much = text_body(std::string(10'000'000, 'x'));
  const Serving serving([&](const HttpRequest&) { return HttpResponse{.body = much}; },
                        {.connections = 4, .spared_seconds = 0.01});
  std::vector<int> still;
  for (int i = 0; i < 20; ++i) still.push_back(opened(serving.port(), get("/")));
  EXPECT_TRUE(has(asked(serving.port(), get("/", "HEAD")), "200 OK"));
  for (const int each : still) close(each);
}

TEST(HttpServer, ReadersThatDoNotReadHoldLittleMemory) {
  std::atomic<int> held = 0, most = 0;
  const auto answer = [&](const HttpRequest&) {
    most = std::max(most.load(), ++held);
    return HttpResponse{.body = {new std::string(10'000'000, 'x'), [&](const std::string* body) {
                                   delete body;
                                   --held;
                                 }}};
  };
  const Serving serving(answer, {.bytes = 30'000'000, .spared_seconds = 0.001});
  std::vector<int> still;
  for (int i = 0; i < 20; ++i) {
    still.push_back(opened(serving.port(), get("/")));
    ASSERT_TRUE(comes_true([&] { return held <= 3; }));
  }
  EXPECT_LE(most, 4);
  for (const int each : still) close(each);
}

TEST(HttpServer, AReaderThatStallsIsDropped) {
  const auto much = text_body(std::string(50'000'000, 'x'));
  std::atomic<bool> begun = false;
  const auto answer = [&](const HttpRequest&) {
    HttpResponse response{.body = much};
    begun = true;
    return response;
  };
  const Serving serving(answer, {.stall_seconds = 0.02});
  const int still = opened(serving.port(), get("/"));
  ASSERT_TRUE(comes_true([&] { return begun && much.use_count() == 1; }));
  EXPECT_LT(rest_of(still).size(), much->size());
}

TEST(HttpServer, AnErrorIsAnAnswer) {
  const Serving serving(
      [](const HttpRequest&) -> HttpResponse { throw std::runtime_error("no table"); });
  const std::string got = asked(serving.port(), get("/"));
  EXPECT_TRUE(has(got, "500 Internal Server Error"));
  EXPECT_TRUE(got.ends_with("no table\n"));
}

TEST(HttpServer, ATakenPortIsNamed) {
  const HttpServer one(0, echo);
  EXPECT_EQ(message_of<Failure>([&] { HttpServer(one.port(), echo); }),
            "cannot listen on port " + std::to_string(one.port()) +
                " of 127.0.0.1: another process uses it: set another --port, or none");
}

}  // namespace runner
