import CloudKitWire
import Testing
import WireCoding

@Suite("Checksums of assets")
struct AssetChecksumTests {
    private let hash = (0..<32).map { UInt8($0) }

    @Test("A checksum of our own making is 21 bytes that begin with a mark, and is read as it was written")
    func roundTrip() throws {
        let checksum = AssetChecksum(sha256: hash)
        #expect(Base64.decode(checksum.text.utf8) == [0x5A] + hash.prefix(20))
        #expect(AssetChecksum(checksum.text) == checksum)
        #expect(checksum.isOf(sha256: hash))
        #expect(!checksum.isOf(sha256: [1] + hash.dropFirst()))
        #expect(!checksum.isOf(sha256: []))
    }

    @Test(
        "What another service made says nothing",
        arguments: [
            "", "AQ==", "AX4c", "Wg==", "AQABAgMEBQYHCAkKCwwNDg8QERIT", "WgABAgMEBQYHCAkKCwwNDg8QERITFA==", "?",
        ])
    func foreign(_ text: String) {
        #expect(AssetChecksum(text) == nil)
    }
}
