extension Schema {
    /// What a role may do with the records of one type; it counts in the public database only.
    public struct Grant: Hashable, Sendable {
        public var permissions: [Permission]
        public var role: String

        /// Permissions for a role.
        public init(_ permissions: [Permission], to role: String) {
            self.permissions = permissions
            self.role = role
        }

        /// What a type has unless somebody says otherwise: who made a record may change it, who is signed in may make
        /// records, everybody may read them.
        public static let usual = [
            Grant([.write], to: Role.creator), Grant([.create], to: Role.icloud), Grant([.read], to: Role.world),
        ]
    }

    /// What can be granted.
    public enum Permission: String, Hashable, Sendable, CaseIterable {
        case read = "READ"
        case create = "CREATE"
        case write = "WRITE"
    }

    /// The roles that exist in every container.
    public enum Role {
        /// Anyone, signed in or not.
        public static let world = "_world"
        /// Whoever is signed in.
        public static let icloud = "_icloud"
        /// The user who made the record.
        public static let creator = "_creator"

        /// All three.
        public static let system: Set<String> = [world, icloud, creator]
    }
}
