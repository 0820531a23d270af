#include "holdfast/field/generations.hpp"

#include "holdfast/field/rows.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace holdfast::field {
namespace {

/// A file that stays open for writing, unchanged, for this long is not waited for in silence.
constexpr double kHeld = 60;
/// A job ends within this time after one of its processes was killed.
constexpr double kEnding = 5;

constexpr std::array<std::string_view, 9> kEvidence = {
    "given", "told", "verified", "marked", "moved", "settled", "replaced", "equal", "old"};

// The members of each entry, in their order.
template <class Row>
void rows(SeenFile& file, Row row) {
  row.spare("file", file.path);
  row.exact("inode", file.inode);
  row("size", file.size);
  row.exact("changed", file.changed);
  row.spare("folder", file.is_folder);
  row.spare("target", file.target);
  row.exact("print", file.print);
  row.exact("touched", file.touched);
  row.exact("empty", file.empty);
  row.exact("marked", file.marked);
}
template <class Row>
void rows(Accepted& entry, Row row) {
  row("generation", entry.generation);
  row.word("evidence", entry.evidence, kEvidence);
  rows(entry.file, row);
}
template <class Row>
void rows(Kept& entry, Row row) {
  row("generation", entry.generation);
  row.spare("place", entry.place);
  row.spare("digest", entry.digest);
  row("seconds", entry.seconds);
  rows(entry.file, row);
}
template <class Row>
void rows(Lost& entry, Row row) {
  row("generation", entry.generation);
}
template <class Row>
void rows(Learned& entry, Row row) {
  row.spare("way", entry.way);
}
template <class Row>
void rows(SetAside& entry, Row row) {
  row("generation", entry.generation);
  row.spare("file", entry.file);
  row.spare("to", entry.to);
}
template <class Row>
void rows(PutBack& entry, Row row) {
  row("generation", entry.generation);
  row.spare("file", entry.file);
}

template <class Row>
void rows(Noticed& entry, Row row) {
  row.spare("file", entry.file);
  row.exact("inode", entry.inode);
  row.exact("changed", entry.changed);
}

/// The kinds of the lines, in the order of the alternatives.
constexpr std::array<std::string_view, std::variant_size_v<Entry>> kEntryKinds = {
    "accepted", "kept", "lost", "way", "aside", "put-back", "noticed"};

constexpr auto kEntryRows = [](auto& entry, auto row) { rows(entry, row); };

}  // namespace

bool same(const SeenFile& a, const SeenFile& b) {
  return a.size == b.size && a.changed == b.changed && a.is_folder == b.is_folder &&
         a.print == b.print;
}

Value to_value(const Entry& entry) {
  Value out = Value::object({{"kind", kEntryKinds[entry.index()]}});
  std::visit([&](auto one) { rows(one, RowWriter{&out}); }, entry);
  return out;
}

std::optional<Entry> entry_of(const Value& line) {
  const Value* kind = line.find("kind");
  if (kind == nullptr || kind->string() == nullptr) return std::nullopt;
  return read_alternative<Entry>(kEntryKinds, *kind->string(), line, kEntryRows);
}

Value to_value(const SeenFile& file) {
  Value out = Value::object();
  SeenFile copy = file;
  rows(copy, RowWriter{&out});
  return out;
}

std::optional<SeenFile> seen_file(const Value& entry) {
  if (entry.find("file") == nullptr || entry.find("size") == nullptr) return std::nullopt;
  SeenFile out;
  rows(out, RowReader{&entry});
  return out;
}

void Generations::take(const Entry& entry) {
  if (const auto* accepted = std::get_if<Accepted>(&entry)) {
    add({.number = accepted->generation, .file = accepted->file, .evidence = accepted->evidence});
    std::erase_if(noticed_, [&](const Noticed& one) { return one.file == accepted->file.path; });
  } else if (const auto* kept = std::get_if<Kept>(&entry)) {
    Generation* one = number(kept->generation);
    if (one == nullptr) return;
    if (one->state == Generation::State::accepted) one->state = Generation::State::kept;
    one->digest = kept->digest;
    if (!same(kept->file, one->file)) one->copy = kept->file;
    spent_ = rejects_.empty() ? 0 : rejects_.size() - 1;
  } else if (const auto* lost = std::get_if<Lost>(&entry)) {
    if (Generation* one = number(lost->generation)) one->state = Generation::State::gone;
  } else if (const auto* learned = std::get_if<Learned>(&entry)) {
    (learned->way == "replaced" ? was_renamed_ : was_written_) = true;
  } else if (const auto* aside = std::get_if<SetAside>(&entry)) {
    if (Generation* one = number(aside->generation)) one->state = Generation::State::bad;
    spent_ -= std::min(spent_, std::erase(rejects_, aside->to));  // a name that is used again
    if (aside->generation == 0) rejects_.push_back(aside->to);
  } else if (const auto* back = std::get_if<PutBack>(&entry)) {
    if (Generation* one = number(back->generation)) one->state = Generation::State::kept;
  } else if (const auto* noticed = std::get_if<Noticed>(&entry)) {
    std::erase_if(noticed_, [&](const Noticed& one) { return one.file == noticed->file; });
    noticed_.push_back(*noticed);
  }
}

