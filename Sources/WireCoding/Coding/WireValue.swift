public import LosslessJSON

/// A message of the protocol, or a part of one, with its JSON.
///
/// Decoding ignores unknown keys, as the service does, takes `null` for an absent key, and refuses a known key of
/// the wrong type by name. Encoding leaves out what is `nil`, and gives equal values equal bytes.
public protocol WireValue: Sendable {
    /// Reads the value from parsed JSON.
    init(json: JSONNode) throws(WireError)
    /// Writes the value as JSON.
    func write(to json: inout JSONWriter)
}

extension WireValue {
    /// Reads a message from the bytes of a body.
    /// - Throws: ``WireError`` where the body is no JSON, or not the JSON of this message.
    public static func decode(_ bytes: [UInt8]) throws(WireError) -> Self {
        let document: JSONDocument
        do {
            document = try JSONDocument(parsing: bytes)
        } catch {
            throw .notJSON(error)
        }
        return try Self(json: document.root)
    }

    /// The bytes of a body.
    /// - Parameter numbersAsStrings: Whether INT64 and DOUBLE values of fields are written as strings, for readers
    ///   whose numbers are all doubles (protocol §3.1).
    public func encoded(numbersAsStrings: Bool = false) -> [UInt8] {
        var writer = JSONWriter(numbersAsStrings: numbersAsStrings)
        write(to: &writer)
        return writer.bytes
    }
}
