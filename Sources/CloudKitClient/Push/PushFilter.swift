public import CloudKitWire

/// Tells our pushes from foreign ones, and what they are about (S0.13, S4.10).
public struct PushFilter: Hashable, Sendable {
    /// What a push asks for. It is a hint: what changed, only a fetch tells.
    public enum Meaning: Hashable, Sendable {
        /// Not ours, or not to be understood: ignore it.
        case foreign
        /// Something in the database.
        case database
        /// Something in one zone; its owner is left out where it is the person itself.
        case zone(ZoneID)
    }

    /// The container whose pushes are ours.
    public var container: String
    /// The database whose pushes are ours.
    public var scope: DatabaseAddress.Scope
    /// The subscriptions that are ours.
    public var subscriptionIDs: Set<String>
    /// The signed-in user; a push for another one is foreign. `nil` takes everybody's.
    public var userRecordName: String?

    /// A filter for the pushes of some subscriptions.
    public init(
        container: String, scope: DatabaseAddress.Scope, subscriptionIDs: Set<String>, userRecordName: String? = nil
    ) {
        self.container = container
        self.scope = scope
        self.subscriptionIDs = subscriptionIDs
        self.userRecordName = userRecordName
    }

    /// What a push means for these subscriptions.
    ///
    /// Pushes are never told apart by their notification ID: one change gives several with the same (protocol §3.11).
    public func meaning(of push: PushNotification) -> Meaning {
        guard let name = push.container, Self.equal(name, container) else { return .foreign }
        if let user = push.userRecordName, let userRecordName, !Self.equal(user, userRecordName) { return .foreign }
        for target in [push.zone, push.query].compactMap(\.self) where isOurs(target) {
            return target.zoneName.map { .zone(zone(named: $0, owner: target.zoneOwner)) } ?? .database
        }
        if let target = push.database, isOurs(target) { return .database }
        return .foreign
    }

    private func isOurs(_ target: PushNotification.Target) -> Bool {
        if let number = target.databaseScope, number != scope.pushNumber { return false }
        guard let subscriptionID = target.subscriptionID else { return false }
        return subscriptionIDs.contains { Self.equal($0, subscriptionID) }
    }

    private func zone(named name: String, owner: String?) -> ZoneID {
        guard let owner, scope == .shared else { return ZoneID(zoneName: name) }
        return ZoneID(zoneName: name, ownerRecordName: owner)
    }

    private static func equal(_ left: String, _ right: String) -> Bool {
        left.utf8.elementsEqual(right.utf8)
    }
}
