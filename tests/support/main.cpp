#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <filesystem>

// Tests name files from the project's root on, so they can be started from anywhere.
int main(int count, char** arguments) {
  std::filesystem::current_path(HOLDFAST_ROOT);
  return doctest::Context(count, arguments).run();
}
