public import LosslessJSON

/// A message of the protocol, or a part of one, with its JSON.
///
/// Decoding ignores unknown keys, as the service does, and refuses a known key of the wrong type by name.
public protocol WireValue: Sendable {
    /// Reads the value from parsed JSON.
    init(json: JSONNode) throws(WireError)
    /// Writes the value as JSON.
    func write(to json: inout JSONWriter)
}

/// A message that is not what the protocol says.
public struct WireError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Names the key and what is wrong with it, such as `missing required field 'recordChangeTag'`.
    public var message: String

    /// Takes the sentence for people.
    public init(_ message: String) {
        self.message = message
    }

    public var description: String { message }
}
