import LosslessJSON

/// The file as it is once some fields are a conflict copy's: all else in it stays, also what changed since.
enum ConflictMerge {
    /// - Parameters:
    ///   - file: The file's bytes; `nil` where it is gone.
    ///   - copy: The conflict copy's.
    ///   - fields: Those that collided, such as `title` or `place.name`; none: the whole file did.
    /// - Returns: The bytes that the file is to have. The whole copy, where either is no JSON object.
    static func taking(_ fields: [String], of copy: [UInt8], into file: [UInt8]?) -> [UInt8] {
        guard let file, !fields.isEmpty, let document = try? JSONDocument(parsing: file),
            let source = try? JSONDocument(parsing: copy).root, document.root.kind == .object, source.kind == .object
        else { return copy }
        var edits: [JSONEdit] = []
        for field in fields {
            let path = steps(to: field, in: [document.root, source])
            edits += self.edits(path, from: source, in: document.root)
            // The two are one value; the collision names the first.
            if path.last == "latitude" {
                edits += self.edits(path.dropLast() + ["longitude"], from: source, in: document.root)
            }
        }
        // Two fields of which one is in the other cannot be: then the copy is what was meant as a whole.
        return (try? document.applying(edits)) ?? copy
    }

    /// What makes the value at a path the source's.
    private static func edits(_ path: [String], from source: JSONNode, in target: JSONNode) -> [JSONEdit] {
        var (from, into): (JSONNode?, JSONNode) = (source, target)
        for (depth, key) in path.enumerated() {
            from = from?[key]
            let place = path[...depth].map { JSONPathStep(stringLiteral: $0) }
            guard let next = into[key] else {
                // Also an object with all in it that the target lacks.
                return from.map { [.insert(key: key, value: Array($0.text), into: Array(place.dropLast()))] } ?? []
            }
            guard let from else { return [.remove(place)] }
            let isEnd = depth == path.count - 1
            guard !isEnd, next.kind == .object, from.kind == .object else {
                return next.text.elementsEqual(from.text) ? [] : [.replace(place, with: Array(from.text))]
            }
            into = next
        }
        return []
    }

    /// The keys that a field's name is made of: keys may have dots in them.
    /// - Parameter roots: Where they may lead; the first that knows the whole way decides.
    private static func steps(to field: String, in roots: [JSONNode]) -> [String] {
        for root in roots {
            if let steps = steps(to: field[...], in: root) { return steps }
        }
        return field.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    }

    private static func steps(to field: Substring, in node: JSONNode) -> [String]? {
        guard node.kind == .object else { return nil }
        if node[String(field)] != nil { return [String(field)] }
        for index in field.indices where field[index] == "." {
            let key = String(field[..<index])
            guard let next = node[key], let rest = steps(to: field[field.index(after: index)...], in: next) else {
                continue
            }
            return [key] + rest
        }
        return nil
    }
}
