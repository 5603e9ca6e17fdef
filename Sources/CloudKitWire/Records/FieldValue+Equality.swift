/// Exact comparison: two spellings of one text in different Unicode normal forms are two values, and -0 is not 0.
extension FieldValue: Hashable {
    /// Exact, as described above.
    public static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.string(let a), .string(let b)): a.utf8.elementsEqual(b.utf8)
        case (.int64(let a), .int64(let b)): a == b
        case (.double(let a), .double(let b)): a.bitPattern == b.bitPattern
        case (.timestamp(let a), .timestamp(let b)): a == b
        case (.bytes(let a), .bytes(let b)): a == b
        case (.reference(let a), .reference(let b)): a == b
        case (.location(let a), .location(let b)): a == b
        case (.asset(let a), .asset(let b)): a == b
        case (.stringList(let a), .stringList(let b)):
            a.elementsEqual(b) { $0.utf8.elementsEqual($1.utf8) }
        case (.int64List(let a), .int64List(let b)): a == b
        case (.doubleList(let a), .doubleList(let b)):
            a.elementsEqual(b) { $0.bitPattern == $1.bitPattern }
        case (.timestampList(let a), .timestampList(let b)): a == b
        case (.bytesList(let a), .bytesList(let b)): a == b
        case (.referenceList(let a), .referenceList(let b)): a == b
        case (.locationList(let a), .locationList(let b)): a == b
        case (.assetList(let a), .assetList(let b)): a == b
        case (.untyped(let a), .untyped(let b)): a == b
        case (.unknown(let aType, let a), .unknown(let bType, let b)): aType == bType && a == b
        default: false
        }
    }

    /// Hashes a part of what `==` compares: enough to spread, cheap for long lists.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .string(let text): hasher.combine(Array(text.utf8))
        case .int64(let number), .timestamp(let number): hasher.combine(number)
        case .double(let number): hasher.combine(number.bitPattern)
        case .bytes(let bytes), .untyped(let bytes), .unknown(_, let bytes): hasher.combine(bytes)
        case .stringList(let texts): hasher.combine(texts.count)
        case .int64List(let numbers), .timestampList(let numbers): hasher.combine(numbers)
        case .doubleList(let numbers): hasher.combine(numbers.count)
        case .bytesList(let list): hasher.combine(list)
        case .reference(let reference): hasher.combine(reference.recordName.utf8.count)
        case .asset(let asset): hasher.combine(asset.fileChecksum)
        case .location, .referenceList, .locationList, .assetList: break
        }
    }
}

/// A record name is told apart byte by byte.
extension Reference {
    /// Exact, as described above.
    public static func == (left: Self, right: Self) -> Bool {
        left.recordName.utf8.elementsEqual(right.recordName.utf8) && left.zoneID == right.zoneID
            && left.action == right.action
    }
}
