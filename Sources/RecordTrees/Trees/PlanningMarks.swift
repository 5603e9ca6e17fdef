package import SyncModel

/// The records and the paths that may need an action.
package struct PlanningMarks: Sendable {
    private(set) var records: Set<RecordName> = []
    private(set) var paths: Set<FolderPath> = []
    /// Whether anything was marked since the last plan.
    private(set) var isAnyNew = true

    /// None.
    init() {}

    /// Exactly these.
    init(records: Set<RecordName>, paths: Set<FolderPath>) {
        self.records = records
        self.paths = paths
    }

    var isEmpty: Bool { records.isEmpty && paths.isEmpty }

    mutating func insert(_ name: RecordName) {
        records.insert(name)
        isAnyNew = true
    }

    mutating func insert(_ path: FolderPath) {
        paths.insert(path)
        isAnyNew = true
    }

    package mutating func insert(_ names: some Sequence<RecordName>) {
        for name in names { insert(name) }
    }

    /// All was planned. Drops the marks of what needs nothing.
    package mutating func remove(records: some Sequence<RecordName>, paths: some Sequence<FolderPath>) {
        self.records.subtract(records)
        self.paths.subtract(paths)
        isAnyNew = false
    }
}
