import SeededRandomness
import SyncModel
import SyncPlanning

/// A folder and a zone that agreed, and went apart: a seed says how.
struct RandomWorld {
    private static let paths = ["a", "b", "c", "d/a", "d/b", "e/f/a"].map { FolderPath("\($0).txt")! }

    private(set) var world = PlannedWorld()
    /// The bytes that somebody wrote after both sides agreed.
    private(set) var edits: Set<ContentHash> = []
    private var random: SeededGenerator
    private var written: UInt8 = 0

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        for (number, path) in Self.paths.shuffled(using: &random).prefix(Int.random(in: 0...6, using: &random))
            .enumerated()
        {
            let name = RecordName("r\(number)")
            let hash = newContent()
            world.putFile(hash, at: path)
            world.saveRecord(name, hash, path: path, created: Int64.random(in: 1...3, using: &random))
            world.agree(on: name, at: path)
        }
        // As it is at rest, nothing is marked.
        _ = world.plan()
        edits = []
        for _ in 0..<Int.random(in: 0...6, using: &random) {
            if Bool.random(using: &random) { actHere() } else { actThere() }
        }
    }

    /// Bytes that nobody has yet.
    private mutating func newContent() -> ContentHash {
        written += 1
        let hash = ContentHash(bytes: repeatElement(written, count: 32))!
        edits.insert(hash)
        return hash
    }

    private mutating func anyFile() -> FolderPath? { world.folder.keys.sorted().randomElement(using: &random) }

    private mutating func actHere() {
        let target = Self.paths.randomElement(using: &random)!
        guard let path = anyFile() else { return world.putFile(newContent(), at: target) }
        switch Int.random(in: 0..<9, using: &random) {
        case 0: world.putFile(newContent(), at: target)
        case 1: world.putFile(newContent(), at: path)
        case 2: world.edit(path, to: newContent())
        case 3: world.removeFile(path)
        case 4, 5: if path != target { world.rename(path, to: target) }
        case 6: world.putFile(world.folder[path]!, at: target)
        case 7: swap(path, anyFile()!)
        default: moveFolder(path.parent)
        }
        forgetOverwritten()
    }

    private mutating func swap(_ path: FolderPath, _ other: FolderPath) {
        guard path != other else { return }
        let aside = FolderPath("aside")!
        world.rename(path, to: aside)
        world.rename(other, to: path)
        world.rename(aside, to: other)
    }

    /// Gives a folder another name.
    private mutating func moveFolder(_ folder: FolderPath?) {
        guard let folder else { return }
        for path in world.folder.keys.sorted() where path.parent == folder {
            let leaf = path.description.dropFirst(folder.description.count + 1)
            world.rename(path, to: FolderPath("\(folder)-moved/\(leaf)")!)
        }
    }

    private mutating func actThere() {
        let target = Self.paths.randomElement(using: &random)!
        guard let name = world.contents.keys.sorted().randomElement(using: &random), Bool.random(using: &random) else {
            let created = Int64.random(in: 1...3, using: &random)
            return world.saveRecord(RecordName("s\(written)"), newContent(), path: target, created: created)
        }
        switch Int.random(in: 0..<4, using: &random) {
        case 0: world.saveRecord(name, newContent())
        case 1: world.removeRecord(name)
        case 2: world.saveRecord(name, world.contents[name]!, path: target)
        default: world.saveRecord(name, newContent(), path: target)
        }
        forgetOverwritten()
    }

    /// What its author wrote over, or deleted, need not be anywhere.
    private mutating func forgetOverwritten() {
        edits.formIntersection(Set(world.folder.values).union(world.contents.values))
    }
}
