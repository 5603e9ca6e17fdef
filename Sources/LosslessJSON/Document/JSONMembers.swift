/// One member of an object.
public struct JSONMember: Sendable {
    let storage: JSONStorage
    let index: Int

    /// The characters that the key stands for.
    public var key: String { storage.string(of: index) }

    /// Where the key is in the document's bytes, quotation marks included.
    public var keyRange: Range<Int> { storage.tape[index].range }

    /// The key exactly as written, quotation marks included.
    public var keyText: ArraySlice<UInt8> { storage.bytes[keyRange] }

    /// Whether the key stands for exactly these bytes.
    public func hasKey(_ key: String) -> Bool { storage.isString(index, equalTo: key) }

    /// The member's value.
    public var value: JSONNode { JSONNode(storage: storage, index: index + 1) }
}

/// The members of an object, in the order of the text.
public struct JSONMembers: Sequence, Sendable {
    let storage: JSONStorage
    let first: Int
    /// How many there are.
    public let count: Int

    /// Whether there are none.
    public var isEmpty: Bool { count == 0 }

    /// The count, exactly.
    public var underestimatedCount: Int { count }

    /// Steps from member to member without looking inside their values.
    public struct Iterator: IteratorProtocol {
        let storage: JSONStorage
        var upcoming: Int
        var left: Int

        /// The next member, or `nil` after the last.
        public mutating func next() -> JSONMember? {
            guard left > 0 else { return nil }
            left -= 1
            defer { upcoming = Int(storage.tape[upcoming + 1].next) }
            return JSONMember(storage: storage, index: upcoming)
        }
    }

    /// Begins at the first.
    public func makeIterator() -> Iterator {
        Iterator(storage: storage, upcoming: first, left: count)
    }
}

/// The elements of an array, in order.
public struct JSONElements: Sequence, Sendable {
    let storage: JSONStorage
    let first: Int
    /// How many there are.
    public let count: Int

    /// Whether there are none.
    public var isEmpty: Bool { count == 0 }

    /// The count, exactly.
    public var underestimatedCount: Int { count }

    /// Steps from element to element without looking inside them.
    public struct Iterator: IteratorProtocol {
        let storage: JSONStorage
        var upcoming: Int
        var left: Int

        /// The next element, or `nil` after the last.
        public mutating func next() -> JSONNode? {
            guard left > 0 else { return nil }
            left -= 1
            defer { upcoming = Int(storage.tape[upcoming].next) }
            return JSONNode(storage: storage, index: upcoming)
        }
    }

    /// Begins at the first.
    public func makeIterator() -> Iterator {
        Iterator(storage: storage, upcoming: first, left: count)
    }
}
