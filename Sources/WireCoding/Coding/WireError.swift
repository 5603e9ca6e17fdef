package import LosslessJSON

/// A message that is not what the protocol says.
public struct WireError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Names the key and what is wrong with it, such as `missing required field 'recordChangeTag'`; inside a list or
    /// an object, after the way there: `operations[2]: record: …`.
    public var message: String

    /// Takes the sentence for people.
    public init(_ message: String) {
        self.message = message
    }

    /// The message.
    public var description: String { message }
}

extension WireError {
    package static func notJSON(_ error: JSONError) -> Self {
        Self("the body is no JSON (\(error))")
    }

    package static func notAnObject() -> Self {
        Self("expected a JSON object")
    }

    package static func missing(_ key: String) -> Self {
        Self("missing required field '\(key)'")
    }

    package static func wrongType(_ key: String, expected: String) -> Self {
        Self("'\(key)' must be \(expected)")
    }

    package static func unknownName(_ key: String, allowed: [String]) -> Self {
        Self("'\(key)' must be one of \(allowed.joined(separator: ", "))")
    }

    package static func wrongValue(type: String, expected: String) -> Self {
        Self("a value of type \(type) must be \(expected)")
    }

    package static func sameKeys(_ key: String) -> Self {
        Self("two keys '\(key)' differ only in their Unicode form")
    }

    /// The same error, seen from one level further out.
    package func inside(_ place: String) -> Self {
        Self("\(place): \(message)")
    }
}
