#include "holdfast/arbiter/frames.hpp"

#include "holdfast/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <type_traits>
#include <utility>

namespace holdfast::arbiter {
namespace {

constexpr std::string_view kMagic = "HFIO";
constexpr std::size_t kLabelSize = 64;
constexpr std::size_t kTextSize = 120;

// The functions visit() define the order of the members on the wire, for both reading and writing. `What` is a frame, const if
// it is written.
template <class What, class Frame>
concept Is = std::is_same_v<std::remove_const_t<What>, Frame>;

template <class Wire, Is<Hello> What>
void visit(Wire& wire, What& frame) {
  wire.number(frame.bandwidth_max);
  wire.number(frame.nodes);
  wire.number(frame.ranks);
  wire.number(frame.pid);
  wire.one_of(frame.kind, ClientKind::library, ClientKind::watcher);
  wire.zeros(3);
  wire.text(frame.label, kLabelSize);
  wire.token(frame.resume);
}
template <class Wire, Is<Welcome> What>
void visit(Wire& wire, What& frame) {
  wire.number(frame.handle);
  wire.number(frame.epoch);
  wire.number(frame.lease_ms);
  wire.number(frame.report_ms);
  wire.zeros(4);
  wire.number(frame.floor);
  wire.token(frame.resume);
}
template <class Wire, Is<Post> What>
void visit(Wire& wire, What& frame) {
  wire.number(frame.handle);
  wire.number(frame.operation);
  wire.number(frame.volume);
  wire.one_of(frame.direction, Direction::write, Direction::read);
  wire.zeros(4);
}
template <class Wire, Is<Grant> What>
void visit(Wire& wire, What& frame) {
  wire.number(frame.operation);
  wire.number(frame.rate);
  wire.number(frame.epoch);
  wire.number(frame.lease_ms);
  wire.number(frame.floor);
}
template <class Wire, Is<Report> What>
void visit(Wire& wire, What& frame) {
  wire.number(frame.handle);
  wire.number(frame.operation);
  wire.number(frame.moved);
  wire.number(frame.reserved);
}
template <class Wire, Is<Done> What>
void visit(Wire& wire, What& frame) {
  wire.number(frame.handle);
  wire.number(frame.operation);
  wire.number(frame.moved);
  wire.number(frame.stalled_ns);
}
template <class Wire, Is<Bye> What>
void visit(Wire& wire, What& frame) {
  wire.number(frame.handle);
}
template <class Wire, Is<Ping> What>
void visit(Wire& wire, What& frame) {
  wire.number(frame.cookie);
}
template <class Wire, Is<Pong> What>
void visit(Wire& wire, What& frame) {
  wire.number(frame.cookie);
}
template <class Wire, Is<Refusal> What>
void visit(Wire& wire, What& frame) {
  wire.one_of(frame.code, FaultCode::bad_frame, FaultCode::shutting_down);
  wire.number(frame.sequence);
  wire.text(frame.text, kTextSize);
}
template <class Wire, Is<Watch> What>
void visit(Wire& wire, What& frame) {
  wire.number(frame.interval_ms);
  wire.zeros(4);
}
template <class Wire, Is<State> What>
void visit(Wire& wire, What& frame) {
  wire.number(frame.handle);
  wire.number(frame.rate);
  wire.number(frame.moved);
  wire.number(frame.delay_ns);
  wire.number(frame.age_ns);
  wire.number(frame.uid);
  wire.number(frame.nodes);
  wire.number(frame.phase);
  wire.number(frame.flags);
  wire.text(frame.label, kLabelSize);
}
template <class Wire, Is<Register> What>
void visit(Wire& wire, What& frame) {
  wire.number(frame.uid);
  wire.number(frame.nodes);
  wire.text(frame.label, kLabelSize);
  wire.number(frame.ttl_ms);
}

class Writer {
 public:
  explicit Writer(std::string& out) : out_(&out) {}

  template <class T>
  void number(T value) {
    static_assert(std::is_unsigned_v<T>);
    for (std::size_t i = 0; i < sizeof(T); ++i) {
      out_->push_back(static_cast<char>(static_cast<unsigned char>(value >> (8 * i))));
    }
  }
  template <class E>
  void one_of(E value, E /*first*/, E /*last*/) {
    number(static_cast<std::underlying_type_t<E>>(value));
  }
  void zeros(std::size_t count) { out_->append(count, '\0'); }
  void text(std::string_view value, std::size_t size) {
    if (value.size() > size) {
      std::size_t end = size;  // not in the middle of a character
      while (end > 0 && (static_cast<unsigned char>(value[end]) & 0xC0U) == 0x80U) --end;
      value = value.substr(0, end);
    }
    out_->append(value);
    zeros(size - value.size());
  }
  void token(const Token& value) {
    for (const std::uint8_t byte : value) number(byte);
  }

 private:
  std::string* out_;
};

// A visitor that counts bytes, so that the lengths of bodies follow from their members.
class Ruler {
 public:
  template <class T>
  constexpr void number(T /*value*/) {
    size_ += sizeof(T);
  }
  template <class E>
  constexpr void one_of(E /*value*/, E /*first*/, E /*last*/) {
    size_ += sizeof(E);
  }
  void zeros(std::size_t count) { size_ += count; }
  void text(const std::string& /*value*/, std::size_t size) { size_ += size; }
  void token(const Token& value) { size_ += value.size(); }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  std::size_t size_ = 0;
};

class Reader {
 public:
  explicit Reader(std::string_view body) : body_(body) {}

