#include <holdfast/base/version.hpp>
#include <holdfast/catalog/catalog.hpp>

#include <iostream>

// Prints the version and the domains, as a user of the library would find them.
int main() {
  std::cout << holdfast::version();
  for (const holdfast::Domain* domain : holdfast::domains()) std::cout << ' ' << domain->name;
  std::cout << '\n';
}
