import CloudKitWire
import LosslessJSON
import RecordPaths
import SyncModel

/// Reads the JSON values of one structured file as field values (design.md §3, "Values").
struct ValueReader {
    let context: MappingContext
    /// The JSON file, from which asset paths are seen.
    let file: FolderPath

    /// Reads one value of the top level.
    /// - Parameters:
    ///   - expected: The field's type where the schema knows it.
    ///   - current: The zone's value, whose reference keeps its action where the text names none.
    func read(
        _ node: JSONNode, key: String, expected: FieldType?, current: FieldValue? = nil
    ) throws(MappingProblem) -> ReadValue {
        if node.isNull { return .nothing }
        let place = ValuePlace(key: key)
        if let type = expected, type.element != nil {
            guard node.kind == .array else { throw .wrongType(place, found: spoken(node), expected: type) }
            return try list(node, key: key, type: type)
        }
        if let type = expected {
            if type == .string, node.kind == .object || node.kind == .array, ExplicitForm(node) == nil {
                return .ownText(Array(node.text))
            }
            return try scalar(node, at: place, type: type, current: current)
        }
        switch node.kind {
        case .string, .bool, .number: return try scalar(node, at: place, type: naturalType(node), current: nil)
        case .object:
            guard let form = ExplicitForm(node) else { return .ownText(Array(node.text)) }
            return try scalar(node, at: place, type: form.type, current: current)
        case .array:
            if node.count == 0 { return .nothing }
            guard let type = commonType(node), let list = type.list else { return .ownText(Array(node.text)) }
            return try self.list(node, key: key, type: list)
        case .null: return .nothing
        }
    }

    private func list(_ node: JSONNode, key: String, type: FieldType) throws(MappingProblem) -> ReadValue {
        guard let element = type.element else { preconditionFailure("a list type has an element type") }
        var elements: [FieldValue] = []
        var files: [FolderPath] = []
        for (index, item) in node.elements.enumerated() {
            let place = ValuePlace(key: key, element: index + 1)
            switch try scalar(item, at: place, type: element, list: type, current: nil) {
            case .value(let value): elements.append(value)
            case .files(let paths, _): files += paths
            case .nothing where element == .asset: throw .emptyAssetPath(place)
            case .ownText, .nothing: throw .wrongType(place, found: spoken(item), expected: type)
            }
        }
        return element == .asset ? .files(files, isList: true) : .value(FieldValue(listOf: element, elements))
    }

    // swift-format-ignore: the table of types reads best in one piece.
    /// - Parameter list: The field's type, where the value is one of a list.
    private func scalar(
        _ node: JSONNode, at place: ValuePlace, type: FieldType, list: FieldType? = nil, current: FieldValue?
    ) throws(MappingProblem) -> ReadValue {
        let form = ExplicitForm(node)
        if let form, form.type != type { throw .wrongType(place, found: spoken(node), expected: list ?? type) }
        let content = form?.content ?? node
        switch type {
        case .string:
            if let text = content.string { return .value(.string(text)) }
        case .int64:
            if let number = Self.integer(content) { return .value(.int64(number)) }
            if content.kind == .number, content.double == nil || !content.text.contains(where: Self.marksFraction) {
                throw .numberOutOfRange(place)
            }
        case .double:
            if content.kind == .number {
                guard let number = content.double else { throw .numberOutOfRange(place) }
                return .value(.double(number))
            }
        case .timestamp:
            if let text = content.string {
                guard let time = TimestampText.milliseconds(text) else {
                    throw .illegalValue(place, "is no time; write it like \"2026-01-31T12:00:00.000Z\"")
                }
                return .value(.timestamp(time))
            }
            if form != nil, let time = content.int64 { return .value(.timestamp(time)) }
        case .bytes:
            if let text = content.string {
                guard let bytes = Base64Text.bytes(text) else {
                    throw .illegalValue(place, "is no base64; use the standard alphabet, with padding")
                }
                return .value(.bytes(bytes))
            }
        case .location:
            if content.kind == .object { return .value(.location(try LocationText.read(content, at: place))) }
        case .reference:
            return .value(.reference(try reference(node, form: form, at: place, list: list, current: current)))
        case .asset:
            if let text = content.string {
                if text.isEmpty { return .nothing }
                do throws(AssetPath.Refusal) {
                    return .files([try AssetPath.path(text, from: file)], isList: false)
                } catch {
                    throw .illegalAssetPath(place, text, error)
                }
            }
        default: break
        }
        throw .wrongType(
            place, found: form == nil ? spoken(node) : "\(spoken(content)) in its explicit form", expected: list ?? type
        )
    }

