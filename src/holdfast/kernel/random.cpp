#include "holdfast/kernel/random.hpp"

#include <Random123/philox.h>

#include <cassert>

namespace holdfast {

// Counter words: position in the stream, entity, scenario, instance. Key words: seed, purpose.
Stream::Stream(const StreamKey& key)
    : key_{key.seed, static_cast<std::uint64_t>(key.purpose)},
      counter_{0, key.entity, key.scenario, key.instance} {}

void Stream::refill() {
  const r123::Philox4x64 philox;
  const r123::Philox4x64::ctr_type counter = {{counter_[0], counter_[1], counter_[2], counter_[3]}};
  const r123::Philox4x64::key_type key = {{key_[0], key_[1]}};
  const auto out = philox(counter, key);
  block_ = {out[0], out[1], out[2], out[3]};
  ++counter_[0];
  used_ = 0;
}

void Stream::seek(std::uint64_t block) {
  counter_[0] = block;
  used_ = block_.size();
}

// Lemire 2019, "Fast random integer generation in an interval": the high word of a 64 x 64 bit
// product, with the few products rejected that would make some results more likely than others.
std::int64_t Stream::integer(std::int64_t low, std::int64_t high) {
  assert(low <= high);
  const std::uint64_t span = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
  const std::uint64_t count = span + 1;
  if (count == 0) return static_cast<std::int64_t>(bits());  // all 2^64 values
  __extension__ using Wide = unsigned __int128;
  Wide product = static_cast<Wide>(bits()) * count;
  if (static_cast<std::uint64_t>(product) < count) {
    const std::uint64_t rejected = (0 - count) % count;
    while (static_cast<std::uint64_t>(product) < rejected) {
      product = static_cast<Wide>(bits()) * count;
    }
  }
  const auto offset = static_cast<std::uint64_t>(product >> 64);
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + offset);
}

double uniform_at(const StreamKey& key, std::uint64_t position) {
  constexpr std::uint64_t kBlock = 4;  // numbers in a block; seek() goes to a block
  Stream stream(key);
  stream.seek(position / kBlock);
  for (std::uint64_t i = 0; i < position % kBlock; ++i) stream.bits();
  return stream.uniform();
}

}  // namespace holdfast