  template <class T>
  void number(T& value) {
    static_assert(std::is_unsigned_v<T>);
    value = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i) {
      const auto byte = static_cast<T>(static_cast<unsigned char>(body_[at_ + i]));
      value = static_cast<T>(value | static_cast<T>(byte << (8 * i)));
    }
    at_ += sizeof(T);
  }
  template <class E>
  void one_of(E& value, E first, E last) {
    std::underlying_type_t<E> raw = 0;
    number(raw);
    const bool is_known = raw >= static_cast<std::underlying_type_t<E>>(first) &&
                          raw <= static_cast<std::underlying_type_t<E>>(last);
    if (!is_known) return spoil(fmt::format("found the kind {}, expected one that is known", raw));
    value = static_cast<E>(raw);
  }
  void zeros(std::size_t count) {
    const std::string_view part = body_.substr(at_, count);
    at_ += count;
    if (part.find_first_not_of('\0') != std::string_view::npos) {
      spoil("found something in reserved bytes, expected zeros");
    }
  }
  void text(std::string& value, std::size_t size) {
    std::string_view part = body_.substr(at_, size);
    at_ += size;
    const std::size_t end = std::min(part.find('\0'), part.size());
    if (part.substr(end).find_first_not_of('\0') != std::string_view::npos) {
      return spoil("found a zero inside a text, expected zeros behind it alone");
    }
    part = part.substr(0, end);
    if (find_not_utf8(part) != std::string_view::npos) {
      return spoil("found a text that is not UTF-8");
    }
    value = part;
  }
  void token(Token& value) {
    for (std::uint8_t& byte : value) number(byte);
  }
  [[nodiscard]] const std::string& problem() const { return problem_; }

 private:
  void spoil(std::string text) {
    if (problem_.empty()) problem_ = std::move(text);
  }

  std::string_view body_;
  std::size_t at_ = 0;
  std::string problem_;
};

template <std::size_t... which>
Frame empty_frame(std::size_t index, std::index_sequence<which...> /*all*/) {
  Frame out;
  static_cast<void>(((index == which && (out.emplace<which>(), true)) || ...));
  return out;
}

Frame empty_frame(std::size_t index) {
  return empty_frame(index, std::make_index_sequence<std::variant_size_v<Frame>>());
}

std::size_t body_size(const Frame& frame) {
  Ruler ruler;
  std::visit([&](const auto& one) { visit(ruler, one); }, frame);
  return ruler.size();
}

}  // namespace

std::string encode(const Frame& frame, std::uint32_t sequence) {
  std::string out(kMagic);
  Writer writer(out);
  writer.number(kProtocolVersion);
  writer.number(type_of(frame));
  writer.number(std::uint16_t{0});
  writer.number(static_cast<std::uint32_t>(body_size(frame)));
  writer.number(sequence);
  std::visit([&](const auto& one) { visit(writer, one); }, frame);
  assert(out.size() == kHeaderSize + body_size(frame));
  return out;
}

tl::unexpected<Fault> FrameReader::refuse(FaultCode code, std::string text) {
  is_over_ = true;
  return tl::unexpected<Fault>(
      Fault{.code = code, .sequence = sequence_ + 1, .text = std::move(text)});
}

tl::expected<std::optional<Frame>, Fault> FrameReader::next() {
  if (is_over_) return std::nullopt;
  const std::string_view bytes = std::string_view(buffer_).substr(begin_);
  const std::string_view magic = bytes.substr(0, kMagic.size());
  if (magic != kMagic.substr(0, magic.size())) {
    return refuse(FaultCode::bad_frame, "found bytes that are no frame, expected HFIO");
  }
  if (bytes.size() < kHeaderSize) return std::nullopt;
  Reader header(bytes.substr(kMagic.size(), kHeaderSize - kMagic.size()));
  std::uint8_t version = 0;
  std::uint8_t type = 0;
  std::uint16_t flags = 0;
  std::uint32_t length = 0;
  std::uint32_t sequence = 0;
  header.number(version);
  header.number(type);
  header.number(flags);
  header.number(length);
  header.number(sequence);
  if (version != kProtocolVersion) {
    return refuse(
        FaultCode::bad_version,
        fmt::format("found version {}, this server speaks version {}", version, kProtocolVersion));
  }
  if (type == 0 || type > std::variant_size_v<Frame>) {
    return refuse(FaultCode::bad_frame, fmt::format("found a frame of unknown type {}", type));
  }
  if (flags != 0) return refuse(FaultCode::bad_frame, fmt::format("found flags {}", flags));
  Frame frame = empty_frame(type - std::size_t{1});
  const std::size_t expected = body_size(frame);
  if (length != expected) {
    return refuse(
        FaultCode::bad_frame,
        fmt::format("found {} bytes of body in type {}, expected {}", length, type, expected));
  }
  if (sequence != sequence_ + 1) {
    return refuse(FaultCode::bad_frame,
                  fmt::format("found sequence number {}, expected {}", sequence, sequence_ + 1));
  }
  if (bytes.size() < kHeaderSize + length) return std::nullopt;
  Reader body(bytes.substr(kHeaderSize, length));
  std::visit([&](auto& one) { visit(body, one); }, frame);
  if (!body.problem().empty()) return refuse(FaultCode::bad_value, body.problem());
  sequence_ = sequence;
  begin_ += kHeaderSize + length;
  // Bytes that were read are dropped only once there are many, so that reading one frame at a time costs no copy per frame.
  if (begin_ == buffer_.size() || begin_ > kLongestBody) {
    buffer_.erase(0, begin_);
    begin_ = 0;
  }
  return frame;
}

}  // namespace holdfast::arbiter
