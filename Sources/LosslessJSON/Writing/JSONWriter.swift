/// Writes compact JSON: no white space, and the plain spelling of every scalar (see ``JSONSpelling``).
///
/// The caller nests `begin` and `end` rightly and gives each key once; the writer puts the commas and colons.
public struct JSONWriter: Sendable {
    /// What has been written.
    public private(set) var bytes: [UInt8] = []

    /// A wish of whoever has this written: that numbers which a reader might round be written as strings. The
    /// writer keeps it for the values that write themselves; it changes no method here.
    public var numbersAsStrings = false

    private var needsComma = false

    /// A writer of nothing yet.
    public init(numbersAsStrings: Bool = false) {
        self.numbersAsStrings = numbersAsStrings
    }

    /// Makes room for a text whose length in bytes is foreseeable.
    public mutating func reserveCapacity(_ count: Int) {
        bytes.reserveCapacity(count)
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    /// Opens an object.
    public mutating func beginObject() {
        separate()
        bytes.append(UInt8(ascii: "{"))
        needsComma = false
    }

    /// Closes the object that was opened last.
    public mutating func endObject() {
        bytes.append(UInt8(ascii: "}"))
        needsComma = true
    }

    /// Opens an array.
    public mutating func beginArray() {
        separate()
        bytes.append(UInt8(ascii: "["))
        needsComma = false
    }

    /// Closes the array that was opened last.
    public mutating func endArray() {
        bytes.append(UInt8(ascii: "]"))
        needsComma = true
    }

    /// Writes a member's key; its value comes next.
    public mutating func key(_ key: String) {
        separate()
        JSONSpelling.append(key, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes a string.
    public mutating func string(_ text: String) {
        separate()
        JSONSpelling.append(text, to: &bytes)
    }

    /// Writes an integer.
    /// - Parameter quoted: As a string of its digits.
    public mutating func int64(_ number: Int64, quoted: Bool = false) {
        literal(JSONSpelling.int64(number), quoted: quoted)
    }

    /// Writes a number that cannot be taken for an integer: `1.0`, `-0.0`, `1e+16`.
    /// - Parameter quoted: As a string of its literal.
    /// - Precondition: The number is finite: JSON has no other.
    public mutating func double(_ number: Double, quoted: Bool = false) {
        literal(JSONSpelling.double(number), quoted: quoted)
    }

    private mutating func literal(_ text: [UInt8], quoted: Bool) {
        separate()
        if quoted { bytes.append(UInt8(ascii: "\"")) }
        bytes.append(contentsOf: text)
        if quoted { bytes.append(UInt8(ascii: "\"")) }
    }

    /// Writes a truth value.
    public mutating func bool(_ value: Bool) {
        raw(value ? "true".utf8 : "false".utf8)
    }

    /// Writes `null`.
    public mutating func null() {
        raw("null".utf8)
    }

    /// Writes one value whose JSON text is there already. The text is not checked.
    public mutating func raw(_ json: some Sequence<UInt8>) {
        separate()
        bytes.append(contentsOf: json)
    }
}
