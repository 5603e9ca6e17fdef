/// A schema with the places in its text, so that what is wrong with it can be shown there.
public struct SchemaSource: Hashable, Sendable {
    public var schema: Schema
    /// Where each thing's name stands.
    private(set) var positions: [SchemaPlace: SchemaPosition]

    /// Reads a schema file.
    ///
    /// Keywords may be in lower case, which Apple's tools may not take; the writer puts them in capitals.
    /// - Throws: ``SchemaError`` `syntax` with the first place that does not follow the grammar of protocol §8.1.
    public init(parsing text: String) throws(SchemaError) {
        var parser = SchemaParser(tokens: try SchemaToken.tokens(of: text))
        schema = try parser.schema()
        positions = parser.positions
    }

    /// What is wrong with it, in the order of the text; empty where it is sound.
    public var problems: [SchemaProblem] {
        schema.findings.map { SchemaProblem($0.message, at: positions[$0.place]) }
            .enumerated().sorted { left, right in
                switch (left.element.position, right.element.position) {
                case (let a?, let b?) where a != b: a < b
                default: left.offset < right.offset
                }
            }
            .map(\.element)
    }

    /// The schema of a text that is sound.
    /// - Throws: ``SchemaError`` `syntax` or `invalid`.
    public static func schema(_ text: String) throws(SchemaError) -> Schema {
        let source = try SchemaSource(parsing: text)
        let problems = source.problems
        guard problems.isEmpty else { throw SchemaError(.invalid, problems) }
        return source.schema
    }
}

/// A thing in a schema, by its indices.
enum SchemaPlace: Hashable, Sendable {
    case role(Int)
    case recordType(Int)
    case field(Int, of: Int)
    case grant(Int, of: Int)
}
