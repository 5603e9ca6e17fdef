import StateRows
import StateStorage
import SyncModel
import Testing

@testable import FolderKnowledge

@Suite("Saves without an answer")
struct UnansweredSavesTests {
    private static let name = RecordName("a")

    private static func hash(_ number: UInt8) -> ContentHash { ContentHash(bytes: repeatElement(number, count: 32))! }

    private static func version(_ number: UInt8) -> SentVersion {
        SentVersion(
            entry: BaseEntry(
                name: name, recordType: "File", path: FolderPath("a")!, hash: hash(number), changeTag: "",
                file: FileIdentity(device: 1, inode: 1)), document: nil)
    }

    private func hashes(_ saves: UnansweredSaves) -> [ContentHash] { saves[Self.name].map(\.entry.hash) }

    @Test("The last versions of a record are known again, each once, the newest last")
    func versions() {
        var saves = UnansweredSaves()
        for number in [1, 2, 3, 2, 4, 5] as [UInt8] { saves.note(Self.version(number)) }
        #expect(hashes(saves) == [3, 2, 4, 5].map(Self.hash))
        #expect(saves[RecordName("b")].isEmpty && saves.names == [Self.name])
    }

    @Test("A refusal tells that the server has not what was sent once, and nothing of what was sent before")
    func refusals() {
        var saves = UnansweredSaves(stored: [Self.version(1)])
        saves.note(Self.version(2))
        saves.note(Self.version(3))
        saves.note(Self.version(3))
        // An earlier run sent the first, the third went out twice, and the last never.
        let isForgotten = ([1, 2, 3, 4] as [UInt8]).map { saves.forget(Self.hash($0), of: Self.name) }
        #expect(isForgotten == [false, true, false, false])
        #expect(hashes(saves) == [1, 3].map(Self.hash))
    }

    @Test("What became of a record is known: nothing waits for it any more")
    func known() {
        var saves = UnansweredSaves(stored: [Self.version(1)])
        saves.keep(only: [Self.name])
        #expect(!saves.isEmpty)
        saves.keep(only: [])
        #expect(saves.isEmpty)
        saves.note(Self.version(1))
        let isForgotten = saves.forget(Self.hash(1), of: Self.name)
        #expect(isForgotten && saves.isEmpty)
        saves.note(Self.version(1))
        saves.forget(Self.name)
        #expect(saves.isEmpty)
    }
}
