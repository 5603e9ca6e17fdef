import CloudKitClient
import CloudKitWire
import SeededRandomness
import Testing

@testable import WireCoding

@Suite("Sizes without encoding")
struct WireSizeTests {
    @Test("The estimate is never below the JSON, and not far above", arguments: 0..<UInt64(100))
    func estimate(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let operation = randomOperation(using: &random)
        let alone = RecordsModifyRequest(operations: [operation], zoneID: nil).encoded().count
        let real = alone - RecordsModifyRequest(operations: [], zoneID: nil).encoded().count
        let estimate = WireSize.encodedBytes(of: operation)
        #expect(estimate >= real, "\(operation)")
        #expect(estimate <= 8 * real + 600)
    }

    @Test("Keys and values count, assets don't")
    func stored() {
        let record = Record(
            recordName: "ignored", recordType: "Note",
            fields: [
                "ab": Field(.string("\u{E9}")), "c": Field(.bytes([1, 2, 3])), "n": Field(.int64(5)),
                "gone": Field(nil), "asset": Field(.asset(Asset(size: 50_000_000))),
                "l": Field(.stringList(["x", "yz"])),
            ])
        #expect(WireSize.storedBytes(of: record) == (2 + 2) + (1 + 3) + (1 + 8) + 4 + 5 + (1 + 3))
    }

    @Test("A record stays under a million bytes", arguments: [(999_998, true), (999_999, false)])
    func limit(length: Int, fits: Bool) {
        let field = Field(.string(String(repeating: "x", count: length)))
        #expect(WireSize.fits(Record(fields: ["t": field])) == fits)
    }

    private func randomOperation(using random: inout SeededGenerator) -> RecordOperation {
        var generator = ValueGenerator(random: random)
        defer { random = generator.random }
        var record = Record(
            recordName: generator.text(), recordType: "Note", recordChangeTag: generator.text())
        record.parent = generator.text()
        for number in 0..<Int.random(in: 0...12, using: &generator.random) {
            record.fields["f\(number)"] = Field(
                generator.value(), isEncrypted: Bool.random(using: &generator.random))
        }
        return RecordOperation(.forceReplace, record, desiredKeys: [generator.text(), generator.text()])
    }
}

/// Makes values of every type out of what is awkward in JSON.
private struct ValueGenerator {
    var random: SeededGenerator

    mutating func text() -> String {
        let pool: [Character] = ["a", "\"", "\\", "/", "\n", "\u{1}", "\u{E9}", "\u{1F600}", "\u{2028}", "\u{7F}"]
        return String((0..<Int.random(in: 0...40, using: &random)).map { _ in pool.randomElement(using: &random)! })
    }

    mutating func bytes() -> [UInt8] { (0..<Int.random(in: 0...30, using: &random)).map { UInt8($0) } }

    mutating func number() -> Double {
        [0.1, -1.7976931348623157e308, Double.leastNonzeroMagnitude, 1e21, -0.0, 123456.789].randomElement(
            using: &random)!
    }

    mutating func location() -> Location {
        var location = Location(latitude: number(), longitude: number())
        location.altitude = number()
        location.timestamp = .min
        return location
    }

    mutating func asset() -> Asset {
        Asset(fileChecksum: text(), size: .max, receipt: text(), wrappingKey: text(), referenceChecksum: text())
    }

    mutating func reference() -> Reference {
        Reference(
            recordName: text(), zoneID: ZoneID(zoneName: text(), ownerRecordName: text()), action: .deleteSelf)
    }

    mutating func value() -> FieldValue {
        let values: [FieldValue] = [
            .string(text()), .int64(.min), .double(number()), .timestamp(.min), .bytes(bytes()),
            .reference(reference()), .location(location()), .asset(asset()), .stringList([text(), text()]),
            .int64List([.min, 0]), .doubleList([number(), number()]), .timestampList([.min]),
            .bytesList([bytes(), bytes()]), .referenceList([reference(), reference()]),
            .locationList([location(), location()]), .assetList([asset()]),
            .unknown(type: "ENCRYPTED_BYTES", json: Array("\"QUJD\"".utf8)),
        ]
        return values.randomElement(using: &random)!
    }
}
