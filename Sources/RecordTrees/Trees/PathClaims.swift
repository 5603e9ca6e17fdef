public import SyncModel

/// Which record holds which path, where several want the same one.
///
/// A record claims the path that its path attribute or its name gives. The older one (created, then record name)
/// holds it; the others, and a record whose claim is a folder on another's path, are displaced to a path of their
/// own that nobody claims. The outcome depends on the set of records alone, so it is the same on every device.
public struct PathClaims: Sendable {
    /// A record that does not hold what it claims.
    private struct Displacement: Sendable {
        let claimed: FolderPath
        /// The places that it was to have, one after the other; it is shown at the last.
        let places: [FolderPath]
    }

    /// The records that claim paths.
    private(set) var records: TreeTable<RemoteEntry>
    /// Rows of the records by the paths that they claim.
    private var rowsByPath: RowIndex
    /// How many claims lie below a folder.
    private var below: [FolderPath: Int] = [:]
    private var displacements: [RecordName: Displacement] = [:]
    /// The displaced records that have a place among theirs, be it taken or not.
    private var candidates: [FolderPath: Set<RecordName>] = [:]
    /// Of what is being loaded, the paths that several claim, and how many claims are in a folder.
    private var loaded: (contested: Set<FolderPath>, folders: FolderCount) = ([], FolderCount())
    private let displaced: @Sendable (FolderPath, RecordName, Int) -> FolderPath
    /// Places that are tried for a displaced record.
    private static let attempts = 16

    /// - Parameter displaced: The path of a record that does not hold the one it claims. It is asked with 1, and where
    ///   others claim that path with 2, 3 …, which give others.
    init(
        in memory: any RowMemory, displaced: @escaping @Sendable (FolderPath, RecordName, Int) -> FolderPath
    ) {
        records = TreeTable(in: memory)
        rowsByPath = RowIndex(in: memory)
        self.displaced = displaced
    }

    /// The places beside a path that a record may have, the first choice first.
    public func places(of name: RecordName, beside path: FolderPath) -> some Sequence<FolderPath> {
        (1...Self.attempts).lazy.map { displaced(path, name, $0) }
    }

    /// The records that claim a path, the one that holds it first.
    public func claimants(of path: FolderPath) -> [RecordName] {
        guard let first = row(at: path) else { return [] }
        // Most paths have one.
        guard row(at: path, besides: first) != nil else { return records.entry(inRow: first).map { [$0.name] } ?? [] }
        let all = rowsByPath.rows(path.hashValue) { isClaim($0, to: path) }.compactMap(records.entry)
        return all.sorted(by: Self.isOlder).map(\.name)
    }

    private static func isOlder(_ left: RemoteEntry, _ right: RemoteEntry) -> Bool {
        (left.createdMilliseconds, left.name) < (right.createdMilliseconds, right.name)
    }

    private func isClaim(_ row: Int, to path: FolderPath) -> Bool { records.row(row, isAt: path) }

    /// A claim to a path, of several any but the one that is excepted.
    private func row(at path: FolderPath, besides other: Int? = nil) -> Int? {
        rowsByPath.row(path.hashValue) { $0 != other && isClaim($0, to: path) }
    }

    /// Whether any record claims a path below a folder.
    package func isClaimed(below folder: FolderPath) -> Bool { below[folder] != nil }

    /// Where a record with this claim is shown.
    public func path(of entry: RemoteEntry) -> FolderPath {
        displacements[entry.name]?.places.last ?? entry.path
    }

    /// Of each displaced record the path that it claims, and the one where it is shown.
    var displacedClaims: some Sequence<(claimed: FolderPath, shown: FolderPath)> {
        displacements.values.lazy.compactMap { displacement in
            displacement.places.last.map { (displacement.claimed, $0) }
        }
    }

    /// The displaced records that are shown at a path, or would be were it not claimed.
    func displacedRecords(at path: FolderPath) -> Set<RecordName> {
        candidates[path] ?? []
    }

