#include "fuzz/fuzz_target.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>

namespace holdfast::fuzz {
namespace {

constexpr std::string_view kOption = "--target=";

const Target* chosen = nullptr;

}  // namespace

void promise(bool holds, const char* sentence) {
  if (holds) return;
  std::fprintf(stderr, "==fuzz== a promise is broken: %s\n", sentence);
  std::abort();
}

}  // namespace holdfast::fuzz

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  using namespace holdfast::fuzz;
  chosen = &targets().front();
  for (int i = 1; i < *argc; ++i) {
    const std::string_view argument = (*argv)[i];
    for (const Target& target : targets()) {
      if (argument == "--list") std::printf("%s\n", std::string(target.name).c_str());
      if (argument == std::string(kOption) + std::string(target.name)) chosen = &target;
    }
    if (argument == "--list") std::exit(0);
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  holdfast::fuzz::chosen->feed({reinterpret_cast<const char*>(data), size});
  return 0;
}
