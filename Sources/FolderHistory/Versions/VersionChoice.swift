import SyncModel

/// Which of a file's kept versions a person means.
public enum VersionChoice: Hashable, Sendable {
    case version(KeptVersion)
    /// Nothing that is kept took a place since that moment: what the folder has now is what it had then.
    case unchanged(newest: KeptVersion)
    /// The file did not stand there at that moment, or what it was then is not kept. The oldest that is kept of it, and whether
    /// a file was there for certain, since it took an older version's place.
    case notKept(oldest: KeptVersion, wasThere: Bool)
    /// No version of it is kept at all.
    case nothing

    /// Chooses among the versions of one path.
    /// - Parameters:
    ///   - versions: Newest first.
    ///   - moment: The version that stood there then, in milliseconds since 1970; one that was replaced in that very second
    ///     did. `nil`: the newest.
    public init(among versions: [KeptVersion], at moment: Int64?) {
        guard let newest = versions.first, let oldest = versions.last else {
            self = .nothing
            return
        }
        guard let moment else {
            self = .version(newest)
            return
        }
        let second = moment / 1000
        // Of several that were replaced in that second, the one that the moment tells; after all of them, the newest.
        let replacedThen = versions.filter { $0.replacedSecond == second }
        guard
            let version = replacedThen.last(where: { $0.replacedMilliseconds >= moment }) ?? replacedThen.first
                ?? versions.last(where: { $0.replacedMilliseconds >= moment })
        else {
            self = .unchanged(newest: newest)
            return
        }
        let isOfThen =
            version.replacedSecond == second || version.writtenSecond <= second || !version.isWrittenTimeKnown
        guard !isOfThen else {
            self = .version(version)
            return
        }
        let older = versions.first { $0.replacedMilliseconds < moment }
        self = .notKept(oldest: oldest, wasThere: older?.wasFollowed ?? false)
    }
}

extension KeptVersion {
    fileprivate var replacedSecond: Int64 { replacedMilliseconds / 1000 }
    fileprivate var writtenSecond: Int64 { writtenMilliseconds / 1000 }

    /// Anybody can set a file's modification time: one that lies after what took its place is not when it was written.
    fileprivate var isWrittenTimeKnown: Bool { writtenSecond <= replacedSecond }

    /// Whether another file took its place for certain, and not a deletion.
    fileprivate var wasFollowed: Bool {
        switch reason {
        case .changedThere, .changedHere, .restored: true
        case .deletedThere, .deletedHere, nil: false
        }
    }

    /// Whether a deletion took its place for certain.
    public var wasDeleted: Bool {
        switch reason {
        case .deletedThere, .deletedHere: true
        case .changedThere, .changedHere, .restored, nil: false
        }
    }
}
