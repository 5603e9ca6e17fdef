import Testing

@testable import StateRows
@testable import StateStorage

@Suite("Packed texts")
struct PackedTextTests {
    @Test(
        "Any bytes come back as they were, and take one more than before at most",
        arguments: [
            [], [0], [1], [2], [0, 1, 2], [1, 0], Array("{".utf8), Array("{\"title\": \"One\"}\n".utf8),
            Array(repeating: 0xFF, count: 127), Array(repeating: 0x20, count: 128), (0...255).map { UInt8($0) },
            Array(String(repeating: "a word or two, ", count: 80_000).utf8), noise(100_000),
        ])
    func roundTrip(text: [UInt8]) throws {
        let packed = PackedText.pack(text)
        #expect(packed.count <= text.count + 1)
        #expect(unpacked(packed) == text)
        #expect(size(packed) == text.count)
    }

    @Test("A record takes less than a third of its bytes, and a document less than two thirds")
    func room() {
        #expect(PackedText.pack(Self.record).count * 3 < Self.record.count)
        #expect(PackedText.pack(Self.document).count * 3 < 2 * Self.document.count)
    }

    @Test("What earlier versions stored, as it is or packed, reads the same for ever")
    func stored() {
        #expect(unpacked(Self.document) == Self.document)
        #expect(unpacked([]) == [])
        #expect(unpacked([0xEF, 0xBB, 0xBF, 0x7B, 0x7D]) == [0xEF, 0xBB, 0xBF, 0x7B, 0x7D])
        #expect(unpacked(Self.packedDocument) == Self.document)
    }

    @Test("What lacks an end, has too much at it, or tells another count, is damaged")
    func damage() {
        let packed = PackedText.pack(Self.record)
        for count in 1..<packed.count { #expect(unpacked(Array(packed[..<count])) == nil, "\(count)") }
        #expect(unpacked(packed + [0]) == nil)
        for bit in 0..<14 {
            var other = packed
            other[1 + bit / 7] ^= 1 << (bit % 7)
            #expect(unpacked(other) == nil, "\(bit)")
        }
        #expect(unpacked([1, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F, 0]) == nil)
        #expect(unpacked([1]) == nil)
    }

    private static let record = Array(
        (#"{"recordName":"Note/lake","recordType":"Note","recordChangeTag":"k3","fields":{"title":{"value":"Lake","type":"#
            + #""STRING"},"stars":{"value":5,"type":"INT64"},"zonefolder":{"value":"{\"version\":1,\"order\":[\"title\","#
            + #"\"stars\"]}","type":"STRING"}},"created":{"timestamp":1795709213729,"userRecordName":"_abbdeeddceda95de"#
            + #"09d2b02e85633c23","deviceID":"2"},"modified":{"timestamp":1795709213729,"userRecordName":"_abbdeeddceda95"#
            + #"de09d2b02e85633c23","deviceID":"2"},"deleted":false}"#).utf8)

    private static let document = Array(
        "{\n  \"title\": \"Lake\",\n  \"stars\": 5,\n  \"tags\": [\n    \"one\",\n    \"two\"\n  ]\n}\n".utf8)

    /// As the first version that packed has it.
    private static let packedDocument: [UInt8] = [
        0x01, 0x4A, 0x03, 0x95, 0x3D, 0x88, 0xD2, 0xCF, 0x27, 0x31, 0x3B, 0x15, 0x52, 0x04, 0x01, 0x8D, 0x2D, 0x02,
        0x15, 0x71, 0xA6, 0x60, 0x1E, 0x6A, 0x79, 0x07, 0x8C, 0x0C, 0x25, 0x48, 0x71, 0xA7, 0x54, 0x52, 0x9E, 0x0F,
        0x2E, 0xFD, 0x80, 0x05, 0x16, 0x00,
    ]
}

private func unpacked(_ stored: [UInt8]) -> [UInt8]? { stored.withUnsafeBytes { PackedText.unpack($0) } }

private func size(_ stored: [UInt8]) -> Int? {
    stored.prefix(PackedText.longestHead).withUnsafeBytes { PackedText.size(of: $0, storedCount: stored.count) }
}

/// Bytes that nothing packs, the same each time.
private func noise(_ count: Int) -> [UInt8] {
    var state: UInt64 = 1
    return (0..<count).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(state >> 56)
    }
}