    /// Whether a record holds a path that no other one has to do with, be it displaced to there or below it.
    func belongs(_ path: FolderPath, onlyTo name: RecordName) -> Bool {
        var isClaimed = false
        let other = rowsByPath.row(path.hashValue) { row in
            guard isClaim(row, to: path) else { return false }
            guard records.row(row, isNamed: name) else { return true }
            isClaimed = true
            return false
        }
        return isClaimed && other == nil && below[path] == nil && candidates[path] == nil
    }

    /// Whether no record has to do with a path or one below it.
    func isUnclaimed(_ path: FolderPath) -> Bool {
        row(at: path) == nil && below[path] == nil && candidates[path] == nil
    }

    /// Adds a record that is not there and gives those whose path may have changed by its claim.
    mutating func add(_ entry: RemoteEntry) -> [RecordName] {
        rowsByPath.insert(records.add(entry), entry.path.hashValue)
        return place(afterChangeAt: entry.path, by: 1)
    }

    /// Puts a record in the place of one that claims the same path since the same time.
    mutating func replace(with entry: RemoteEntry) { records[entry.name] = entry }

    /// Takes in a record as it was stored. None has its place before the end of loading.
    mutating func load(_ entry: RemoteEntry) {
        // Most paths have one claim, and no other one is asked about.
        if row(at: entry.path) != nil { loaded.contested.insert(entry.path) }
        rowsByPath.insert(records.add(entry), entry.path.hashValue)
        loaded.folders.add(entry.path)
    }

    /// All records are loaded.
    mutating func endLoading() {
        for (folder, number) in loaded.folders.files { _ = count(folder, by: number) }
        let contested = loaded.contested.union(below.keys.filter { row(at: $0) != nil })
        loaded = ([], FolderCount())
        for path in contested {
            for name in claimants(of: path) { place(name, claiming: path) }
        }
    }

    /// Takes a record away and gives those whose path may have changed by it.
    mutating func remove(_ entry: RemoteEntry) -> [RecordName] {
        guard let row = records.row(of: entry.name) else { return [] }
        rowsByPath.remove(row, entry.path.hashValue)
        records[entry.name] = nil
        endDisplacement(of: entry.name)
        return place(afterChangeAt: entry.path, by: -1)
    }

    /// Finds a place for every record that a new or an ended claim may have to do with, and gives their names.
    private mutating func place(afterChangeAt path: FolderPath, by step: Int) -> [RecordName] {
        var affected: [(name: RecordName, claimed: FolderPath)] = []
        for place in [path] + count(path.parent, by: step) {
            for name in claimants(of: place) { affected.append((name, place)) }
            for name in candidates[place] ?? [] { affected.append((name, displacements[name]!.claimed)) }
        }
        for (name, claimed) in affected { place(name, claiming: claimed) }
        return affected.map(\.name)
    }

    private mutating func place(_ name: RecordName, claiming path: FolderPath) {
        endDisplacement(of: name)
        guard claimants(of: path).first != name || below[path] != nil else { return }
        var tried: [FolderPath] = []
        for candidate in places(of: name, beside: path) {
            tried.append(candidate)
            candidates[candidate, default: []].insert(name)
            if row(at: candidate) == nil, below[candidate] == nil { break }
        }
        displacements[name] = Displacement(claimed: path, places: tried)
    }

    private mutating func endDisplacement(of name: RecordName) {
        for place in displacements.removeValue(forKey: name)?.places ?? [] {
            candidates[place]?.remove(name)
            if candidates[place]?.isEmpty == true { candidates[place] = nil }
        }
    }

    /// Counts claims in or out of a folder and every one above it, and gives those that hold one now and did not, or the
    /// other way around.
    private mutating func count(_ folder: FolderPath?, by step: Int) -> [FolderPath] {
        var changed: [FolderPath] = []
        var folder = folder
        while let current = folder {
            let count = (below[current] ?? 0) + step
            below[current] = count == 0 ? nil : count
            if count == 0 || count == step { changed.append(current) }
            folder = current.parent
        }
        return changed
    }
}
