import LosslessJSON

/// A value of an answer, to be reached by keys and indices; what is absent is `nil` all the way down.
struct TestJSON: CustomStringConvertible {
    let node: JSONNode?

    init(_ bytes: [UInt8]) {
        node = try? JSONDocument(parsing: bytes).root
    }

    private init(node: JSONNode?) {
        self.node = node
    }

    subscript(key: String) -> TestJSON { TestJSON(node: node?[key]) }

    subscript(index: Int) -> TestJSON {
        guard node?.kind == .array, let elements = node.map({ Array($0.elements) }), elements.indices.contains(index)
        else { return TestJSON(node: nil) }
        return TestJSON(node: elements[index])
    }

    var isAbsent: Bool { node == nil }
    var string: String? { node?.string }
    var int: Int64? { node?.int64 }
    var bool: Bool? { node?.bool }
    var count: Int { node?.count ?? -1 }
    var items: [TestJSON] { node?.kind == .array ? node!.elements.map { TestJSON(node: $0) } : [] }
    var keys: [String] { node?.kind == .object ? node!.members.map(\.key) : [] }
    /// As it was written.
    var text: String? { node.map { String(decoding: $0.text, as: UTF8.self) } }
    var description: String { text ?? "absent" }
}
