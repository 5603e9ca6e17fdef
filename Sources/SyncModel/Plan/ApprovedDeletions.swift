/// The deletions that a person let pass, by the names of their records.
public struct ApprovedDeletions: Hashable, Sendable {
    /// Of records, in the zone.
    public var inZone: Set<RecordName>
    /// Of files, in the folder.
    public var inFolder: Set<RecordName>

    /// Those of both sides.
    public init(inZone: Set<RecordName> = [], inFolder: Set<RecordName> = []) {
        (self.inZone, self.inFolder) = (inZone, inFolder)
    }

    /// Whether there is none.
    public var isEmpty: Bool { inZone.isEmpty && inFolder.isEmpty }

    /// Whether all of some deletions are among them.
    public func cover(_ deletions: [Action]) -> Bool {
        deletions.allSatisfy { action in
            guard let name = action.record else { return false }
            return switch action.kind {
            case .deleteRecord: inZone.contains(name)
            case .deleteFile: inFolder.contains(name)
            default: false
            }
        }
    }

    /// The deletions among some actions.
    public init(of actions: [Action]) {
        self.init()
        for action in actions {
            guard let name = action.record else { continue }
            switch action.kind {
            case .deleteRecord: inZone.insert(name)
            case .deleteFile: inFolder.insert(name)
            default: break
            }
        }
    }

    /// These and others.
    public func union(_ other: Self) -> Self {
        Self(inZone: inZone.union(other.inZone), inFolder: inFolder.union(other.inFolder))
    }

    /// These without others.
    public func subtracting(_ other: Self) -> Self {
        Self(inZone: inZone.subtracting(other.inZone), inFolder: inFolder.subtracting(other.inFolder))
    }
}