std::vector<Entry> Generations::entries() const {
  std::vector<Entry> out;
  if (was_renamed_) out.emplace_back(Learned{"replaced"});
  if (was_written_) out.emplace_back(Learned{"written"});
  const auto add_rejects = [&](std::span<const std::string> some) {
    for (const std::string& reject : some) out.emplace_back(SetAside{.to = reject});
  };
  const auto first = std::min(rejects_.size(), spent_ + 1);  // a checkpoint was kept after these
  add_rejects(rejects().first(first));
  for (const Generation& one : all_) {
    out.emplace_back(Accepted{one.number, one.evidence, one.file});
    if (one.copy || !one.digest.empty() || one.state == Generation::State::kept)
      out.emplace_back(Kept{
          .generation = one.number, .digest = one.digest, .file = one.copy.value_or(one.file)});
    if (one.state == Generation::State::bad) out.emplace_back(SetAside{.generation = one.number});
    if (one.state == Generation::State::gone) out.emplace_back(Lost{one.number});
  }
  add_rejects(rejects().subspan(first));
  for (const Noticed& one : noticed_) out.emplace_back(one);
  return out;
}

// Forgets one of many: the oldest, but good ones after those that failed or are gone.
void Generations::add(Generation one) {
  constexpr std::ptrdiff_t kMost = 1100;  // --keep has at most 1000
  if (std::ssize(all_) == kMost) {
    const auto is_useless = [](const Generation& old) {
      return old.state >= Generation::State::bad;
    };
    const auto half = all_.begin() + kMost / 2;
    const auto old = std::find_if(all_.begin(), half, is_useless);
    all_.erase(old == half ? all_.begin() : old);
  }
  all_.push_back(std::move(one));
}

void Generations::take_old(const SeenFile& file) {
  if (find(file) != nullptr) return;
  add({.number = next(), .file = file, .evidence = Evidence::old});
}

const Generation* Generations::numbered(std::int64_t number) const {
  // What is asked for is nearly always one of the last.
  const auto found = std::find_if(all_.rbegin(), all_.rend(),
                                  [&](const Generation& one) { return one.number == number; });
  return found == all_.rend() ? nullptr : &*found;
}

const Generation* Generations::newest() const {
  for (auto one = all_.rbegin(); one != all_.rend(); ++one) {
    if (one->state < Generation::State::bad) return &*one;
  }
  return nullptr;
}

const Generation* Generations::find(const SeenFile& file) const {
  for (auto one = all_.rbegin(); one != all_.rend(); ++one) {
    const bool is_it = same(one->file, file) || (one->copy && same(*one->copy, file));
    if (is_it && one->state < Generation::State::bad) return &*one;
  }
  return nullptr;
}

const Generation* Generations::at(std::string_view path) const {
  for (auto one = all_.rbegin(); one != all_.rend(); ++one) {
    if (one->file.path == path) return &*one;
  }
  return nullptr;
}

bool Generations::was_noticed(const SeenFile& file) const {
  constexpr std::int64_t kSoon = 60'000'000'000;  // nanoseconds
  return std::ranges::any_of(noticed_, [&](const Noticed& one) {
    return one.file == file.path && one.inode == file.inode && file.changed >= one.changed &&
           file.changed - one.changed <= kSoon;
  });
}

bool Generations::is_hollow(const SeenFile& file) const {
  if (file.is_folder ? file.print == 0 : file.size == 0) return true;
  const Generation* before = at(file.path);
  if (before != nullptr && !before->file.target.empty() && file.target.empty()) return true;
  return file.empty > 0 && !all_.empty() &&
         std::ranges::all_of(all_, [](const Generation& one) { return one.file.empty == 0; });
}

Candidates::Candidate* Candidates::find(const std::string& path) {
  const auto found = std::ranges::find(
      all_, path, [](const Candidate& one) -> const std::string& { return one.file.path; });
  return found == all_.end() ? nullptr : &*found;
}

Finding Candidates::take(const Sight& sight, const Generations& known, const HoldOf& hold_of) {
  Finding finding;
  const auto learn = [&](bool was_known, const char* way) {
    if (!was_known) finding.learned = Learned{way};
  };
  if (const auto* launched = std::get_if<Launched>(&sight)) {
    all_.clear();
    moved_.clear();
    for (const SeenFile& file : launched->files) all_.push_back({.file = file});
  } else if (const auto* moved = std::get_if<MovedIn>(&sight)) {
    moved_.push_back(moved->path);
    learn(known.was_renamed(), "replaced");
  } else if (const auto* written = std::get_if<Written>(&sight)) {
    std::erase(moved_, written->path);
    if (Candidate* one = find(written->path)) one->is_moved = false;
    learn(known.was_written(), "written");
  } else if (const auto* took = std::get_if<Took>(&sight)) {
    if (Candidate* one = find(took->file.path)) {
      one->file = took->file;
      one->is_new = false;
    }
  } else if (const auto* looked = std::get_if<Looked>(&sight)) {
    note(*looked, known, finding);
    judge(*looked, known, hold_of, finding);
  }
  return finding;
}

