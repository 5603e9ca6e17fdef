public import SyncModel

/// What is to be planned: whatever changed, and whatever has to do with that.
extension SyncTrees {
    /// Records that may need an action.
    public var dirtyRecords: Set<RecordName> { marks.records }
    /// Paths that may need an action.
    public var dirtyPaths: Set<FolderPath> { marks.paths }
    /// Whether any of them was marked since the last plan.
    package var hasNewMarks: Bool { marks.isAnyNew }

    /// Marks what the three trees differ in.
    mutating func markDifferences() {
        let trees = self
        let agreement = Agreement(trees)
        var records = Set(trees.base.keys { !agreement.contains($0) })
        if trees.remote.count > trees.base.count - records.count {
            records.formUnion(trees.remote.keys.lazy.filter { !trees.base.contains($0) })
        }
        // How many files all records have that both sides agree on, if no two have one in common.
        let agreedFileCount = trees.base.count + trees.agreed.byAsset.count
        // Each of the paths is a file's own where nothing differs: the usual start.
        guard !records.isEmpty || trees.local.count != agreedFileCount else { return }
        let paths = trees.local.keys.filter { path in
            if let name = trees.baseName(at: path) { return records.contains(name) }
            return trees.agreed.byAsset[path]?.contains { records.contains($0) } ?? true
        }
        marks = PlanningMarks(records: records, paths: Set(paths))
    }

    /// Drops the marks of what all sides say the same of, as a start sets none of it: after a large change that is most.
    package mutating func unmarkAgreed() {
        guard !marks.isEmpty else { return }
        let trees = self
        let agreement = Agreement(trees)
        let marked = trees.marks.records
        let records = marked.filter { name in !(trees.base[name].map(agreement.contains) ?? false) }
        func isAgreed(_ name: RecordName) -> Bool {
            if marked.contains(name) { return !records.contains(name) }
            return trees.base[name].map(agreement.contains) ?? false
        }
        let paths = trees.marks.paths.filter { path in
            if let name = trees.baseName(at: path) { return !isAgreed(name) }
            return !(trees.agreed.byAsset[path]?.allSatisfy(isAgreed) ?? false)
        }
        marks = PlanningMarks(records: records, paths: paths)
    }

    /// Marks everything: what is known of the folder or of the zone as a whole is another than before.
    public mutating func markAllDirty() {
        marks = PlanningMarks(records: Set(base.keys).union(remote.keys), paths: Set(local.keys))
    }

    /// Marks a record, to be planned again.
    public mutating func markDirty(record name: RecordName) { marks.insert(name) }

    /// Marks a path and the records that have to do with it, to be planned again.
    public mutating func markDirty(path: FolderPath) {
        marks.insert(path)
        if let name = baseName(at: path) { marks.insert(name) }
        if let names = rivals[path] { marks.insert(names) }
        if let names = agreed.byAsset[path] { marks.insert(names) }
        for name in claims.claimants(of: path) { marks.insert(name) }
        marks.insert(claims.displacedRecords(at: path))
        for owner in owners[path] ?? [] {
            marks.insert(owner)
            if let name = baseName(at: owner) { marks.insert(name) }
            for name in claims.claimants(of: owner) { marks.insert(name) }
        }
    }

    /// Marks the files that both sides know as assets of a record, and the records that these have of their own.
    package mutating func markAssets(of name: RecordName) {
        guard let entry = base[name] else { return }
        for asset in attached(to: entry) { markDirty(path: asset.path) }
    }

    /// The assets of a structured record may have records of their own, which wait for it.
    mutating func markRecords(ofAssets entry: BaseEntry) {
        for asset in entry.assets {
            if let name = baseName(at: asset.path), name != entry.name { marks.insert(name) }
            for name in claims.claimants(of: asset.path) { marks.insert(name) }
        }
    }
}
