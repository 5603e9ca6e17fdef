import SystemPackage
import Testing

@testable import CloudKitServer

@Suite("What a backup decides")
struct BackupDecisionTests {
    private static let (a, b, c): ([UInt8], [UInt8], [UInt8]) = ([1], [2], [3])

    @Test(
        "What is not there or of another size is copied, and what nobody names goes",
        arguments: [
            (named: [], present: [:], missing: [], unnamed: []),
            (named: [(a, 5)], present: [:], missing: [a], unnamed: []),
            (named: [(a, 5), (b, 0)], present: [a: 5, b: 0], missing: [], unnamed: []),
            (named: [(a, 5), (b, 6)], present: [a: 4, c: 6], missing: [a, b], unnamed: [c]),
            (named: [], present: [b: 1, a: 1], missing: [], unnamed: [a, b]),
        ] as [(named: [([UInt8], Int64)], present: [[UInt8]: Int64], missing: [[UInt8]], unnamed: [[UInt8]])])
    func plan(
        named: [([UInt8], Int64)], present: [[UInt8]: Int64], missing: [[UInt8]], unnamed: [[UInt8]]
    ) {
        let plan = BackupPlan(named: named.map { NamedAsset(sha256: $0.0, size: $0.1) }, present: present)
        #expect(plan.missing.map(\.sha256) == missing && plan.unnamed == unnamed)
        #expect(plan.missingBytes == named.filter { missing.contains($0.0) }.reduce(0) { $0 + $1.1 })
    }

    @Test(
        "The database is copied again until what it names is there, or was lost before it was copied",
        arguments: [
            ([[]], 1), ([[a], []], 2), ([[a], [a]], 2), ([[a, b], [b]], 2), ([[a], [b], [b]], 3),
            ([[a], [b], []], 3), ([[a], [b], [a], [b], [a]], 5),
        ] as [([Set<[UInt8]>], Int)])
    func rounds(lost: [Set<[UInt8]>], count: Int) {
        var rounds = BackupRounds()
        var made = 0
        for lost in lost {
            made += 1
            if rounds.isLast(lost: lost) { break }
        }
        #expect(made == count && made == lost.count)
    }

    /// A place, and how a backup comes there; `nil`: not at all, with words of the reason.
    struct Row: Sendable, CustomTestStringConvertible {
        var place: BackupPlace
        var use: BackupPlace.Use?
        var words = ""

        var testDescription: String { "\(place)" }

        static let all = [
            Row(place: .nothing, use: .new), Row(place: .emptyDirectory, use: .new),
            Row(place: .emptyDisk, words: "a disk is mounted"), Row(place: .file, words: "no directory"),
            Row(place: .otherThings, words: "something else"), Row(place: .openData, words: "served or changed"),
            Row(place: .data(mark(3, at: 3), isOwn: true), use: .refresh),
            Row(place: .data(mark(4, at: 3), isOwn: true), words: "served or changed"),
            Row(place: .data(mark(3, at: nil), isOwn: true), words: "served or changed"),
            Row(place: .data(mark(3, at: 3), isOwn: false), words: "another user"),
            Row(place: .data(mark(3, at: 3, of: [2]), isOwn: true), words: "another server"),
        ]

        private static func mark(_ starts: Int64, at backup: Int64?, of server: [UInt8] = [1]) -> ServerMark {
            ServerMark(server: server, starts: starts, startsAtBackup: backup)
        }
    }

    @Test("Only a free place and an earlier backup of the same server are written to", arguments: Row.all)
    func place(_ row: Row) {
        let source = ServerMark(server: [1], starts: 9, startsAtBackup: nil)
        do throws(ServerError) {
            #expect(try row.place.use(for: source, at: "/srv/backup") == row.use)
        } catch {
            #expect(row.use == nil && error.message.contains(row.words) && error.message.contains("/srv/backup"))
        }
    }
}
