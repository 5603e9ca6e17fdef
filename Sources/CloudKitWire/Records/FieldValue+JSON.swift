public import LosslessJSON
public import WireCoding

extension Field: WireValue {
    /// Takes `{value, type?, isEncrypted?}`; `{"value": null}`, `{}` and `null` all remove the field.
    public init(json: JSONNode) throws(WireError) {
        if json.isNull {
            self.init(nil)
            return
        }
        try json.requireObject()
        let isEncrypted = try json.bool("isEncrypted") ?? false
        guard let value = json["value"], !value.isNull else {
            self.init(nil, isEncrypted: isEncrypted)
            return
        }
        self.init(try FieldValue(type: try json.string("type"), json: value), isEncrypted: isEncrypted)
    }

    /// Writes `{"value": …, "type": …}`, or `{"value": null}` to remove the field.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        json.key("value")
        if let value {
            value.writeValue(to: &json)
            json.member("type", value.type)
        } else {
            json.null()
        }
        if isEncrypted { json.member("isEncrypted", true) }
        json.endObject()
    }
}

extension FieldValue {
    /// The type as the wire spells it, or `nil` for a value without one.
    public var type: String? {
        switch self {
        case .string: "STRING"
        case .int64: "INT64"
        case .double: "DOUBLE"
        case .timestamp: "TIMESTAMP"
        case .bytes: "BYTES"
        case .reference: "REFERENCE"
        case .location: "LOCATION"
        case .asset: "ASSETID"
        case .stringList: "STRING_LIST"
        case .int64List: "INT64_LIST"
        case .doubleList: "DOUBLE_LIST"
        case .timestampList: "TIMESTAMP_LIST"
        case .bytesList: "BYTES_LIST"
        case .referenceList: "REFERENCE_LIST"
        case .locationList: "LOCATION_LIST"
        case .assetList: "ASSETID_LIST"
        case .untyped: nil
        case .unknown(let type, _): type
        }
    }

    /// Reads a value by its type's name. A type that is not known here is kept as ``unknown(type:json:)``, a value
    /// without a type as ``untyped(json:)``.
    /// - Throws: `WireError` where the value is not what its type demands.
    public init(type: String?, json: JSONNode) throws(WireError) {
        guard let type else {
            self = .untyped(json: Array(json.text))
            return
        }
        switch type {
        case "STRING": self = .string(try json.stringValue())
        case "INT64": self = .int64(try json.integerValue("INT64"))
        case "DOUBLE": self = .double(try json.doubleValue())
        case "TIMESTAMP": self = .timestamp(try json.integerValue("TIMESTAMP"))
        case "BYTES": self = .bytes(try json.bytesValue())
        case "REFERENCE": self = .reference(try Reference(json: json))
        case "LOCATION": self = .location(try Location(json: json))
        case "ASSETID", "ASSET": self = .asset(try Asset(json: json))
        case "STRING_LIST":
            self = .stringList(try json.listValue(type) { node throws(WireError) in try node.stringValue() })
        case "INT64_LIST":
            self = .int64List(try json.listValue(type) { node throws(WireError) in try node.integerValue("INT64") })
        case "DOUBLE_LIST":
            self = .doubleList(try json.listValue(type) { node throws(WireError) in try node.doubleValue() })
        case "TIMESTAMP_LIST":
            self = .timestampList(
                try json.listValue(type) { node throws(WireError) in try node.integerValue("TIMESTAMP") })
        case "BYTES_LIST":
            self = .bytesList(try json.listValue(type) { node throws(WireError) in try node.bytesValue() })
        case "REFERENCE_LIST":
            self = .referenceList(try json.listValue(type) { node throws(WireError) in try Reference(json: node) })
        case "LOCATION_LIST":
            self = .locationList(try json.listValue(type) { node throws(WireError) in try Location(json: node) })
        case "ASSETID_LIST", "ASSET_LIST":
            self = .assetList(try json.listValue(type) { node throws(WireError) in try Asset(json: node) })
        default: self = .unknown(type: type, json: Array(json.text))
        }
    }

    /// Writes the value alone, without its type.
    public func writeValue(to json: inout JSONWriter) {
        let quoted = json.numbersAsStrings
        switch self {
        case .string(let text): json.string(text)
        case .int64(let number): json.int64(number, quoted: quoted)
        case .double(let number): json.double(number, quoted: quoted)
        case .timestamp(let time): json.int64(time)
        case .bytes(let bytes): json.base64(bytes)
        case .reference(let reference): reference.write(to: &json)
        case .location(let location): location.write(to: &json)
        case .asset(let asset): asset.write(to: &json)
        case .stringList(let list): json.list(list) { $1.string($0) }
        case .int64List(let list): json.list(list) { $1.int64($0, quoted: quoted) }
        case .doubleList(let list): json.list(list) { $1.double($0, quoted: quoted) }
        case .timestampList(let list): json.list(list) { $1.int64($0) }
        case .bytesList(let list): json.list(list) { $1.base64($0) }
        case .referenceList(let list): json.list(list) { $0.write(to: &$1) }
        case .locationList(let list): json.list(list) { $0.write(to: &$1) }
        case .assetList(let list): json.list(list) { $0.write(to: &$1) }
        case .untyped(let text), .unknown(_, let text): json.raw(text)
        }
    }
}

extension JSONNode {
    fileprivate func stringValue() throws(WireError) -> String {
        guard let string else { throw .wrongValue(type: "STRING", expected: "a string") }
        return string
    }

    fileprivate func integerValue(_ type: String) throws(WireError) -> Int64 {
        guard let number = wireInt64 else {
            throw .wrongValue(
                type: type,
                expected: type == "TIMESTAMP" ? "an integer count of milliseconds" : "an integer of 64 bits")
        }
        return number
    }

    fileprivate func doubleValue() throws(WireError) -> Double {
        guard let number = wireDouble else { throw .wrongValue(type: "DOUBLE", expected: "a finite number") }
        return number
    }

    fileprivate func bytesValue() throws(WireError) -> [UInt8] {
        guard let string, let bytes = Base64.decode(string.utf8) else {
            throw .wrongValue(type: "BYTES", expected: "a string of base64")
        }
        return bytes
    }

    fileprivate func listValue<Element>(
        _ type: String, _ read: (JSONNode) throws(WireError) -> Element
    ) throws(WireError) -> [Element] {
        guard kind == .array else { throw .wrongValue(type: type, expected: "a list") }
        var list: [Element] = []
        list.reserveCapacity(count)
        for element in elements {
            do { list.append(try read(element)) } catch { throw error.inside("[\(list.count)]") }
        }
        return list
    }
}

extension JSONWriter {
    fileprivate mutating func base64(_ bytes: [UInt8]) {
        let quote = UInt8(ascii: "\"")
        raw([quote] + Base64.encode(bytes) + [quote])  // no byte of base64 needs an escape
    }

    fileprivate mutating func list<Element>(_ list: [Element], _ write: (Element, inout JSONWriter) -> Void) {
        beginArray()
        for element in list { write(element, &self) }
        endArray()
    }
}
