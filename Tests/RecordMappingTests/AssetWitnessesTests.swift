import CloudKitWire
import RecordMapping
import SyncModel
import Testing

@Suite("What tells of an asset's bytes (reliability §4.26)")
struct AssetWitnessesTests {
    typealias Fetch = AssetWitnesses.Fetch

    /// Contents by a letter: each has a hash of its own, and 5 bytes.
    static func hash(_ letter: Character) -> ContentHash {
        ContentHash(bytes: repeatElement(letter.asciiValue!, count: 32))!
    }

    struct Row: CustomTestStringConvertible, Sendable {
        var fact: String
        var checksum: Character?
        var hint: Character?
        var sha256: Character?
        /// Letters of what came, the first over a shared connection, all others over fresh ones.
        var came: String
        var size: Int64 = 5
        var expected: AssetWitnesses.Verdict
        var testDescription: String { fact }
    }

    static func differs(_ witness: AssetWitnesses.Witness, _ expected: String, _ came: String) -> AssetWitnesses.Verdict
    {
        .refused(
            .hash(
                by: witness, expected: String(repeating: expected, count: 6), came: String(repeating: came, count: 6)))
    }

    // "a" is 61 in hexadecimal digits, "b" is 62, "c" is 63.
    static let rows = [
        Row(fact: "nothing tells", came: "x", expected: .accepted),
        Row(fact: "the length alone tells", came: "x", size: 4, expected: .fetchAgain),
        Row(fact: "another length again", came: "xx", size: 4, expected: .refused(.size(expected: 5, came: 4))),
        Row(fact: "every witness agrees", checksum: "a", hint: "a", sha256: "a", came: "a", expected: .accepted),
        Row(fact: "the checksum tells", checksum: "a", came: "b", expected: .fetchAgain),
        Row(fact: "the right bytes at the second try", checksum: "a", came: "ba", expected: .accepted),
        Row(fact: "the checksum says no twice", checksum: "a", came: "bb", expected: differs(.checksum, "61", "62")),
        Row(
            fact: "fetches that agree do not win over the checksum", checksum: "a", sha256: "b", came: "bbb",
            expected: differs(.checksum, "61", "62")),
        Row(fact: "a hint tells", hint: "a", came: "b", expected: .fetchAgain),
        Row(fact: "a hint says no twice", hint: "a", came: "bb", expected: differs(.hint, "61", "62")),
        Row(
            fact: "the server's checksum is surer than a hint", checksum: "a", hint: "b", came: "a", expected: .accepted
        ),
        Row(fact: "the record's hash tells", sha256: "a", came: "b", expected: .fetchAgain),
        Row(fact: "the record's hash, right at the second try", sha256: "a", came: "ba", expected: .accepted),
        Row(fact: "one fresh fetch agrees with one that was not", sha256: "a", came: "bb", expected: .fetchAgain),
        Row(
            fact: "two fresh fetches agree: the record's hash is left over", sha256: "a", came: "bbb",
            expected: .acceptedOverStaleHash),
        Row(
            fact: "two fresh fetches agree, whatever came first", sha256: "a", came: "cbb",
            expected: .acceptedOverStaleHash),
        Row(
            fact: "no two fresh fetches agree", sha256: "a", came: "bbc",
            expected: differs(.sha256, "61", "63")),
        Row(
            fact: "the checksum says that the record's hash is left over", checksum: "b", sha256: "a", came: "b",
            expected: .acceptedOverStaleHash),
    ]

    @Test("What is made of bytes that came", arguments: rows)
    func verdict(_ row: Row) {
        let content = Asset(fileChecksum: row.checksum.map { AssetChecksum(sha256: Self.hash($0).bytes).text }, size: 5)
        var witnesses = AssetWitnesses(of: content, hints: nil)
        witnesses.hint = row.hint.map(Self.hash)
        witnesses.sha256 = row.sha256.map(Self.hash)
        let fetches = row.came.enumerated().map { index, letter in
            Fetch(size: row.size, hash: Self.hash(letter), isFresh: index > 0)
        }
        #expect(witnesses.verdict(on: fetches) == row.expected)
    }

    @Test("Nothing is accepted before it came")
    func nothing() {
        #expect(AssetWitnesses(of: Asset(fileChecksum: "AAAA", size: 5), hints: nil).verdict(on: []) == .fetchAgain)
    }

    @Test("Bytes that are here need not be fetched where the surest witness says that they are the asset's")
    func vouching() {
        let (a, b) = (Self.hash("a"), Self.hash("b"))
        let content = Asset(fileChecksum: AssetChecksum(sha256: a.bytes).text, size: 5)
        var file = FileRecord(fields: ["content": Field(.asset(content)), "sha256": Field(.string(b.hex))])
        #expect(AssetWitnesses(of: file).vouch(for: a, size: 5))
        #expect(!AssetWitnesses(of: file).vouch(for: b, size: 5))
        #expect(!AssetWitnesses(of: file).vouch(for: a, size: 4))
        file.content?.fileChecksum = "AAAA"
        #expect(AssetWitnesses(of: file).vouch(for: b, size: 5))
        #expect(!AssetWitnesses(of: file).vouch(for: b, size: 4))
        // Without a hash nobody can tell.
        #expect(!AssetWitnesses(of: Asset(fileChecksum: "AAAA", size: 5), hints: nil).vouch(for: a, size: 5))
    }
}