    private func reference(
        _ node: JSONNode, form: ExplicitForm?, at place: ValuePlace, list: FieldType?, current: FieldValue?
    ) throws(MappingProblem) -> Reference {
        var kept: Reference?
        if case .reference(let reference) = current { kept = reference }
        var action = kept?.action ?? .none
        if let form {
            action = .none
            if let named = form.action {
                guard let known = named.string.flatMap(Reference.Action.init(rawValue:)) else {
                    throw .illegalValue(place, "has an action that is none of NONE, DELETE_SELF and VALIDATE")
                }
                action = known
            }
        }
        let content = form?.content ?? node
        if content.kind == .object, let name = content["recordName"]?.string {
            var zone = content["zoneName"]?.string.map { ZoneID(zoneName: $0) }
            zone?.ownerRecordName = content["ownerRecordName"]?.string
            return Reference(recordName: name, zoneID: zone, action: action)
        }
        guard let text = content.string else {
            throw .wrongType(place, found: spoken(node), expected: list ?? .reference)
        }
        guard let path = PathAttribute.path(of: text) else { throw .illegalTarget(place, text) }
        guard let name = context.recordName(path) else {
            throw Self.isPointer(text) ? .illegalTarget(place, text) : .missingTarget(place, text)
        }
        if let kept, kept.recordName.utf8.elementsEqual(name.rawValue.utf8) {
            return Reference(recordName: kept.recordName, zoneID: kept.zoneID, action: action)
        }
        return Reference(recordName: name.rawValue, action: action)
    }

    /// Whether a text points into a document, as those of JSON Schema do: `#`, `#/definitions/name`, `other.json#/name`. It could
    /// be a path, but nobody will save a file there.
    private static func isPointer(_ text: String) -> Bool {
        text == "#" || text.hasPrefix("#/") || text.contains(".json#")
    }

    /// An integer by any spelling: 5, 5.0, 5e0, -0, and true and false as 1 and 0. The spelling is the hints' matter.
    private static func integer(_ node: JSONNode) -> Int64? {
        if let number = node.int64 { return number }
        if let bool = node.bool { return bool ? 1 : 0 }
        guard let number = node.double, node.text.contains(where: marksFraction) || number == 0,
            number.magnitude <= 9_007_199_254_740_992
        else { return nil }
        return Int64(exactly: number)
    }

    private static func marksFraction(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ".") || byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E")
    }

    /// The type of a value that no schema says anything of.
    private func naturalType(_ node: JSONNode) -> FieldType {
        switch node.kind {
        case .string: .string
        case .bool: .int64
        case .number: node.int64 != nil ? .int64 : .double
        case .object, .array, .null: ExplicitForm(node)?.type ?? .string
        }
    }

    /// The one type that all elements have, or `nil` for a list that CloudKit cannot hold.
    private func commonType(_ node: JSONNode) -> FieldType? {
        var common: FieldType?
        var kind: JSONNode.Kind?
        for element in node.elements {
            if element.isNull || element.kind == .array { return nil }
            if element.kind == .object, ExplicitForm(element) == nil { return nil }
            let type = naturalType(element)
            if let common, common != type {
                // Whole numbers among others are numbers.
                guard kind == .number, element.kind == .number else { return nil }
            }
            if let kind, kind != element.kind { return nil }
            kind = element.kind
            common = common == .double && type == .int64 ? .double : type
        }
        return common
    }

    private func spoken(_ node: JSONNode) -> String {
        switch node.kind {
        case .object: ExplicitForm(node).map { "an explicit \($0.type.rawValue)" } ?? "an object"
        case .array: "a list"
        case .string: "a text"
        case .number: node.int64 != nil ? "a whole number" : "a number"
        case .bool: "true or false"
        case .null: "null"
        }
    }
}
