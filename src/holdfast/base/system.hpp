#pragma once

#include <sys/types.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// What several layers ask of the operating system. Calls that a signal interrupts are made again.
namespace holdfast {

/// Writes all bytes. Returns false if that is not possible, with errno.
[[nodiscard]] bool write_whole(int file, std::string_view bytes);
/// Writes bytes at a place of a file. Returns how many were written; if not all, with errno.
[[nodiscard]] std::size_t write_at(int file, std::string_view bytes, off_t at);
/// Reads until the buffer is full, at the end of a file less. Returns how many bytes were read; 0 also if none can be.
[[nodiscard]] std::size_t read_whole(int file, std::span<char> buffer);
/// Reads in the same way from a place of a file; errno is 0 if the file ended.
[[nodiscard]] std::size_t read_at(int file, std::span<char> buffer, off_t at);

/// Returns a file of the kernel, as in /proc, which has no size and is not compressed; empty if it cannot be read.
[[nodiscard]] std::string kernel_file(const std::string& path);
/// Returns a text that identifies the current boot of the machine; empty if the kernel does not say.
[[nodiscard]] std::string boot_id();

/// Returns the words as the system takes them: pointers into them, and null after the last.
[[nodiscard]] std::vector<char*> pointers_to(const std::vector<std::string>& words);
/// Returns the environment of this process ("NAME=VALUE") without these names.
[[nodiscard]] std::vector<std::string> environment_without(std::span<const std::string_view> names);
/// Returns the value of a name in an environment; empty if there is none.
[[nodiscard]] std::string_view value_in(std::span<const std::string> environment,
                                        std::string_view name);
/// Sets the value of a name in an environment.
void set_value_in(std::vector<std::string>& environment, std::string_view name,
                  std::string_view value);

}  // namespace holdfast
