public import SyncModel

/// The provenance of files by their paths, and which of it is not stored yet.
///
/// Few files have any: only those at which several records, or several people, met.
public struct ProvenanceIndex: Sendable {
    private var entries: [FolderPath: Provenance] = [:]
    private var unstored: Set<FolderPath> = []
    /// Files that a person took out of a record.
    private(set) var takenOut: Set<FolderPath> = []
    /// Where files were that may come to sight in other places.
    private var partedPaths: [FileIdentity: FolderPath] = [:]
    /// Where the own files of records were moved to.
    package private(set) var moves: [RecordName: FolderPath] = [:]
    /// Where files came to sight since the last plan.
    private var sights: [FileIdentity: FolderPath] = [:]
    /// What parted before the last look at the whole folder ended, and before the one before it did.
    private var partedBefore: (last: [FolderPath: AgreedFile], secondLast: [FolderPath: AgreedFile]) = ([:], [:])

    init() {}

    /// What is known of a path; nothing where nothing is remembered.
    public internal(set) subscript(path: FolderPath) -> Provenance {
        get { entries[path] ?? Provenance() }
        set {
            let old = self[path]
            guard newValue != old else { return }
            forget(old, at: path)
            entries[path] = newValue.isEmpty ? nil : newValue
            note(newValue, at: path)
            unstored.insert(path)
        }
    }

    /// Whether anything is known of a path.
    func knows(_ path: FolderPath) -> Bool { entries[path] != nil }

    /// Whether nothing is known of any path.
    var isEmpty: Bool { entries.isEmpty }

    /// All paths of which something is known, in no order.
    var paths: [FolderPath] { Array(entries.keys) }

    /// What changed since it was last stored; an empty one where nothing is to be remembered any more.
    public var changes: [FolderPath: Provenance] {
        Dictionary(uniqueKeysWithValues: unstored.map { ($0, self[$0]) })
    }

    /// The changes are stored.
    mutating func noteStored() { unstored = [] }

    /// Takes in what was stored.
    mutating func load(_ stored: [FolderPath: Provenance]) {
        entries = stored
        for (path, known) in stored { note(known, at: path) }
        // Nothing was done since that the first look of a start does not see.
        partedBefore = (parted, parted)
    }

    /// The record's file that this one was, before another took its place and it was seen nowhere.
    func parted(_ file: FileIdentity) -> AgreedFile? { partedPaths[file].flatMap { self[$0].parted } }

    /// Where a file came to sight since the last plan, in the place of another one; `nil` where it did not.
    func sight(of file: FileIdentity) -> FolderPath? { sights[file] }

    mutating func noteSight(of file: FileIdentity, at path: FolderPath) { sights[file] = path }

    mutating func forgetSights() { sights = [:] }

    /// A look at the whole folder came to its end: what parted before the second last one ended was looked for, and is gone.
    mutating func noteWholeLook() {
        for (path, file) in partedBefore.secondLast where self[path].parted == file { self[path].parted = nil }
        partedBefore = (parted, partedBefore.last)
    }

    private var parted: [FolderPath: AgreedFile] { entries.compactMapValues(\.parted) }

    private mutating func note(_ known: Provenance, at path: FolderPath) {
        if known.takenOut != nil { takenOut.insert(path) }
        if let file = known.parted?.file { partedPaths[file] = path }
        if let name = known.movedHere { moves[name] = path }
    }

    private mutating func forget(_ known: Provenance, at path: FolderPath) {
        takenOut.remove(path)
        if let file = known.parted?.file, partedPaths[file] == path { partedPaths[file] = nil }
        if let name = known.movedHere, moves[name] == path { moves[name] = nil }
    }

    mutating func removeAll() {
        for path in paths { self[path] = Provenance() }
    }
}