// Compares what is there with what was there at the last look.
void Candidates::note(const Looked& sight, const Generations& known, Finding& finding) {
  std::erase_if(all_, [&](const Candidate& one) {
    return std::ranges::find(sight.files, one.file.path, &SeenFile::path) == sight.files.end();
  });
  for (const SeenFile& file : sight.files) {
    const bool has_moved = std::ranges::find(moved_, file.path) != moved_.end();
    Candidate* one = find(file.path);
    const bool is_unknown = one == nullptr;
    if (is_unknown) one = &all_.emplace_back();
    // A link that we make to a file, and one that a program removes, change nothing of what is in it.
    const bool is_touched_alone = !is_unknown && !one->is_new && same(one->file, file) &&
                                  one->file.inode == file.inode && !has_moved;
    if (one->file == file && !has_moved) {
      one->looks = std::min(one->looks + 1, 2);
      continue;
    }
    const bool is_in_place = !is_unknown && !file.is_folder && file.target.empty() &&
                             one->file.inode == file.inode && !same(one->file, file);
    if (is_in_place && !known.was_written()) finding.learned = Learned{"written"};
    one->was_pointer = one->was_pointer || !one->file.target.empty();
    one->file = file;
    if (is_touched_alone) continue;
    one->since = sight.now;
    one->looks = 1;
    one->is_new = true;
    one->is_moved = has_moved && !is_in_place && file.target.empty();
    finding.has_begun = true;
  }
  moved_.clear();
}

// Returns true if a candidate looks complete, as far as its times tell.
bool Candidates::is_promising(const Candidate& candidate, const Generations& known) const {
  const SeenFile& file = candidate.file;
  if (marker_ != Marker::none) {
    const Generation* before = known.at(file.path);
    if (file.marked == 0 || (before != nullptr && before->file.marked == file.marked)) return false;
  }
  const bool is_younger = marker_ == Marker::closes && file.marked < file.changed;
  const bool names_nothing = candidate.was_pointer && file.target.empty();
  return !is_younger && !names_nothing && !known.is_hollow(file);
}

void Candidates::judge(const Looked& sight, const Generations& known, const HoldOf& hold_of,
                       Finding& finding) {
  bool is_moved = true;
  for (const Candidate& one : all_) {
    const double quiet = sight.now - one.since;
    if (!one.is_new || (one.is_moved && marker_ == Marker::none)) continue;
    if (quiet < settle_ || one.looks < 2) return;  // files of one save are taken together
  }
  std::vector<const Candidate*> whole;
  for (const Candidate& one : all_) {
    if (!one.is_new || !is_promising(one, known)) continue;
    const Hold hold = hold_of(one.file);
    const double quiet = sight.now - one.since;
    if (hold == Hold::open && quiet >= kHeld) finding.held = one.file.path;
    const bool may_be_torn = hold == Hold::ended && !one.is_moved && quiet < settle_ + kEnding;
    if (hold == Hold::open || may_be_torn) continue;
    whole.push_back(&one);
    is_moved = is_moved && one.is_moved;
    finding.since = std::max(finding.since, one.since);
  }
  std::ranges::stable_sort(whole, {}, [](const Candidate* one) { return one->file.changed; });
  for (const Candidate* one : whole) finding.whole.push_back(one->file);
  finding.evidence = marker_ >= Marker::proves ? Evidence::marked
                     : is_moved                ? Evidence::moved
                                               : Evidence::settled;
}

std::vector<SeenFile> Candidates::changed() const {
  std::vector<SeenFile> out;
  for (const Candidate& one : all_) {
    if (one.is_new) out.push_back(one.file);
  }
  std::ranges::stable_sort(out, {}, &SeenFile::changed);
  return out;
}

bool Candidates::has_changed(const std::string& path) const {
  return std::ranges::any_of(
      all_, [&](const Candidate& one) { return one.is_new && one.file.path == path; });
}

bool Candidates::is_marked(const SeenFile& file, const Generations& known) const {
  if (marker_ < Marker::proves || known.is_hollow(file)) return false;
  const Generation* before = known.at(file.path);
  const bool is_fresh =
      file.marked != 0 && (before == nullptr || before->file.marked != file.marked);
  // In a folder that is written again in place the marker of a save that was never accepted may still lie there.
  return is_fresh && file.marked >= file.changed;
}

}  // namespace holdfast::field
