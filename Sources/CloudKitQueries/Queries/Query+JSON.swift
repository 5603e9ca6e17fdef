import CloudKitWire
public import LosslessJSON
public import WireCoding

extension Query: WireValue {
    /// Takes `{recordType, filterBy?, sortBy?}`; either of the two may be a list or a single object.
    public init(json: JSONNode) throws(WireError) {
        try json.requireObject()
        self.init(
            recordType: try json.requiredString("recordType"), filters: try json.oneOrMore("filterBy"),
            sorts: try json.oneOrMore("sortBy"))
    }

    /// Writes the query; no list where it is empty.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("recordType", recordType)
        if !filters.isEmpty { json.member("filterBy", list: filters) }
        if !sorts.isEmpty { json.member("sortBy", list: sorts) }
        json.endObject()
    }
}

extension QueryFilter: WireValue {
    /// Takes `{comparator, fieldName | systemFieldName, fieldValue, distance?}`.
    public init(json: JSONNode) throws(WireError) {
        try json.requireObject()
        guard let comparator = try json.name("comparator", Comparator.self) else { throw .missing("comparator") }
        guard let given = try json.object("fieldValue") else { throw .missing("fieldValue") }
        let value: FieldValue?
        do { value = try Field(json: given).value } catch { throw error.inside("fieldValue") }
        guard let value else { throw WireError.missing("value").inside("fieldValue") }
        self.init(comparator, try QueryField(in: json), value, distance: try json.double("distance"))
    }

    /// Writes the keys that are known.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("comparator", comparator.rawValue)
        field.write(to: &json)
        json.key("fieldValue")
        Field(value).write(to: &json)
        json.member("distance", distance)
        json.endObject()
    }
}

extension QuerySort: WireValue {
    /// Takes `{fieldName | systemFieldName, ascending?, relativeLocation?}`.
    public init(json: JSONNode) throws(WireError) {
        try json.requireObject()
        self.init(
            try QueryField(in: json), ascending: try json.bool("ascending") ?? true,
            relativeLocation: try json.value("relativeLocation"))
    }

    /// Writes the keys that are known.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        field.write(to: &json)
        json.member("ascending", ascending)
        json.member("relativeLocation", relativeLocation)
        json.endObject()
    }
}

extension QueryField {
    /// Reads `fieldName` or `systemFieldName`. A field name that begins with `___` is a system field as schemas name it.
    init(in json: JSONNode) throws(WireError) {
        if let system = try json.name("systemFieldName", SystemField.self) {
            self = .system(system)
            return
        }
        let name = try json.requiredString("fieldName")
        for field in SystemField.allCases where field.schemaName.utf8.elementsEqual(name.utf8) {
            self = .system(field)
            return
        }
        self = .user(name)
    }

    func write(to json: inout JSONWriter) {
        switch self {
        case .user(let name): json.member("fieldName", name)
        case .system(let field): json.member("systemFieldName", field.rawValue)
        }
    }
}

extension JSONNode {
    /// A list of values, or one value alone; empty where the key is absent.
    fileprivate func oneOrMore<Value: WireValue>(_ key: String) throws(WireError) -> [Value] {
        guard let value = self[key], !value.isNull else { return [] }
        guard value.kind == .object else { return try values(key) }
        return [try requiredValue(key)]
    }
}
