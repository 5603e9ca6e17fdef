import SyncModel
import Testing

@testable import RecordSending

/// A file record whose bytes stay, as both sides agreed last, and the time that is sent with it.
struct TimeRow: Sendable {
    var standing: BaseEntry.Standing
    var file: Int64
    var known: Int64?
    var besidesOthers: Bool
    var sent: Int64?
}

@Suite("The time that is sent with a file record (invariant 14)")
struct TimeToSendTests {
    @Test(
        "A file that was put anew has another time than the zone knows; beside other fields none that it knows",
        arguments: [
            TimeRow(standing: .agreed, file: 5, known: 4, besidesOthers: true, sent: nil),
            TimeRow(standing: .agreed, file: 5, known: 4, besidesOthers: false, sent: nil),
            TimeRow(standing: .confirmed, file: 5, known: 4, besidesOthers: false, sent: nil),
            TimeRow(standing: .renewed, file: 5, known: 4, besidesOthers: false, sent: 5),
            TimeRow(standing: .renewed, file: 5, known: nil, besidesOthers: true, sent: 5),
            TimeRow(standing: .renewed, file: 5, known: 5, besidesOthers: false, sent: 6),
            TimeRow(standing: .renewed, file: 5, known: 5, besidesOthers: true, sent: 6),
            TimeRow(standing: .yielded, file: 5, known: 4, besidesOthers: true, sent: 5),
            TimeRow(standing: .yielded, file: 5, known: 5, besidesOthers: false, sent: 5),
            TimeRow(standing: .yielded, file: 5, known: 5, besidesOthers: true, sent: nil),
            TimeRow(standing: .renewedAsset, file: 5, known: nil, besidesOthers: true, sent: 5),
            TimeRow(standing: .renewedAsset, file: 5, known: 5, besidesOthers: true, sent: nil),
        ])
    func table(_ row: TimeRow) {
        let base = BaseEntry(
            name: RecordName("file"), recordType: "File", path: FolderPath("a.png")!,
            hash: ContentHash(bytes: repeatElement(1, count: 32))!, changeTag: "1",
            file: FileIdentity(device: 1, inode: 1, born: 0), standing: row.standing)
        #expect(
            base.timeToSend(ofFile: row.file, known: row.known, besidesOthers: row.besidesOthers) == row.sent)
    }
}
