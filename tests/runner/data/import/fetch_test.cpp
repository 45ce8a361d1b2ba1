#include "runner/data/import/fetch.h"

#include <chrono>

#include "runner/base/process/child_process.h"
#include "runner/base/process/command.h"
#include "tests/runner/data/import/others_files.h"

namespace fs = std::filesystem;

namespace runner {
namespace {

using namespace std::chrono_literals;

class Fetch : public OthersFiles {
 protected:
  void SetUp() override {
    if (!run_command({"curl", "--version"}, 10s).started) GTEST_SKIP() << "there is no curl";
    put("set.zip", kBytes);
  }
  std::string url() const { return "file://" + (from() / "set.zip").string(); }
  fs::path fetched(const std::string& from) const { return *fetch({from, to()}); }
  // The path of the partial file that an interrupted download leaves.
  fs::path part() const {
    const fs::path file = fetched(url());
    fs::remove(file);
    return file.string() + ".part";
  }

  const std::string kBytes = std::string(100'000, 'a') + std::string(100'000, 'b');
};

// A server of a file of 1000 letters. The file `tag` has the letter, which is also the ETag.
// Supports ranges.
constexpr const char* kContinuing = R"(
import http.server
class Handler(http.server.BaseHTTPRequestHandler):
  def do_GET(self):
    tag = open('tag').read()
    same = self.headers.get('If-Range') == '"' + tag + '"'
    start = int(self.headers['Range'][6:-1]) if same and 'Range' in self.headers else 0
    self.send_response(206 if start else 200)
    if start: self.send_header('Content-Range', 'bytes %d-999/1000' % start)
    self.send_header('Content-Length', str(1000 - start))
    self.send_header('eTag', '"' + tag + '"')
    self.end_headers()
    self.wfile.write(tag.encode() * (1000 - start))
server = http.server.HTTPServer(('127.0.0.1', 0), Handler)
print('(http://127.0.0.1:%d/)' % server.server_port, flush=True)
server.serve_forever()
)";

class Server {
 public:
  Server(const fs::path& folder, const fs::path& log, const std::string& arguments)
      : log_(log),
        process_({"/bin/sh", "-c", "cd '" + folder.string() + "' && exec python3 -u " + arguments},
                 log) {}
  std::string address() const {  // "" if it does not start
    std::string text;
    const auto says = [&] { return (text = read_file(log_)).find("(http://") != text.npos; };
    if (!comes_true(says)) return "";
    const std::size_t at = text.find("(http://");
    return text.substr(at + 1, text.find('/', at + 8) - at);
  }

 private:
  fs::path log_;
  ChildProcess process_;
};

}  // namespace

TEST(FetchedNames, ComeFromTheUrl) {
  EXPECT_TRUE(is_url("https://a.b/c") && is_url("file:///c"));
  EXPECT_FALSE(is_url("a/b") || is_url("scp://a/b") || is_url("-o"));
  EXPECT_EQ(name_in_url("https://a.b/c/set.tar.gz?x=1#y"), "set.tar.gz");
  EXPECT_EQ(name_in_url("https://a.b/.."), "file");
  EXPECT_EQ(name_in_url("https://a.b/"), "file");
}

TEST_F(Fetch, AFileIsFetchedOnce) {
  const fs::path file = fetched(url());
  EXPECT_EQ(file.filename(), "set.zip");
  EXPECT_EQ(read_file(file), kBytes);
  put("set.zip", "other");
  EXPECT_EQ(read_file(fetched(url())), kBytes);
  EXPECT_EQ(std::distance(fs::directory_iterator(file.parent_path()), {}), 1);
}

// The other process ends between the first look for the file and the lock.
TEST_F(Fetch, WhatAnotherProcessFetchedMeanwhileIsTaken) {
  const fs::path file = fetched(url());
  fs::remove(file);
  put_file(at("bin/curl"), "#!/bin/sh\necho theirs >'" + file.string() + "'\n");
  fs::permissions(at("bin/curl"), fs::perms::owner_all);
  const std::string path = getenv("PATH");
  setenv("PATH", (at("bin").string() + ":" + path).c_str(), 1);
  const std::string error = message_of([&] { fetched(url()); });
  setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(error, "");
  EXPECT_EQ(read_file(file), "theirs\n");
  EXPECT_EQ(std::distance(fs::directory_iterator(file.parent_path()), {}), 1);
}

TEST_F(Fetch, WhatIsThereIsContinued) {
  const fs::path half = part();
  put_file(half, std::string(1000, 'x'));  // differs from the newly fetched bytes
  EXPECT_EQ(read_file(fetched(url())), std::string(1000, 'x') + kBytes.substr(1000));
}

TEST_F(Fetch, AStopLeavesThePart) {
  fs::create_directories(to());
  EXPECT_FALSE(fetch({"file:///dev/zero", to(), {}, [] { return true; }}).has_value());
  EXPECT_FALSE(fs::exists(to() / "zero"));
}

TEST_F(Fetch, SaysWhatCurlSays) {
  const std::string text = message_of([&] { fetched("file:///nowhere/set.zip"); });
  EXPECT_TRUE(has(text, "'file:///nowhere/set.zip': curl: (37)")) << text;
  EXPECT_TRUE(has(text, "check the address")) << text;
  put("empty.zip", "");
  EXPECT_TRUE(has(message_of([&] { fetched("file://" + (from() / "empty.zip").string()); }),
                  "expected a file, got an empty one"));
}

TEST_F(Fetch, FromAServer) {
  const Server server(from(), at("log"), "-m http.server --bind 127.0.0.1 0");  // never continues
  const std::string address = server.address();
  if (address.empty()) GTEST_SKIP() << "there is no python3 with http.server";
  const fs::path file = fetched(address + "set.zip");
  EXPECT_EQ(read_file(file), kBytes);
  const std::string missing = message_of([&] { fetched(address + "none.zip"); });
  EXPECT_TRUE(has(missing, "404")) << missing;
  // A server that cannot continue: from the start.
  fs::remove(file);
  put_file(file.string() + ".part", "aaa");
  EXPECT_EQ(read_file(fetched(address + "set.zip")), kBytes);
}

}  // namespace runner
