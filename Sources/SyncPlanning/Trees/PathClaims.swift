public import SyncModel

/// Which record holds which path, where several want the same one.
///
/// A record claims the path that its path attribute or its name gives. The older one (created, then record name)
/// holds it; the others, and a record whose claim is a folder on another's path, are displaced to a path of their
/// own. The outcome depends on the set of records alone, so it is the same on every device.
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

    private var claimants: [FolderPath: Claimants] = [:]
    /// How many claims lie below a folder.
    private var below: [FolderPath: Int] = [:]
    let displaced: @Sendable (FolderPath, RecordName) -> FolderPath

    /// - Parameter displaced: The path of a record that does not hold the one it claims.
    public init(displaced: @escaping @Sendable (FolderPath, RecordName) -> FolderPath) {
        self.displaced = displaced
    }

    /// The records that claim a path, the one that holds it first.
    public func claimants(of path: FolderPath) -> [RecordName] {
        switch claimants[path] {
        case nil: []
        case .one(let claim): [claim.name]
        case .several(let claims): claims.map(\.name)
        }
    }

    /// Where a record with this claim is shown.
    public func path(of entry: RemoteEntry) -> FolderPath {
        let holds =
            switch claimants[entry.path] {
            case nil: true
            case .one(let claim): claim.name == entry.name
            case .several(let claims): claims.first?.name == entry.name
            }
        return holds && below[entry.path] == nil ? entry.path : displaced(entry.path, entry.name)
    }

    /// Adds a claim and gives the records whose path may have changed by it.
    mutating func add(_ entry: RemoteEntry) -> [RecordName] {
        let claim = Claim(created: entry.createdMilliseconds, name: entry.name)
        switch claimants[entry.path] {
        case nil: claimants[entry.path] = .one(claim)
        case .one(let other): claimants[entry.path] = .several([other, claim].sorted())
        case .several(var claims):
            claims.append(claim)
            claims.sort()
            claimants[entry.path] = .several(claims)
        }
        return claimants(of: entry.path) + count(entry.path, by: 1)
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
        return claimants(of: entry.path) + count(entry.path, by: -1)
    }

    /// Counts a claim in or out of every folder above it, and gives the records that claim such a folder as a file.
    private mutating func count(_ path: FolderPath, by step: Int) -> [RecordName] {
        var affected: [RecordName] = []
        var folder = path.parent
        while let current = folder {
            let count = (below[current] ?? 0) + step
            below[current] = count == 0 ? nil : count
            affected += claimants(of: current)
            folder = current.parent
        }
        return affected
    }
}
