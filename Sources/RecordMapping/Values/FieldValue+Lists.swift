import CloudKitWire

extension FieldValue {
    /// A list of elements that all have the type `element`.
    init(listOf element: FieldType, _ elements: [FieldValue]) {
        switch element {
        case .string: self = .stringList(elements.compactMap { if case .string(let value) = $0 { value } else { nil } })
        case .int64: self = .int64List(elements.compactMap { if case .int64(let value) = $0 { value } else { nil } })
        case .double: self = .doubleList(elements.compactMap { if case .double(let value) = $0 { value } else { nil } })
        case .timestamp:
            self = .timestampList(elements.compactMap { if case .timestamp(let value) = $0 { value } else { nil } })
        case .bytes: self = .bytesList(elements.compactMap { if case .bytes(let value) = $0 { value } else { nil } })
        case .reference:
            self = .referenceList(elements.compactMap { if case .reference(let value) = $0 { value } else { nil } })
        case .location:
            self = .locationList(elements.compactMap { if case .location(let value) = $0 { value } else { nil } })
        case .asset: self = .assetList(elements.compactMap { if case .asset(let value) = $0 { value } else { nil } })
        default: preconditionFailure("CloudKit has no lists of lists")
        }
    }

    /// The elements of a list, or `nil` for a value that is none.
    var elements: [FieldValue]? {
        switch self {
        case .stringList(let list): list.map { .string($0) }
        case .int64List(let list): list.map { .int64($0) }
        case .doubleList(let list): list.map { .double($0) }
        case .timestampList(let list): list.map { .timestamp($0) }
        case .bytesList(let list): list.map { .bytes($0) }
        case .referenceList(let list): list.map { .reference($0) }
        case .locationList(let list): list.map { .location($0) }
        case .assetList(let list): list.map { .asset($0) }
        default: nil
        }
    }

    /// The assets that a value holds, in order.
    var assets: [Asset] {
        switch self {
        case .asset(let asset): [asset]
        case .assetList(let list): list
        default: []
        }
    }
}
