import CloudKitWire
import GRDB

/// What participants may do in a zone that somebody else shared with them. In one's own zone everything is allowed.
extension RecordTransaction {
    /// - Parameters:
    ///   - living: The record as it is now; `nil` where there is none.
    ///   - keepsParent: Whether a parent that is not given stays.
    /// - Throws: `ACCESS_DENIED`, or `NOT_FOUND` for a record that is out of the caller's sight.
    func requireShared(
        _ operation: RecordOperation, _ name: String, living: StoredRecord?, keepsParent: Bool
    ) throws {
        guard let access = zone.shared?.access else { return }
        if let living {
            guard try access.permission(for: name, in: zone.id, db) != .none else {
                guard operation.kind.needsRecord else { throw Self.denied }
                throw operation.kind == .delete ? ErrorDictionary.recordNotFound : .taggedRecordNotFound
            }
            // A share is left rather than deleted, and changed by administrators: see `apply(_:toShare:…)`.
            if living.type == RecordSharing.recordType { return }
            guard try access.permission(for: name, in: zone.id, db) == .readWrite else { throw Self.denied }
        }
        let isRoot = try shares(in: zone.id).contains { $0.rootName == name }
        if operation.kind.deletes {
            guard !isRoot else {
                throw ErrorDictionary(.accessDenied, reason: "only its owner can delete the record that is shared")
            }
            return
        }
        guard access.whole == nil else {
            guard access.whole == .readWrite else { throw Self.denied }
            return
        }
        let parent = operation.record.parent ?? (keepsParent ? living?.parent : nil)
        guard !isRoot else {
            guard parent == living?.parent else { throw Self.outside }
            return
        }
        guard let parent, try access.permission(for: parent, in: zone.id, db) == .readWrite else { throw Self.outside }
    }

    static let denied = ErrorDictionary(.accessDenied, reason: "the record is shared read-only")
    private static let outside = ErrorDictionary(
        .accessDenied, reason: "in a shared hierarchy a record needs a parent that is shared and may be written")
}

extension RecordOperation.Kind {
    var deletes: Bool { self == .delete || self == .forceDelete }

    /// Whether it is refused where there is no record.
    var needsRecord: Bool { self == .update || self == .replace || deletes }
}
