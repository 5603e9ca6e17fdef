import SyncModel
import Testing

@testable import FolderWatching

@Suite("Which directory has which watch")
struct WatchTreeTests {
    struct Row: CustomTestStringConvertible, Sendable {
        /// Directories with their watches, the folder itself aside.
        var watches: KeyValuePairs<String, Int32>
        /// Those whose events were lost, and that are gone.
        var lost: [Int32] = []
        /// The watch that a scan finds elsewhere.
        var watch: Int32
        var place: String
        /// The directories that are known afterwards.
        var expected: [String]

        var testDescription: String {
            "\(watches.first { $0.value == watch }?.key ?? "") is at \(place), \(lost.count) lost"
        }
    }

    @Test(
        "A directory that is found elsewhere keeps its watch there, and is nowhere else",
        arguments: [
            Row(watches: ["a": 2, "b": 3], watch: 3, place: "a", expected: ["a"]),
            Row(watches: ["a": 2], watch: 2, place: "b/c", expected: ["b/c"]),
            Row(watches: ["a": 2, "a/b": 3], watch: 2, place: "a", expected: ["a", "a/b"]),
            // `mv a/b t; rmdir a; mv t a`, all of it unseen.
            Row(watches: ["a": 2, "a/b": 3], lost: [2], watch: 3, place: "a", expected: ["a"]),
            Row(watches: ["a": 2, "a/b": 3, "a/b/c": 4], lost: [2, 3], watch: 4, place: "a", expected: ["a"]),
            Row(watches: ["a": 2, "a/b": 3, "a/b/c": 4], lost: [2, 3], watch: 4, place: "a/b", expected: ["a/b"]),
            Row(watches: ["a": 2, "a/b": 3, "a/c": 4], lost: [2], watch: 3, place: "a", expected: ["a", "a/c"]),
        ])
    func found(row: Row) throws {
        let root = RootID(number: 1)
        var tree = WatchTree()
        tree.addRoot(root)
        _ = tree.setWatch(1, root, nil, identity(1))
        for (path, watch) in row.watches { _ = tree.setWatch(watch, root, FolderPath(path), identity(watch)) }
        for watch in row.lost { tree.clearWatch(watch) }

        let place = try #require(FolderPath(row.place))
        _ = tree.setWatch(row.watch, root, place, identity(row.watch))

        let node = try #require(tree.node(root, place))
        #expect(tree.node(watch: row.watch) == node)
        #expect(tree.holds(node, identity(row.watch)))
        var watched: [String] = []
        tree.forEach(in: root) { path, state in
            if case .watched = state, let path { watched.append("\(path)") }
        }
        #expect(watched.sorted() == row.expected)
    }

    private func identity(_ watch: Int32) -> DirectoryIdentity { DirectoryIdentity(device: 1, inode: UInt64(watch)) }
}
