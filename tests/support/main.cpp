#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>

int main(int count, char** arguments) {
  // Tests name files from the project's root on, so they can be started from anywhere.
  std::filesystem::current_path(HOLDFAST_ROOT);
  // Property tests draw the same cases every time. To look for others: RC_PARAMS="seed=7 max_success=10000".
  setenv("RC_PARAMS", "seed=1", 0);
  return doctest::Context(count, arguments).run();
}
