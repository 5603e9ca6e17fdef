import LosslessJSON

/// Writing the members of a message: each writes nothing where the value is `nil`.
extension JSONWriter {
    package mutating func member(_ key: String, _ value: String?) {
        guard let value else { return }
        self.key(key)
        string(value)
    }

    package mutating func member(_ key: String, _ value: Bool?) {
        guard let value else { return }
        self.key(key)
        bool(value)
    }

    package mutating func member(_ key: String, _ value: Int64?) {
        guard let value else { return }
        self.key(key)
        int64(value)
    }

    package mutating func member(_ key: String, _ value: Int?) {
        member(key, value.map { Int64($0) })
    }

    /// A whole number is written without a fraction, as people write seconds and metres.
    package mutating func member(_ key: String, _ value: Double?) {
        guard let value else { return }
        self.key(key)
        if let whole = Int64(exactly: value), whole.magnitude <= 1 << 53, value != 0 || value.sign == .plus {
            int64(whole)
        } else {
            double(value)
        }
    }

    package mutating func member(_ key: String, _ values: [String]?) {
        guard let values else { return }
        self.key(key)
        beginArray()
        for value in values { string(value) }
        endArray()
    }

    package mutating func member(_ key: String, _ value: (some WireValue)?) {
        guard let value else { return }
        self.key(key)
        value.write(to: &self)
    }

    package mutating func member(_ key: String, list values: [some WireValue]) {
        self.key(key)
        beginArray()
        for value in values { value.write(to: &self) }
        endArray()
    }

    /// A list of objects with one string each.
    package mutating func member(_ key: String, names: [String], as name: String) {
        self.key(key)
        beginArray()
        for value in names {
            beginObject()
            member(name, value)
            endObject()
        }
        endArray()
    }

    /// JSON texts by key, in the order of the keys' bytes.
    package mutating func members(_ others: [String: [UInt8]]) {
        for (key, json) in others.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            self.key(key)
            raw(json)
        }
    }
}
