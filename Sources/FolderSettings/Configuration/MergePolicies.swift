/// Which side wins where both changed one field: for all, for a record type, or for one field of it.
public struct MergePolicies: Hashable, Sendable {
    /// What becomes of a field that both sides changed.
    public enum Policy: String, Hashable, Sendable, CaseIterable {
        case remote, local, newest
        /// Functions of both values; for single fields only.
        case counter, max, min, union

        /// Whether it makes sense for every kind of value.
        var isGeneral: Bool {
            switch self {
            case .remote, .local, .newest: true
            case .counter, .max, .min, .union: false
            }
        }
    }

    /// For whatever has no policy of its own.
    public var standard: Policy
    /// By record type.
    public var types: [String: Policy]
    /// By record type, then by field.
    public var fields: [String: [String: Policy]]

    /// The standard policy, and exceptions from it.
    public init(
        standard: Policy = .remote, types: [String: Policy] = [:], fields: [String: [String: Policy]] = [:]
    ) {
        self.standard = standard
        self.types = types
        self.fields = fields
    }

    /// The policy for one field of a record type.
    public func policy(recordType: String, field: String) -> Policy {
        fields[recordType]?[field] ?? types[recordType] ?? standard
    }
}
