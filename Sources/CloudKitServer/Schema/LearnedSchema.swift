/// The record types as one transaction knows them: read once each, and changed by what is learned.
struct LearnedSchema {
    private let tables: SchemaTables
    /// By record type, as far as asked.
    private var known: [String: [String: String]] = [:]

    init(_ tables: SchemaTables) { self.tables = tables }

    /// The fields of a type as ``SchemaTables/fieldTypes(of:)`` gives them; `nil` where there is no such type.
    mutating func fields(of recordType: String) throws -> [String: String]? {
        if let fields = known[recordType] { return fields }
        guard let fields = try tables.fieldTypes(of: recordType) else { return nil }
        known[recordType] = fields
        return fields
    }

    /// Adds fields to a type, or makes the type.
    mutating func learn(_ types: [String: String], of recordType: String) throws {
        guard !types.isEmpty else { return }
        try tables.learn(types, of: recordType)
        known[recordType, default: [:]].merge(types) { $1 }
    }
}
