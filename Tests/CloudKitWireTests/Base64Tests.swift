import CloudKitWire
import Testing
import WireCoding

@Suite("Base64")
struct Base64Tests {
    @Test(
        "Bytes are written in the standard alphabet, padded",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ])
    func vectors(_ plain: String, encoded: String) {
        // RFC 4648, §10.
        #expect(Base64.encode(Array(plain.utf8)) == Array(encoded.utf8))
        #expect(Base64.decode(encoded.utf8) == Array(plain.utf8))
    }

    @Test("Every byte value comes back at every length")
    func roundTrip() {
        for length in 0...260 {
            let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ 13) }
            #expect(Base64.decode(Base64.encode(bytes)) == bytes)
        }
        #expect(Base64.encode([0xFB, 0xFF, 0xBF]) == Array("+/+/".utf8))
    }

    @Test(
        "Other texts are refused",
        arguments: ["Zg", "Zg=", "Z", "Zg==Zg==", "=", "====", "Z===", "Zm9v\n", "Zm-_", "Zm 9", "Zé==", "Zm=v"])
    func refuses(_ text: String) {
        #expect(Base64.decode(text.utf8) == nil)
    }
}
