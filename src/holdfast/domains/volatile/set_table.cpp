#include "holdfast/domains/volatile/set_table.hpp"

#include <algorithm>
#include <bit>

namespace holdfast::volatile_workers {
namespace {

std::uint64_t hash_of(std::span<const std::uint64_t> words) {
  std::uint64_t hash = 0x9e3779b97f4a7c15;
  for (const std::uint64_t word : words) {
    hash = (hash ^ word) * 0xff51afd7ed558ccd;
    hash ^= hash >> 32;
  }
  return hash;
}

}  // namespace

SetTable::SetTable(std::span<const UpChain> chains)
    : chains_{chains}, workers_{chains.size()}, words_{(chains.size() + 63) / 64} {
  slots_.assign(1024, kUnknown);
  values_.push_back({});
  masks_.resize(words_, 0);
  rows_.push_back(kUnknown);
  slots_[slot_of(std::span(masks_).first(words_))] = kEmpty;
}

std::size_t SetTable::slot_of(std::span<const std::uint64_t> mask) const {
  std::size_t slot = hash_of(mask) & (slots_.size() - 1);
  for (; slots_[slot] != kUnknown; slot = (slot + 1) & (slots_.size() - 1)) {
    if (std::equal(mask.begin(), mask.end(),
                   masks_.begin() + static_cast<std::ptrdiff_t>(slots_[slot] * words_))) {
      break;
    }
  }
  return slot;
}

void SetTable::grow() {
  slots_.assign(slots_.size() * 2, kUnknown);
  for (std::uint32_t set = 0; set < values_.size(); ++set) {
    slots_[slot_of(std::span(masks_).subspan(set * words_, words_))] = set;
  }
}

std::uint32_t SetTable::intern(std::span<const std::uint64_t> mask) {
  const std::size_t slot = slot_of(mask);
  if (slots_[slot] != kUnknown) return slots_[slot];
  const auto set = static_cast<std::uint32_t>(values_.size());
  slots_[slot] = set;
  std::vector<const UpChain*> members;
  for (std::size_t word = 0; word < words_; ++word) {
    for (std::uint64_t bits = mask[word]; bits != 0; bits &= bits - 1) {
      members.push_back(&chains_[word * 64 + static_cast<std::size_t>(std::countr_zero(bits))]);
    }
  }
  values_.push_back(set_values(members));
  masks_.insert(masks_.end(), mask.begin(), mask.end());
  rows_.push_back(kUnknown);
  if (values_.size() * 2 > slots_.size()) grow();
  return set;
}

std::uint32_t SetTable::add(std::uint32_t set, std::uint32_t worker) {
  std::vector<std::uint64_t> mask(masks_.begin() + static_cast<std::ptrdiff_t>(set * words_),
                                  masks_.begin() + static_cast<std::ptrdiff_t>((set + 1) * words_));
  mask[worker / 64] |= std::uint64_t{1} << (worker % 64);
  const std::uint32_t larger = intern(mask);
  if (rows_[set] == kUnknown) {
    rows_[set] = static_cast<std::uint32_t>(next_.size() / workers_);
    next_.resize(next_.size() + workers_, kUnknown);
  }
  next_[rows_[set] * workers_ + worker] = larger;
  return larger;
}

std::uint32_t SetTable::of(std::span<const std::uint32_t> members) {
  std::uint32_t set = kEmpty;
  for (const std::uint32_t worker : members) set = with(set, worker);
  return set;
}

}  // namespace holdfast::volatile_workers
