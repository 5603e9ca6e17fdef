import FolderWriting
import LocalFolder
import SyncModel
import Testing

@testable import FolderHistory

@Suite("What was deleted since a time")
struct DeletedFilesTests {
    private static func version(_ path: String, until: Int64, _ reason: KeptReason?) -> KeptVersion {
        KeptVersion(
            HistoryEntry(
                path: FolderPath(path)!, bucket: "b", time: until, reason: reason, size: 1, modified: 1_000_000_000))
    }

    private static func deleted(
        _ versions: [KeptVersion], told: Set<String> = [], inZone: Set<String> = [], there: Set<String> = []
    ) -> DeletedFiles {
        func paths(_ names: Set<String>) -> Set<FolderPath> { Set(names.map { FolderPath($0)! }) }
        return DeletedFiles(
            among: versions, since: 50_700, told: paths(told), inZone: paths(inZone),
            isThere: { there.contains($0.description) })
    }

    @Test("Each file has its last version before the deletion, also one of that very second")
    func lastVersions() {
        let versions = [
            Self.version("b", until: 60, .deletedThere), Self.version("a", until: 50, .deletedHere),
            Self.version("b", until: 55, .changedThere), Self.version("c", until: 51, nil),
        ]
        #expect(Self.deleted(versions).versions == [versions[1], versions[0], versions[3]])
    }

    @Test("What was deleted before is no such file, and neither is what was changed, or stands there again")
    func others() {
        let versions = [
            Self.version("back", until: 60, .deletedHere), Self.version("renamed", until: 60, .changedHere),
            Self.version("early", until: 49, .deletedHere),
        ]
        let deleted = Self.deleted(versions, there: ["back"])
        #expect(deleted.versions.isEmpty && deleted.inZone.isEmpty && deleted.notKept.isEmpty)
    }

    @Test("One whose last version is elsewhere is named, and gets no older one in its place")
    func lastElsewhere() {
        let versions = [
            Self.version("waits", until: 60, .deletedHere), Self.version("lost", until: 60, .changedThere),
            Self.version("older", until: 30, .deletedHere),
        ]
        let deleted = Self.deleted(
            versions, told: ["lost", "older", "never kept", "back"], inZone: ["waits"], there: ["back"])
        #expect(deleted.versions.isEmpty)
        #expect(deleted.inZone.map(\.description) == ["waits"])
        #expect(deleted.notKept.map(\.description) == ["lost", "never kept", "older"])
    }
}
