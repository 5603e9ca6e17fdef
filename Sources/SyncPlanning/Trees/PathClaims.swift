public import SyncModel

/// Which record holds which path, where several want the same one.
///
/// A record claims the path that its path attribute or its name gives. The older one (created, then record name)
/// holds it; the others, and a record whose claim is a folder on another's path, are displaced to a path of their
/// own that nobody claims. The outcome depends on the set of records alone, so it is the same on every device.
public struct PathClaims: Sendable {
    private struct Claim: Comparable, Sendable {
        let created: Int64
        let name: RecordName

        static func < (left: Self, right: Self) -> Bool {
            (left.created, left.name) < (right.created, right.name)
        }
    }

    /// Most paths have one claimant: keep that one without an array.
    private enum Claimants: Sendable {
        case one(Claim)
        case several([Claim])
    }

    /// A record that does not hold what it claims.
    private struct Displacement: Sendable {
        let claimed: FolderPath
        /// The places that it was to have, one after the other; it is shown at the last.
        let places: [FolderPath]
    }

    private var claimants: [FolderPath: Claimants] = [:]
    /// How many claims lie below a folder.
    private var below: [FolderPath: Int] = [:]
    private var displacements: [RecordName: Displacement] = [:]
    /// The displaced records that have a place among theirs, be it taken or not.
    private var candidates: [FolderPath: Set<RecordName>] = [:]
    private let displaced: @Sendable (FolderPath, RecordName, Int) -> FolderPath
    /// Places that are tried for a displaced record.
    private static let attempts = 16

    /// - Parameter displaced: The path of a record that does not hold the one it claims. It is asked with 1, and where
    ///   others claim that path with 2, 3 …, which give others.
    public init(displaced: @escaping @Sendable (FolderPath, RecordName, Int) -> FolderPath) {
        self.displaced = displaced
    }

    /// The places beside a path that a record may have, the first choice first.
    public func places(of name: RecordName, beside path: FolderPath) -> some Sequence<FolderPath> {
        (1...Self.attempts).lazy.map { displaced(path, name, $0) }
    }

    /// The records that claim a path, the one that holds it first.
    public func claimants(of path: FolderPath) -> [RecordName] {
        switch claimants[path] {
        case nil: []
        case .one(let claim): [claim.name]
        case .several(let claims): claims.map(\.name)
        }
    }

    /// Whether any record claims a path below a folder.
    func isClaimed(below folder: FolderPath) -> Bool { below[folder] != nil }

    /// Where a record with this claim is shown.
    public func path(of entry: RemoteEntry) -> FolderPath {
        displacements[entry.name]?.places.last ?? entry.path
    }

    /// The displaced records that are shown at a path, or would be were it not claimed.
    func displacedRecords(at path: FolderPath) -> Set<RecordName> {
        candidates[path] ?? []
    }

    /// Whether a record holds a path that no other one has to do with, be it displaced to there or below it.
    func isHeld(_ path: FolderPath, by name: RecordName) -> Bool {
        guard case .one(let claim)? = claimants[path] else { return false }
        return claim.name == name && below[path] == nil && candidates[path] == nil
    }

    /// Whether no record has to do with a path or one below it.
    func isUnclaimed(_ path: FolderPath) -> Bool {
        claimants[path] == nil && below[path] == nil && candidates[path] == nil
    }

    /// Adds a claim and gives the records whose path may have changed by it.
    mutating func add(_ entry: RemoteEntry) -> [RecordName] {
        insert(entry)
        return place(afterChangeAt: entry.path, by: 1)
    }

    /// Adds many claims to none.
    mutating func add(_ entries: [RemoteEntry]) {
        claimants.reserveCapacity(entries.count)
        for entry in entries { insert(entry) }
        for (folder, number) in FolderCount(entries.lazy.map(\.path)).files { _ = count(folder, by: number) }
        for entry in entries where !isHeld(entry.path, by: entry.name) { place(entry.name, claiming: entry.path) }
    }

    private mutating func insert(_ entry: RemoteEntry) {
        let claim = Claim(created: entry.createdMilliseconds, name: entry.name)
        switch claimants[entry.path] {
        case nil: claimants[entry.path] = .one(claim)
        case .one(let other): claimants[entry.path] = .several([other, claim].sorted())
        case .several(var claims):
            claims.append(claim)
            claims.sort()
            claimants[entry.path] = .several(claims)
        }
    }

    /// Takes a claim away and gives the records whose path may have changed by it.
    mutating func remove(_ entry: RemoteEntry) -> [RecordName] {
        switch claimants[entry.path] {
        case nil: return []
        case .one: claimants[entry.path] = nil
        case .several(let claims):
            let rest = claims.filter { $0.name != entry.name }
            claimants[entry.path] = rest.count == 1 ? .one(rest[0]) : .several(rest)
        }
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
            if claimants[candidate] == nil, below[candidate] == nil { break }
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
