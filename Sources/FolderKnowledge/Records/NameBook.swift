import RecordPaths
package import RecordTrees
package import SyncModel

/// The names of the records that new files are to have: each path's own, no two the same, and none that the zone has.
package struct NameBook: Sendable {
    private var names: [FolderPath: RecordName] = [:]
    private var given: Set<RecordName> = []

    package init() {}

    /// Gives a new file the first of its path's names that is free.
    package mutating func giveName(to path: FolderPath, in trees: SyncTrees) {
        guard names[path] == nil else { return }
        let name = name(of: path, in: trees)
        names[path] = name
        given.insert(name)
    }

    /// The name that a new file was given; `nil` where none was.
    package func givenName(of path: FolderPath) -> RecordName? {
        names[path]
    }

    /// The name that a new file was given; of one that is not sent yet, the one that it would be given now.
    package func name(of path: FolderPath, in trees: SyncTrees) -> RecordName {
        if let name = names[path] { return name }
        let isStructured =
            switch trees.local[path]?.form {
            case .file, .unfit: false
            case .structured, .held, nil: true
            }
        var attempt = 0
        while true {
            let name = RecordNaming.recordName(for: path, isStructured: isStructured, attempt: attempt)
            if trees.remote[name] == nil, trees.base[name] == nil, !given.contains(name) { return name }
            attempt += 1
        }
    }
}
