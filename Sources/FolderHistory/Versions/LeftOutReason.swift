/// Why a file that is meant gets no version, or not its last one.
public enum LeftOutReason: Hashable, Sendable, CaseIterable {
    /// It is gone, and the zone alone has its last bytes, since its deletion has not gone out.
    case inZone
    /// It was there at that time, and what it was then is not kept.
    case notKept
    /// What it was at that time is not kept, or it was not there.
    case perhapsAbsent
    /// It was deleted since that time, and its last version is not kept.
    case lastNotKept
}

extension VersionChoice {
    /// Why a file is left out by this choice; `nil` where it gets what was asked for, or is as it was, or was not there.
    /// - Parameters:
    ///   - isThere: Whether it stands there now as it did at that moment.
    ///   - isInZone: Whether it is gone, and its last bytes are in the zone alone.
    ///   - moment: The one of the choice. Who names one may mean an older version; without one, the last is meant.
    public func reasonLeftOut(isThere: Bool, isInZone: Bool, at moment: Int64?) -> LeftOutReason? {
        switch self {
        case .version: isInZone && moment == nil ? .inZone : nil
        case _ where isInZone: .inZone
        case .notKept(_, let wasThere): wasThere ? .notKept : .perhapsAbsent
        case .unchanged(let newest): isThere || newest.wasDeleted ? nil : .perhapsAbsent
        case .nothing: nil
        }
    }
}
