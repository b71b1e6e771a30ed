#include "base/terminal.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <map>
#include <string>

namespace base_terminal_test {

using namespace gpu;

namespace {

Environment with(std::map<std::string, std::string, std::less<>> variables) {
  return Environment(std::move(variables));
}

// A pseudo-terminal of its own, so that the test needs none.
class PseudoTerminal {
 public:
  PseudoTerminal(unsigned short columns, unsigned short rows) {
    if (master_ < 0 || grantpt(master_) != 0 || unlockpt(master_) != 0) return;
    slave_ = open(ptsname(master_), O_RDWR | O_NOCTTY);
    winsize size{};
    size.ws_col = columns;
    size.ws_row = rows;
    ioctl(master_, TIOCSWINSZ, &size);
  }
  PseudoTerminal(const PseudoTerminal&) = delete;
  PseudoTerminal& operator=(const PseudoTerminal&) = delete;
  ~PseudoTerminal() {
    if (slave_ >= 0) close(slave_);
    if (master_ >= 0) close(master_);
  }
  [[nodiscard]] int fd() const { return slave_; }

 private:
  int master_ = posix_openpt(O_RDWR | O_NOCTTY);
  int slave_ = -1;
};

}  // namespace

TEST_CASE("the --terminal flag gives a size, or its width alone") {
  const auto size = parse_terminal_size("100x40");
  REQUIRE(size);
  CHECK(size->columns == 100);
  CHECK(size->rows == 40);
  REQUIRE(parse_terminal_size("120"));
  CHECK(parse_terminal_size("120")->columns == 120);
  for (const char* bad : {"", "x", "100x", "x40", "0x40", "100x0", "-1x4", "1e2x4", "100x40 ",
                          " 100x40", "100X40", "99999x4", "100x40x2", "18446744073709551617x4"}) {
    INFO(bad);
    CHECK_FALSE(parse_terminal_size(bad));
  }
}

TEST_CASE("the size is the terminal's, but COLUMNS wins for the width") {
  const PseudoTerminal terminal(132, 50);
  REQUIRE(terminal.fd() >= 0);
  CHECK(terminal_size(terminal.fd(), {})->columns == 132);
  CHECK(terminal_size(terminal.fd(), {})->rows == 50);
  CHECK(terminal_size(terminal.fd(), with({{"COLUMNS", "80"}}))->columns == 80);
  CHECK(terminal_size(terminal.fd(), with({{"COLUMNS", "wide"}}))->columns == 132);
  CHECK(terminal_size(terminal.fd(), with({{"COLUMNS", "0"}}))->columns == 132);
}

TEST_CASE("a terminal that does not know its size is 80x24") {
  const PseudoTerminal terminal(0, 0);
  REQUIRE(terminal.fd() >= 0);
  CHECK(terminal_size(terminal.fd(), {})->columns == 80);
  CHECK(terminal_size(terminal.fd(), {})->rows == 24);
}

TEST_CASE("a pipe has no size, whatever COLUMNS says") {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  CHECK_FALSE(terminal_size(ends[1], with({{"COLUMNS", "80"}})));
  close(ends[0]);
  close(ends[1]);
  CHECK_FALSE(terminal_size(-1, {}));
}

TEST_CASE("the flag decides on colour before anything else") {
  CHECK(wants_color(ColorChoice::always, false, with({{"NO_COLOR", "1"}, {"TERM", "dumb"}})));
  CHECK_FALSE(wants_color(ColorChoice::never, true, with({{"FORCE_COLOR", "1"}})));
  CHECK(wants_color(ColorChoice::always, false, with({{"KUBECTL_GPU_COLOR", "never"}})));
}

TEST_CASE("KUBECTL_GPU_COLOR stands in for the flag") {
  CHECK(wants_color(ColorChoice::automatic, false,
                    with({{"KUBECTL_GPU_COLOR", "always"}, {"NO_COLOR", "1"}})));
  CHECK_FALSE(wants_color(ColorChoice::automatic, true, with({{"KUBECTL_GPU_COLOR", "never"}})));
  CHECK(wants_color(ColorChoice::automatic, true, with({{"KUBECTL_GPU_COLOR", "pink"}})));
}

TEST_CASE("NO_COLOR comes before FORCE_COLOR, and both before the terminal") {
  const auto automatic = [](bool is_terminal, Environment environment) {
    return wants_color(ColorChoice::automatic, is_terminal, environment);
  };
  CHECK(automatic(true, {}));
  CHECK_FALSE(automatic(false, {}));
  CHECK_FALSE(automatic(true, with({{"TERM", "dumb"}})));
  CHECK_FALSE(automatic(true, with({{"NO_COLOR", "0"}})));
  CHECK(automatic(true, with({{"NO_COLOR", ""}})));
  CHECK(automatic(false, with({{"FORCE_COLOR", "1"}})));
  CHECK(automatic(false, with({{"CLICOLOR_FORCE", "1"}, {"TERM", "dumb"}})));
  CHECK_FALSE(automatic(false, with({{"FORCE_COLOR", "0"}})));
  CHECK_FALSE(automatic(false, with({{"CLICOLOR_FORCE", "0"}})));
  CHECK_FALSE(automatic(true, with({{"NO_COLOR", "1"}, {"FORCE_COLOR", "1"}})));
}

TEST_CASE("the locale's codeset says whether there is UTF-8") {
  for (const char* utf8 : {"en_US.UTF-8", "C.UTF-8", "C.utf8", "de_DE.utf-8@euro", "UTF-8"}) {
    INFO(utf8);
    CHECK(is_utf8_locale(with({{"LANG", utf8}})));
  }
  for (const char* other :
       {"", "C", "POSIX", "en_US", "de_DE.ISO-8859-1", "ja_JP.eucJP", "en_US.UTF-16", "utf8.C"}) {
    INFO(other);
    CHECK_FALSE(is_utf8_locale(with({{"LANG", other}})));
  }
  CHECK_FALSE(is_utf8_locale({}));
}

TEST_CASE("LC_ALL, then LC_CTYPE, then LANG: the first that is not empty") {
  CHECK_FALSE(is_utf8_locale(with({{"LC_ALL", "C"}, {"LANG", "C.UTF-8"}})));
  CHECK_FALSE(is_utf8_locale(with({{"LC_CTYPE", "C"}, {"LANG", "C.UTF-8"}})));
  CHECK(is_utf8_locale(with({{"LC_ALL", "C.UTF-8"}, {"LC_CTYPE", "C"}, {"LANG", "C"}})));
  CHECK(is_utf8_locale(with({{"LC_ALL", ""}, {"LC_CTYPE", "C.UTF-8"}, {"LANG", "C"}})));
}

}  // namespace base_terminal_test
