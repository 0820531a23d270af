#pragma once

namespace holdfast {

/// A lock of a whole file that belongs to the open file, not to the process: two threads exclude each
/// other too, it goes when the process ends, however that ends, and asking for it does not take it.
/// Works between machines where the file system passes locks on (NFS, Lustre with flock).
/// @param file  descriptor, open for writing; false where somebody else holds it
[[nodiscard]] bool lock_file(int file);
/// @param file  descriptor, open for reading
[[nodiscard]] bool is_locked(int file);

}  // namespace holdfast
