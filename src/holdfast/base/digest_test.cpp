#include "holdfast/base/digest.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace holdfast;

TEST_CASE("sha-256: the examples of FIPS 180-4") {
  CHECK(sha256_hex("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(sha256_hex("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  CHECK(sha256_hex(std::string(1'000'000, 'a')) ==
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("sha-256: pieces give what the whole gives, around the block's length") {
  for (std::size_t length = 50; length < 140; ++length) {
    const std::string text(length, 'x');
    Sha256 pieces;
    for (std::size_t i = 0; i < length; i += 7) pieces.update(std::string_view(text).substr(i, 7));
    CHECK(pieces.finish() == sha256(text));
  }
}

TEST_CASE("sha-256 in base64: what `openssl dgst -sha256 -binary | base64` prints") {
  CHECK(sha256_base64("") == "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
  CHECK(sha256_base64("abc") == "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
}
