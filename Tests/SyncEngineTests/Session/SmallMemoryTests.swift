import RecordTrees
import SeededRandomness
import StateRows
import StateStorage
import SyncModel
import SyncPlanning
import SyncTiming
import Testing

@testable import SessionCore
@testable import SyncActions
@testable import SyncEngine
@testable import ZoneFetching

@Suite("What a session keeps in mind")
struct SmallMemoryTests {
    private static let path = FolderPath("p.png")!
    private static let name = RecordName("Note/a")

    @Test(
        "A file that came with another record is sent after 15 to 30 s, and at once where none came",
        arguments: 0..<UInt64(20))
    func arrivals(seed: UInt64) {
        let random = SharedRandomness(SeededGenerator(seed: seed))
        let arrivals = SharedArrivals()
        #expect(arrivals.due(Self.path, now: SteadyInstant.at(100)) == SteadyInstant.at(100))
        arrivals.note(Self.path, now: SteadyInstant.at(100), using: random)
        let due = arrivals.due(Self.path, now: SteadyInstant.at(100))
        #expect((SteadyInstant.at(115)...SteadyInstant.at(130)).contains(due))
        arrivals.forgetDue(now: SteadyInstant.at(114))
        #expect(arrivals.due(Self.path, now: SteadyInstant.at(114)) == due)
        arrivals.forgetDue(now: SteadyInstant.at(130))
        #expect(arrivals.due(Self.path, now: SteadyInstant.at(131)) == SteadyInstant.at(131))
    }

    @Test("An answer is believed only where the credentials neither changed nor change since the question")
    func credentials() {
        var changes = CredentialChanges()
        let asked = changes.generation
        #expect(!changes.isStale(asked))
        changes.begin()
        #expect(changes.isStale(asked) && changes.isStale(changes.generation), "they change")
        changes.end(isGivenUp: true)
        #expect(changes.isStale(asked) && !changes.isStale(changes.generation))
        let askedAgain = changes.generation
        changes.begin()
        changes.end(isGivenUp: false)
        #expect(changes.isStale(askedAgain) && !changes.isStale(changes.generation))
    }

    @Test("What was kept before a deletion is not kept again, unless the record changed since")
    func deletedVersions() throws {
        func base(_ number: UInt8) throws -> BaseEntry {
            BaseEntry(
                name: Self.name, recordType: "Note", path: FolderPath("Note/a.json")!,
                hash: try #require(ContentHash(bytes: repeatElement(number, count: 32))), changeTag: "\(number)",
                file: FileIdentity(device: 1, inode: 2))
        }
        var trees = SyncTrees(fileRecordType: "File") { path, _, _ in path }
        trees.setBase(try base(1), named: Self.name)
        let versions = DeletedVersions()
        versions.noteAssets(of: Self.name, tag: "1")
        #expect(versions.hasAssets(of: Self.name, tag: "1") && !versions.hasAssets(of: Self.name, tag: "2"))
        // Its file is gone, and it lets go of others before it is deleted itself.
        let lettingGo = Outcome(base: .agreed(try base(2), document: nil))
        #expect(versions.keeping(before: lettingGo, in: trees, now: 5) == .init(.deletedHere, atMilliseconds: 5))
        let kept = (0..<2).map { _ in versions.keeping(before: Outcome(base: .removed(Self.name)), in: trees, now: 6) }
        #expect(kept == [nil, .init(.deletedHere, atMilliseconds: 6)])
        #expect(!versions.hasAssets(of: Self.name, tag: "1"))
    }
}
