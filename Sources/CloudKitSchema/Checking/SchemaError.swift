/// Why a text is no schema, or a schema cannot be taken.
public struct SchemaError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What to branch on.
    public enum Code: Hashable, Sendable {
        /// The text does not follow the grammar.
        case syntax
        /// It does, and says what cannot be.
        case invalid
        /// The schema is sound, and does not fit what is there already.
        case refused
    }

    public var code: Code
    /// At least one.
    public var problems: [SchemaProblem]

    /// A sentence for each problem, each on a line of its own.
    public var message: String { problems.map(\.description).joined(separator: "\n") }

    /// The message.
    public var description: String { message }

    /// Problems of one kind.
    public init(_ code: Code, _ problems: [SchemaProblem]) {
        precondition(!problems.isEmpty, "an error has a reason")
        self.code = code
        self.problems = problems
    }
}

/// One thing that is wrong with a schema.
public struct SchemaProblem: Hashable, Sendable, CustomStringConvertible {
    /// A sentence that names the thing, what is wrong with it, and where fitting the way out.
    public var message: String
    /// Where in the text; `nil` where there is none.
    public var position: SchemaPosition?

    /// The sentence, after its place.
    public var description: String { position.map { "\($0): \(message)" } ?? message }

    /// A problem, of a text or of a value.
    public init(_ message: String, at position: SchemaPosition? = nil) {
        self.message = message
        self.position = position
    }
}

/// A place in a text.
public struct SchemaPosition: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// Counted from 1.
    public var line: Int
    /// Counted from 1, in Unicode scalars.
    public var column: Int

    /// A place.
    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// `line 3, column 14`.
    public var description: String { "line \(line), column \(column)" }

    /// The order in the text.
    public static func < (left: Self, right: Self) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}
