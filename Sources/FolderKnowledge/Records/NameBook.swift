import RecordPaths
package import RecordTrees
package import SyncModel

/// The names of the records that new files are to have: each path's own, no two the same, and none that the zone has.
package struct NameBook: Sendable {
    private var names: [FolderPath: RecordName] = [:]

    /// Of no file.
    package init() {}

    /// Gives each of some new files the first of its path's names that is free.
    package init(of paths: some Collection<FolderPath>, in trees: SyncTrees) {
        names.reserveCapacity(paths.count)
        var given: Set<RecordName> = []
        for path in paths where names[path] == nil {
            let name = Self.freeName(of: path, in: trees, given: given)
            names[path] = name
            given.insert(name)
        }
    }

    /// The name that a new file was given; `nil` where none was.
    package func givenName(of path: FolderPath) -> RecordName? {
        names[path]
    }

    /// The name that a new file was given; of another one, the name that it would be given by itself.
    package func name(of path: FolderPath, in trees: SyncTrees) -> RecordName {
        names[path] ?? Self.freeName(of: path, in: trees, given: [])
    }

    private static func freeName(of path: FolderPath, in trees: SyncTrees, given: Set<RecordName>) -> RecordName {
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
