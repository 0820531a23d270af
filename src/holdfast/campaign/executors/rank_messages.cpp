#include "holdfast/campaign/executors/rank_messages.hpp"

#include "holdfast/base/version.hpp"
#include "holdfast/campaign/bytes.hpp"
#include "holdfast/campaign/design.hpp"

namespace holdfast {

std::string identity(const Design& design) {
  return std::string(version()) + ' ' + fingerprint(design);
}

std::string to_bytes(const BeginMessage& message) {
  ByteWriter out;
  out.number(message.workers).array(message.runs);
  return out.take();
}
std::string to_bytes(const FailedMessage& message) {
  ByteWriter out;
  out.number(message.group).number(message.error.code);
  out.text(message.error.where).text(message.error.message);
  return out.take();
}
std::string to_bytes(const CellsMessage& message) {
  ByteWriter out;
  out.number(message.finished).text(message.batch);
  return out.take();
}
std::string to_bytes(const GroupRange& range) {
  ByteWriter out;
  out.number(range);
  return out.take();
}

BeginMessage parse_begin(std::string_view bytes) {
  ByteReader read(bytes);
  BeginMessage out;
  out.workers = read.number<unsigned>();
  out.runs = read.array<std::uint64_t>();
  return out;
}
FailedMessage parse_failed(std::string_view bytes) {
  ByteReader read(bytes);
  FailedMessage out;
  out.group = read.number<std::uint64_t>();
  out.error.code = read.number<ErrorCode>();
  out.error.where = read.text();
  out.error.message = read.text();
  return out;
}
CellsMessage parse_cells(std::string_view bytes) {
  ByteReader read(bytes);
  CellsMessage out;
  out.finished = read.number<std::uint64_t>();
  out.batch = read.text();
  return out;
}
GroupRange parse_range(std::string_view bytes) {
  ByteReader read(bytes);
  return read.number<GroupRange>();
}

}  // namespace holdfast
