import CloudKitWire
import SeededRandomness
import Testing

@testable import WireCoding

@Suite("Damaged messages")
struct DamageTests {
    static let page: [UInt8] = {
        var fields: [String: Field] = [:]
        for (number, row) in FieldValueTests.values.enumerated() { fields["f\(number)"] = Field(row.0) }
        var record = RecordMessageTests.saved
        record.fields = fields
        let page = ZoneChanges(
            zoneID: ZoneMessageTests.folder, syncToken: "t", moreComing: true,
            records: [.success(record), .failure(RecordMessageTests.conflict), .success(RecordMessageTests.gone)])
        return ZoneChangesResponse(zones: [.success(page)]).encoded()
    }()

    /// Other tokens than the right ones, so that the damage is mostly one of meaning and not of syntax.
    static let tokens = [
        "null", "1", "-0", "1.5", "1e400", "\"\"", "\"x\"", "{}", "[]", "true", "{\"value\":1}", "[null]",
    ]

    @Test(
        "A damaged page is refused with a reason, or means what it says when written again", arguments: 0..<UInt64(100))
    func damaged(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<10 {
            var bytes = Self.page
            let colons = bytes.indices.filter { bytes[$0] == UInt8(ascii: ":") }
            let start = colons.randomElement(using: &random)! + 1
            let end =
                bytes[start...].firstIndex { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "}") } ?? bytes.endIndex
            bytes.replaceSubrange(start..<end, with: Self.tokens.randomElement(using: &random)!.utf8)
            do {
                let decoded = try ZoneChangesResponse.decode(bytes)
                #expect(try ZoneChangesResponse.decode(decoded.encoded()) == decoded)
                #expect(try ZoneChangesResponse.decode(decoded.encoded(numbersAsStrings: true)) == decoded)
            } catch {
                #expect(!error.message.isEmpty)
            }
        }
    }
}
