package import LosslessJSON

/// Reading the members of a message. `null` is taken for an absent key throughout.
extension JSONNode {
    /// Refuses everything but an object.
    package func requireObject() throws(WireError) {
        guard kind == .object else { throw .notAnObject() }
    }

    private func member(_ key: String) -> JSONNode? {
        guard let value = self[key], !value.isNull else { return nil }
        return value
    }

    package func string(_ key: String) throws(WireError) -> String? {
        guard let value = member(key) else { return nil }
        guard let string = value.string else { throw .wrongType(key, expected: "a string") }
        return string
    }

    package func requiredString(_ key: String) throws(WireError) -> String {
        guard let value = try string(key) else { throw .missing(key) }
        return value
    }

    package func bool(_ key: String) throws(WireError) -> Bool? {
        guard let value = member(key) else { return nil }
        guard let bool = value.bool else { throw .wrongType(key, expected: "true or false") }
        return bool
    }

    /// An integer, also one spelt as a string.
    package func int64(_ key: String) throws(WireError) -> Int64? {
        guard let value = member(key) else { return nil }
        guard let number = value.wireInt64 else { throw .wrongType(key, expected: "an integer") }
        return number
    }

    package func int(_ key: String) throws(WireError) -> Int? {
        try int64(key).map { Int($0) }
    }

    /// A number, also one spelt as a string.
    package func double(_ key: String) throws(WireError) -> Double? {
        guard let value = member(key) else { return nil }
        guard let number = value.wireDouble else { throw .wrongType(key, expected: "a number") }
        return number
    }

    package func strings(_ key: String) throws(WireError) -> [String]? {
        guard let value = member(key) else { return nil }
        guard value.kind == .array else { throw .wrongType(key, expected: "a list of strings") }
        var strings: [String] = []
        strings.reserveCapacity(value.count)
        for element in value.elements {
            guard let string = element.string else { throw .wrongType(key, expected: "a list of strings") }
            strings.append(string)
        }
        return strings
    }

    /// A member that is a name out of a closed set.
    package func name<Name: RawRepresentable<String> & CaseIterable>(
        _ key: String, _ type: Name.Type = Name.self
    ) throws(WireError) -> Name? {
        guard let name = try string(key) else { return nil }
        for value in Name.allCases where value.rawValue.utf8.elementsEqual(name.utf8) { return value }
        throw .unknownName(key, allowed: Name.allCases.map(\.rawValue))
    }

    /// A member that is a name out of a set that may grow.
    package func openName<Name: RawRepresentable<String> & CaseIterable>(
        _ key: String, else unknown: Name
    ) throws(WireError) -> Name? {
        try string(key).map { name in
            Name.allCases.first { $0.rawValue.utf8.elementsEqual(name.utf8) } ?? unknown
        }
    }

    /// A member that is an object, not yet read.
    package func object(_ key: String) throws(WireError) -> JSONNode? {
        guard let value = member(key) else { return nil }
        guard value.kind == .object else { throw .wrongType(key, expected: "an object") }
        return value
    }

    package func value<Value: WireValue>(_ key: String, _ type: Value.Type = Value.self) throws(WireError) -> Value? {
        guard let value = try object(key) else { return nil }
        do { return try Value(json: value) } catch { throw error.inside(key) }
    }

    package func requiredValue<Value: WireValue>(
        _ key: String, _ type: Value.Type = Value.self
    ) throws(WireError) -> Value {
        guard let value = try value(key, type) else { throw .missing(key) }
        return value
    }

    /// A member that is a list, not yet read; required.
    package func list(_ key: String) throws(WireError) -> JSONElements {
        guard let value = member(key) else { throw .missing(key) }
        guard value.kind == .array else { throw .wrongType(key, expected: "a list") }
        return value.elements
    }

    /// A list of values; required.
    package func values<Value: WireValue>(_ key: String, _ type: Value.Type = Value.self) throws(WireError) -> [Value] {
        var values: [Value] = []
        let list = try list(key)
        values.reserveCapacity(list.count)
        for element in list {
            do {
                values.append(try Value(json: element))
            } catch {
                throw error.inside("\(key)[\(values.count)]")
            }
        }
        return values
    }

    /// A list of objects of which one string is wanted; required.
    package func names(_ name: String, inEach key: String) throws(WireError) -> [String] {
        var names: [String] = []
        let list = try list(key)
        names.reserveCapacity(list.count)
        for element in list {
            do {
                try element.requireObject()
                names.append(try element.requiredString(name))
            } catch {
                throw error.inside("\(key)[\(names.count)]")
            }
        }
        return names
    }
}

extension JSONNode {
    /// An integer literal, or a string that is one.
    package var wireInt64: Int64? {
        if let int64 { return int64 }
        guard let string, let document = try? JSONDocument(parsing: Array(string.utf8)),
            document.root.range.count == string.utf8.count
        else { return nil }  // no number in the string: the caller says what was expected
        return document.root.int64
    }

    /// A finite number, or a string that is one.
    package var wireDouble: Double? {
        if let double { return double }
        guard let string, let document = try? JSONDocument(parsing: Array(string.utf8)),
            document.root.range.count == string.utf8.count
        else { return nil }  // no number in the string: the caller says what was expected
        return document.root.double
    }
}
