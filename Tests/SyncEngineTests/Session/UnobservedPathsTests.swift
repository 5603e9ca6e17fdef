import RecordPaths
import RecordTrees
import SyncModel
import SyncPlanning
import SystemPackage
import Testing

@testable import FolderObserving
@testable import LocalFolder

@Suite("What a look could not look at")
struct UnobservedPathsTests {
    private static let folder = FolderPath("Folder")!
    private static let file = FolderPath("Folder/a.txt")!
    private static let other = FolderPath("b.txt")!

    private enum Found { case unreadable, skipped, nothing }

    private static func look(_ found: Found, at path: FolderPath) -> ScanResult {
        var result = ScanResult(rules: IgnoreRules())
        switch found {
        case .unreadable: result.add(unreadable: path, .permissionDenied)
        case .skipped: result.add(skipped: path, .symlink)
        case .nothing: break
        }
        return result
    }

    @Test("Nothing is known of what cannot be read, nor of what is below it, until a look covers it")
    func unreadable() {
        let paths = UnobservedPaths()
        let first = paths.take(Self.look(.unreadable, at: Self.folder), scope: .whole) { _ in nil }
        #expect(first.isEmpty)
        #expect(paths.isUnseen(Self.file) && paths.isUnobserved(by: IgnoreRules())(Self.file))
        #expect(!paths.isUnseen(Self.other))
        let elsewhere = paths.take(Self.look(.nothing, at: Self.other), scope: .paths([Self.other])) { _ in nil }
        #expect(elsewhere.isEmpty && paths.isUnreadable(Self.folder))
        let again = paths.take(Self.look(.nothing, at: Self.folder), scope: .paths([Self.folder])) { _ in nil }
        #expect(again == [Self.folder] && !paths.isUnseen(Self.file) && !paths.hasUnreadablePaths)
    }

    @Test("Nor of where a file was that cannot be read under its new name")
    func renamed() {
        let paths = UnobservedPaths()
        _ = paths.take(Self.look(.unreadable, at: Self.other), scope: .whole) { _ in Self.file }
        #expect(paths.isUnseen(Self.file))
        let seen = paths.take(Self.look(.nothing, at: Self.other), scope: .whole) { _ in nil }
        #expect(seen == [Self.file, Self.other])
    }

    @Test("Where a link stands is no file, and none below it, unless it is left out anyway")
    func obstacle() {
        let paths = UnobservedPaths()
        _ = paths.take(Self.look(.skipped, at: Self.folder), scope: .whole) { _ in nil }
        #expect(paths.isObstructed(by: IgnoreRules())(Self.file))
        #expect(!paths.isObstructed(by: IgnoreRules(text: "a.txt\n".utf8))(Self.file))
        #expect(!paths.isObstructed(by: IgnoreRules())(Self.other))
    }

    @Test("A directory stands in a file's place as long as nothing is known below it")
    func directory() {
        var trees = SyncTrees(fileRecordType: "File") { path, name, attempt in
            PathMapping.displaced(path, recordName: name, attempt: attempt)
        }
        trees.setBase(
            BaseEntry(
                name: RecordName("Folder"), recordType: "File", path: Self.folder,
                hash: ContentHash(bytes: repeatElement(0, count: 32))!, changeTag: "1",
                file: FileIdentity(device: 1, inode: 1)),
            named: RecordName("Folder"))
        let paths = UnobservedPaths()
        var changed = paths.takeDirectories([nil, Self.folder], scope: .whole, in: trees)
        #expect(changed == [Self.folder])
        #expect(paths.obstacles(in: trees)[Self.folder]?.code == .pathBlocked)
        changed = paths.takeDirectories([], scope: .paths([Self.other]), in: trees)
        #expect(changed.isEmpty)
        changed = paths.takeDirectories([], scope: .paths([Self.folder]), in: trees)
        #expect(changed == [Self.folder])
        #expect(paths.obstacles(in: trees).isEmpty)
    }
}
