import CloudKitWire
import LosslessJSON
import WireCoding

/// A value of JSON as it is written.
struct RawValue: Hashable, Sendable {
    var bytes: [UInt8]

    init(_ bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
    }

    static func bool(_ value: Bool) -> Self { Self((value ? "true" : "false").utf8) }

    static func int(_ value: Int) -> Self { Self(String(value).utf8) }

    static func string(_ value: String) -> Self {
        var json = JSONWriter()
        json.string(value)
        return Self(json.bytes)
    }

    static func array(_ values: [RawValue]) -> Self {
        Self([UInt8(ascii: "[")] + values.map(\.bytes).joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "]")])
    }

    private var node: JSONNode? { (try? JSONDocument(parsing: bytes))?.root }
    var string: String? { node?.string }
    var bool: Bool? { node?.bool }
    var int: Int64? { node?.int64 }
}

/// An object of JSON whose members can be exchanged, and stay as they are written where they are not.
struct RawObject: Sendable {
    private var members: [(key: String, value: RawValue)] = []

    init() {}

    /// `nil` for everything but an object.
    init?(_ bytes: [UInt8]) {
        guard let root = try? JSONDocument(parsing: bytes).root, root.kind == .object else { return nil }
        members = root.members.map { ($0.key, RawValue($0.value.text)) }
    }

    /// A member's value; `nil` where it is absent or `null`.
    subscript(key: String) -> RawValue? {
        get {
            members.first { $0.key.utf8.elementsEqual(key.utf8) }.map(\.value).flatMap {
                $0.bytes.elementsEqual("null".utf8) ? nil : $0
            }
        }
        set {
            let index = members.firstIndex { $0.key.utf8.elementsEqual(key.utf8) }
            switch (index, newValue) {
            case (let index?, let value?): members[index].value = value
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append((key, value))
            case (nil, nil): break
            }
        }
    }

    var bytes: [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        for member in members {
            json.key(member.key)
            json.raw(member.value.bytes)
        }
        json.endObject()
        return json.bytes
    }

    var value: RawValue { RawValue(bytes) }

    /// The objects of a list; none where there is no list.
    func list(_ key: String) -> [RawObject] {
        guard let value = self[key], let root = try? JSONDocument(parsing: value.bytes).root, root.kind == .array else {
            return []
        }
        return root.elements.map { RawObject(Array($0.text)) ?? RawObject() }
    }

    /// Changes each object of a list, where there is one; what is no object stays.
    mutating func changeList(_ key: String, _ change: (inout RawObject) -> Void) {
        guard let value = self[key], let root = try? JSONDocument(parsing: value.bytes).root, root.kind == .array else {
            return
        }
        self[key] = .array(
            root.elements.map { element in
                guard var object = RawObject(Array(element.text)) else { return RawValue(element.text) }
                change(&object)
                return object.value
            })
    }

    /// The name in `zoneID`, be it said or not.
    var zoneName: String? {
        self["zoneID"].map { RawObject($0.bytes)?["zoneName"]?.string ?? ZoneID.defaultZoneName }
    }

    /// Makes an error of a zone's entry.
    mutating func fail(with error: ErrorDictionary, syncToken: String?) {
        let zoneID = self["zoneID"]
        self = RawObject(error.encoded()) ?? self
        self["zoneID"] = zoneID
        self["syncToken"] = syncToken.map(RawValue.string)
    }
}
