#pragma once

#include "holdfast/field/testing_memory.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

/// Programs that write checkpoints in every known way, for tests.
namespace holdfast::field::memory {

using Step = std::function<void(FileSystem&, int)>;

/// A program that saves by doing these steps; each process of it does its own, in any order among them.
struct Way {
  std::string name;
  std::string path;
  std::string marker = {};
  std::vector<std::vector<Step>> processes = {};
  bool breaks_links =
      false;  ///< it replaces its file, and then writes into it: a second name is no copy
  /// true: the guard looks at what it wrote before the next save begins, as it does with pointers that live for seconds
  bool is_noticed = false;
};

inline std::string half(int number) {
  return std::to_string(number) + "(";
}
inline std::string rest(int number) {
  return std::to_string(number) + ")";
}
inline bool is_whole_text(const std::string& text) {
  const auto open = text.find('(');
  return open != std::string::npos &&
         text == text.substr(0, open) + "(" + text.substr(0, open) + ")";
}

using Name = std::function<std::string(int)>;

inline std::vector<Step> writes(const Name& name) {
  return {[=](FileSystem& fs, int n) { fs.create(name(n)); },
          [=](FileSystem& fs, int n) { fs.write(name(n), half(n)); },
          [=](FileSystem& fs, int n) { fs.write(name(n), rest(n)); },
          [=](FileSystem& fs, int n) { fs.close(name(n)); }};
}

inline std::vector<Step> operator+(std::vector<Step> a, const std::vector<Step>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

inline const Name kName = [](int) { return std::string("s"); };
inline const Name kTemporary = [](int) { return std::string("t"); };
inline const Name kNumbered = [](int n) { return ("c-" + std::to_string(n)); };
inline Name inside(const std::string& folder, const std::string& inner) {
  return [=](int n) { return "out/" + folder + "-" + std::to_string(n) + "/" + inner; };
}

inline std::vector<Way> all_ways() {
  const auto rename = [](const Name& from, const Name& to) {
    return Step([=](FileSystem& fs, int n) { fs.rename(from(n), to(n)); });
  };
  const auto marks = [](const Name& name) {
    return std::vector<Step>{[=](FileSystem& fs, int n) { fs.create(name(n)); },
                             [=](FileSystem& fs, int n) {
                               fs.write(name(n), half(n) + rest(n));
                               fs.close(name(n));
                             }};
  };
  const Step removes_older = [](FileSystem& fs, int n) {
    fs.remove(("c-" + std::to_string(n - 1)));
  };
  const Step points = [](FileSystem& fs, int n) {
    fs.pointed["s"] = kNumbered(n);
    fs.events.emplace_back("s", true);
  };
  const auto folder = [](int n) { return ("out/c-" + std::to_string(n)); };
  const auto barrier = Step();  // until the other processes have ended
  return {
      {.name = "replaced by rename",
       .path = "s",
       .processes = {writes(kTemporary) + std::vector<Step>{rename(kTemporary, kName)}}},
      {.name = "written in place", .path = "s", .processes = {writes(kName)}},
      {.name = "old one renamed away",
       .path = "s",
       .processes = {std::vector<Step>{rename(kName, [](int) { return std::string("s.bak"); })} +
                     writes(kName)}},
      {.name = "deleted and created",
       .path = "s",
       .processes = {std::vector<Step>{[](FileSystem& fs, int) { fs.remove("s"); }} +
                     writes(kName)}},
      {.name = "replaced, but now and then in place",
       .path = "s",
       .processes = {std::vector<Step>{
           [](FileSystem& fs, int n) { fs.create(n % 2 == 1 ? "t" : "s"); },
           [](FileSystem& fs, int n) { fs.write(n % 2 == 1 ? "t" : "s", half(n)); },
           [](FileSystem& fs, int n) { fs.write(n % 2 == 1 ? "t" : "s", rest(n)); },
           [](FileSystem& fs, int n) {
             fs.close(n % 2 == 1 ? "t" : "s");
             if (n % 2 == 1) fs.rename("t", "s");
           }}},
       .breaks_links = true},
      {.name = "numbered files", .path = "c-*", .processes = {writes(kNumbered)}},
      {.name = "numbered files, the older one removed",
       .path = "c-*",
       .processes = {std::vector<Step>{removes_older} + writes(kNumbered)}},
      {.name = "a link to the newest",
       .path = "s",
       .processes = {writes(kNumbered) + std::vector<Step>{points, removes_older}}},
      {.name = "a text that names the newest",
       .path = "s",
       .processes = {writes(kNumbered) +
                     std::vector<Step>{[](FileSystem& fs, int) { fs.create("s"); },
                                       [](FileSystem& fs, int n) {
                                         fs.write("s", kNumbered(n));
                                         fs.close("s");
                                       }}}},
      {.name = "a text that names the newest, the older one removed first",
       .path = "s",
       .processes = {std::vector<Step>{removes_older} + writes(kNumbered) +
                     std::vector<Step>{[](FileSystem& fs, int) { fs.create("s"); },
                                       [](FileSystem& fs, int n) {
                                         fs.write("s", kNumbered(n));
                                         fs.close("s");
                                       }}},
       .is_noticed = true},
      {.name = "folders with a marker",
       .path = "out/c-*",
       .marker = "done",
       .processes = {writes(inside("c", "a")) + marks(inside("c", "done"))}},
      {.name = "folders by two processes, a marker behind a barrier",
       .path = "out/c-*",
       .marker = "done",
       .processes = {writes(inside("c", "a")) + std::vector<Step>{barrier} +
                         marks(inside("c", "done")),
                     writes(inside("c", "b"))}},
      {.name = "folders that are renamed into place",
       .path = "out/c-*",
       .processes = {writes(inside("t", "a")) + writes(inside("t", "b")) +
                     std::vector<Step>{
                         rename([](int n) { return ("out/t-" + std::to_string(n)); }, folder)}}},
      {.name = "folders, the older one removed first",
       .path = "out/c-*",
       .marker = "done",
       .processes = {std::vector<Step>{[](FileSystem& fs, int n) {
                                         fs.remove("out/c-" + std::to_string(n - 1) + "/a");
                                       },
                                       [](FileSystem& fs, int n) {
                                         fs.remove(("out/c-" + std::to_string(n - 1)));
                                       }} +
                     writes(inside("c", "a")) + marks(inside("c", "done"))}},
      {.name = "a folder that is rewritten in place",
       .path = "d",
       .marker = "done",
       .processes = {writes([](int) { return std::string("d/a"); }) +
                     marks([](int) { return std::string("d/done"); })}},
  };
}

}  // namespace holdfast::field::memory
