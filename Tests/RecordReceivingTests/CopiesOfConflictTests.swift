import FolderWriting
import Foundation
import LocalFolder
import SyncModel
import SystemPackage
import Testing

@testable import RecordReceiving

@Suite("The conflict copies of one writing that does not come to its end")
struct CopiesOfConflictTests {
    private static let path = FolderPath("a.txt")!

    /// A folder with one file, of which a copy was made.
    private static func run(
        _ body: (_ copies: inout CopiesOfConflict, _ copy: FolderPath, _ root: FilePath) throws -> Void
    ) throws {
        let place = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(
            at: place.appending(path: ".zonefolder"), withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: place) }
        try Data("a person's".utf8).write(to: place.appending(path: path.description))
        let root = try FolderRoot(opening: FilePath(place.path))
        var copies = CopiesOfConflict(
            writer: try FolderWriter(root: root, device: "desk", clock: { 1_800_000_000_000_000_000 }))
        let stamp = try #require(FolderReader(root: root).stamp(of: path))
        let isMade = try copies.keep(path, expecting: stamp)
        #expect(isMade)
        let made = try names(in: place.path).first { $0.contains("conflict") }
        let copy = try #require(made.flatMap { FolderPath($0) })
        try body(&copies, copy, FilePath(place.path))
    }

    private static func names(in place: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: place)
    }

    @Test("A copy is taken back where the file is another one, and stays where it was replaced or is gone")
    func afterFailure() throws {
        for (reason, stays) in [
            (SupersededReason.changed, false), (.exists, false), (.overtaken, true), (.missing, true),
        ] {
            try Self.run { copies, copy, root in
                let kept = copies.given(afterFailureAt: Self.path, reason, and: nil)
                #expect(kept.map(\.copy) == (stays ? [copy] : []), "\(reason)")
                let isThere = try Self.names(in: root.string).contains(copy.description)
                #expect(isThere == stays, "\(reason)")
            }
        }
    }

    @Test("A copy in which the bytes were found that could not go back to their place stays, and is told of once")
    func foundInCopy() throws {
        try Self.run { copies, copy, root in
            let kept = copies.given(afterFailureAt: Self.path, .changed, and: copy)
            #expect(kept.map(\.copy) == [copy])
            let isThere = try Self.names(in: root.string).contains(copy.description)
            #expect(isThere)
        }
    }

    @Test(
        "After an error a copy stays whose original is not in its place, and goes where it is",
        arguments: [true, false])
    func afterError(stands: Bool) throws {
        try Self.run { copies, copy, root in
            if !stands {
                try Data("the zone's".utf8).write(to: URL(filePath: root.string + "/a.txt"), options: .atomic)
            }
            #expect(copies.givenAfterError().map(\.copy) == (stands ? [] : [copy]))
            let isThere = try Self.names(in: root.string).contains(copy.description)
            #expect(isThere == !stands)
        }
    }
}
