/// Edits, resolved to places on the tape, and turned into splices of the text.
struct JSONEditPlan {
    let storage: JSONStorage
    let style: JSONLayoutStyle

    /// New texts by the tape index of the value they replace.
    private var replaced: [Int: [UInt8]] = [:]
    /// Tape indexes of values that go, member or element.
    private var removed: Set<Int> = []
    /// What goes into a container, by the container's tape index.
    private var insertions: [Int: [Insertion]] = [:]
    /// Containers that lose or gain items, with their paths.
    private var restructured: [Int: JSONEdit.Path] = [:]

    struct Insertion {
        var key: String?
        var value: [UInt8]
        /// After how many of the container's items it goes.
        var ordinal: Int
    }

    init(document: JSONDocument) {
        storage = document.storage
        style = JSONLayoutStyle(of: document)
    }

    mutating func add(_ edit: JSONEdit) throws(JSONEditError) {
        let node = try resolve(edit.path)
        switch edit.change {
        case .replace(let value):
            let value = try checked(value, at: edit.path, depth: edit.path.count)
            guard replaced.updateValue(value, forKey: node.index) == nil, !removed.contains(node.index) else {
                throw .overlapping(edit.path)
            }
        case .remove:
            guard !edit.path.isEmpty else { throw .rootRemoved() }
            guard removed.insert(node.index).inserted, replaced[node.index] == nil else {
                throw .overlapping(edit.path)
            }
            let parent = Array(edit.path.dropLast())
            restructured[try resolve(parent).index] = parent
        case .insert(let key, let value, let position):
            guard node.kind == (key == nil ? .array : .object) else {
                throw .notAContainer(edit.path, isObject: key != nil)
            }
            let value = try checked(value, at: edit.path, depth: edit.path.count + 1)
            let ordinal = try ordinal(of: position, in: node, at: edit.path)
            insertions[node.index, default: []].append(Insertion(key: key, value: value, ordinal: ordinal))
            restructured[node.index] = edit.path
        }
    }

    /// The edited text.
    func result() throws(JSONEditError) -> [UInt8] {
        var splices = replaced.map { Splice(range: storage.tape[$0.key].range, text: $0.value) }
        for (container, path) in restructured {
            splices += try JSONContainerEdit(
                storage: storage, style: style, container: container, path: path, removed: removed,
                insertions: insertions[container] ?? []
            ).splices()
        }
        splices.sort { ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound) }
        var result: [UInt8] = []
        result.reserveCapacity(splices.reduce(storage.bytes.count) { $0 + $1.text.count })
        var copied = 0
        for splice in splices {
            // A place inside something that is itself replaced or removed lies before what is already done.
            guard splice.range.lowerBound >= copied else { throw .overlapping(path(at: splice.range.lowerBound)) }
            result.append(contentsOf: storage.bytes[copied..<splice.range.lowerBound])
            result.append(contentsOf: splice.text)
            copied = splice.range.upperBound
        }
        result.append(contentsOf: storage.bytes[copied...])
        return result
    }

    struct Splice {
        var range: Range<Int>
        var text: [UInt8]
    }

    // MARK: - Places

    private func resolve(_ path: JSONEdit.Path) throws(JSONEditError) -> JSONNode {
        var node = JSONNode(storage: storage, index: 0)
        for step in path {
            guard let next = child(step, of: node) else { throw .noSuchPlace(path) }
            node = next
        }
        return node
    }

    private func child(_ step: JSONPathStep, of node: JSONNode) -> JSONNode? {
        switch step {
        case .key(let key): node[key]
        case .index(let index): index < 0 ? nil : node.elements.dropFirst(index).first { _ in true }
        }
    }

    private func ordinal(
        of position: JSONEdit.Position, in node: JSONNode, at path: JSONEdit.Path
    ) throws(JSONEditError) -> Int {
        let (step, offset): (JSONPathStep, Int)
        switch position {
        case .first: return 0
        case .last: return node.count
        case .before(let sibling): (step, offset) = (sibling, 0)
        case .after(let sibling): (step, offset) = (sibling, 1)
        }
        switch (step, node.kind) {
        case (.index(let index), .array) where (0..<node.count).contains(index):
            return index + offset
        case (.key(let key), .object):
            for (ordinal, member) in node.members.enumerated() where member.hasKey(key) { return ordinal + offset }
            throw .noSuchPlace(path + [step])
        default:
            throw .noSuchPlace(path + [step])
        }
    }

    /// The path of the innermost value that holds a byte, for a message.
    private func path(at offset: Int) -> JSONEdit.Path {
        var node = JSONNode(storage: storage, index: 0)
        var path: JSONEdit.Path = []
        descend: while true {
            for member in node.members
            where member.keyRange.lowerBound <= offset && offset < member.value.range.upperBound {
                path.append(.key(member.key))
                node = member.value
                continue descend
            }
            for (index, element) in node.elements.enumerated() where element.range.contains(offset) {
                path.append(.index(index))
                node = element
                continue descend
            }
            return path
        }
    }

    private func checked(_ value: [UInt8], at path: JSONEdit.Path, depth: Int) throws(JSONEditError) -> [UInt8] {
        let parsed: JSONDocument
        do { parsed = try JSONDocument(parsing: value) } catch { throw .invalidValue(path, error) }
        guard depth + parsed.storage.depth <= JSONDocument.maximumDepth else { throw .tooDeep(path) }
        return Array(parsed.root.text)
    }
}
