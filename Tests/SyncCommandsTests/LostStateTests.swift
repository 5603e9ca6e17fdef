import ArgumentParser
import Foundation
import SyncModel
import SystemPackage
import Testing

@testable import SyncCommands

@Suite("Folders in folders, and folders without their state directory")
struct LostStateTests {
    /// A directory of its own, with these directories and empty files in it; names of directories end in a slash.
    private static func withPlace(_ names: String..., body: (FilePath) throws -> Void) throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "zf-lost-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: url) }
        for name in names {
            let directory = name.hasSuffix("/") ? name : name.split(separator: "/").dropLast().joined(separator: "/")
            try FileManager.default.createDirectory(
                at: url.appending(path: directory), withIntermediateDirectories: true)
            if !name.hasSuffix("/") { try Data().write(to: url.appending(path: name)) }
        }
        try body(AbsolutePath.resolved(FilePath(url.path)))
    }

    @Test("A copy of a folder in itself is a directory of it to whoever asks, and itself to who removes or stops it")
    func nested() throws {
        try Self.withPlace("Notes/.zonefolder/config.toml", "Notes/bak/.zonefolder/config.toml", "Notes/bak/top.txt") {
            place in
            let notes = place.appending("Notes")
            let copy = notes.appending("bak")
            let file = try FolderArgument.of(copy.appending("top.txt").string).place
            #expect(file.folder == notes && file.path == FolderPath("bak/top.txt"))
            let directory = try FolderArgument.of(copy.string)
            #expect(try directory.place.folder == notes && directory.place.path == FolderPath("bak"))
            #expect(try directory.nestedFolder == copy)
            #expect(try FolderArgument.of(notes.string).nestedFolder == nil)
            #expect(try FolderArgument.of(copy.appending("top.txt").string).nestedFolder == nil)
            #expect(try FolderArguments.parse([copy.string, notes.string]).folders == [copy, notes])

            let known = KnownFolders(file: place.appending("state").appending("folders"))
            try known.add([copy])
            #expect(try known.list().isEmpty)
            try known.add([copy, notes])
            #expect(try known.list() == [notes])
        }
    }

    @Test("A folder that has its files and no state directory is told from one that is not there, or is empty")
    func lost() throws {
        try Self.withPlace("Notes/a.txt", "mount/", "Synced/.zonefolder/config.toml") { place in
            let lost = place.appending("Notes")
            #expect(KnownFolders.hasLostState(lost))
            for name in ["mount", "Synced", "nowhere"] {
                #expect(!KnownFolders.hasLostState(place.appending(FilePath.Component(name)!)), "\(name)")
            }
            let line = FolderLine.gone(lost)
            #expect(line.verdict == "gone")
            #expect(line.reason.contains("its files are untouched"))
            #expect(line.remedy?.contains("zonefolder init \(lost)") == true)
            #expect(FolderLine.gone(place.appending("mount")).remedy?.hasPrefix("Mount its disk") == true)
            #expect(CommandFailure.noState(in: lost).message.contains("zonefolder init \(lost)"))
        }
    }
}
