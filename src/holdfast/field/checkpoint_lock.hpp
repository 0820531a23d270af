#pragma once

#include "holdfast/base/descriptor.hpp"
#include "holdfast/base/error.hpp"
#include "holdfast/base/voice.hpp"
#include "holdfast/field/checkpoint_files.hpp"

namespace holdfast::field {

/// Keeps other guards from the same checkpoints, whatever their own folders are, until the descriptor is closed. Where the file
/// for the lock cannot be written, that is said, and there is no lock.
/// @returns io_failure if another guard holds the lock, or the file system has no locks
[[nodiscard]] Result<Descriptor> lock_checkpoint(const CheckpointFiles& files, const Voice& voice);

}  // namespace holdfast::field
