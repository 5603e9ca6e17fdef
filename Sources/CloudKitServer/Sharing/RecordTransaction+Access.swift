import CloudKitSchema
import CloudKitWire
import GRDB

/// What participants may do in a zone that somebody else shared with them. In one's own zone everything is allowed.
extension RecordTransaction {
    /// - Parameters:
    ///   - living: The record as it is now; `nil` where there is none.
    ///   - decision: What becomes of it, by its tag alone.
    /// - Throws: `ACCESS_DENIED`, or `NOT_FOUND` for a record that is out of the caller's sight; ``PendingOperations/Wait``
    ///   where the request saves the parent later.
    func requireShared(
        _ operation: RecordOperation, _ name: String, living: StoredRecord?, _ decision: SaveDecision
    ) throws {
        guard let access = zone.shared?.access else { return }
        if let living {
            // Names are taken whether one sees by what or not; else what is out of sight is not there (see `sees`).
            guard try access.permission(for: name, in: zone.id, db) != .none else { throw Self.denied }
            // A share is left rather than deleted, and changed by administrators: see `apply(_:toShare:…)`.
            if living.type == RecordSharing.recordType { return }
            guard try access.permission(for: name, in: zone.id, db) == .readWrite else { throw Self.denied }
        }
        // What is wrong with the record itself is said as everywhere.
        if case .refuse = decision { return }
        if decision == .nothing { return }
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
        let parent = operation.record.parent ?? (decision == .merge ? living?.parent : nil)
        guard !isRoot else {
            guard operation.record.parent.map({ $0 == living?.parent }) ?? true else { throw Self.outside }
            return
        }
        guard let parent else { throw Self.outside }
        switch try outlook(of: parent) {
        case .later(let operation): throw PendingOperations.Wait(operations: [operation])
        // A new one is looked at with the promise that is made for it.
        case .underWay where parent != living?.parent: break
        case .underWay, .nothing: try requireShared(parent: parent)
        }
        // A record that is deleted leaves those below it behind: who makes one of its name would draw them in.
        guard living == nil else { return }
        for below in try subtree(of: name, in: zone.id) where below != name {
            guard try access.permission(for: below, in: zone.id, db) == .readWrite else { throw Self.outside }
        }
    }

    /// - Throws: `ACCESS_DENIED` for a parent below which the caller may not save, in a zone that somebody else shared.
    func requireShared(parent: String) throws {
        guard let access = zone.shared?.access, access.whole == nil else { return }
        guard try access.permission(for: parent, in: zone.id, db) == .readWrite else { throw Self.outside }
    }

    /// Whether a record is there for the caller.
    func sees(_ record: StoredRecord) throws -> Bool {
        guard let shared = zone.shared?.access else { return try access.sees(record) }
        return try shared.permission(for: record.name, in: zone.id, db) != .none
    }

    /// Whether the caller may change a record.
    func mayWrite(_ record: StoredRecord) throws -> Bool {
        guard let shared = zone.shared?.access else { return try access.allows(.write, record) }
        return try shared.permission(for: record.name, in: zone.id, db) == .readWrite
    }

    /// Whether the record is the top of what the caller sees.
    func isRootForParticipant(_ name: String) throws -> Bool {
        guard let shared = zone.shared?.access, shared.whole == nil else { return false }
        return try shares(in: zone.id).contains { $0.rootName == name }
    }

    static let denied = ErrorDictionary(.accessDenied, reason: "the record is shared read-only")
    private static let outside = ErrorDictionary(
        .accessDenied, reason: "in a shared hierarchy a record needs a parent that is shared and may be written")
}

extension RecordOperation.Kind {
    var deletes: Bool { self == .delete || self == .forceDelete }

    /// Whether it is refused, or does nothing, where there is no record.
    var needsRecord: Bool { self == .update || self == .replace || deletes }
}
