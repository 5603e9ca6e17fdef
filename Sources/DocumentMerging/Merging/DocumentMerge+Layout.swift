import LosslessJSON
import RecordMapping

/// Whose layout a merged document has: the zone's, unless the folder's file alone is laid out otherwise than what both had.
extension DocumentMerge {
    /// - Parameter merged: In the zone's layout.
    static func laidOut(
        _ merged: [UInt8], base: JSONDocument?, local: JSONDocument, remote: JSONDocument
    ) -> [UInt8] {
        guard let base, local.bytes != remote.bytes, let document = try? JSONDocument(parsing: merged),
            [base, local, remote, document].allSatisfy({ $0.root.kind == .object }), !local.root.members.isEmpty,
            !isLaidOutAnew(remote, since: base), isLaidOutAnew(local, since: base)
        else { return merged }
        return values(of: document.root, in: local.root, local.bytes[...])
    }

    /// The folder's document, whose values alone are others than both had, in the zone's layout where that is another one.
    static func laidOutAnew(base: JSONDocument?, local: JSONDocument, remote: JSONDocument) -> [UInt8] {
        guard let base, [base, local, remote].allSatisfy({ $0.root.kind == .object }), !remote.root.members.isEmpty,
            isLaidOutAnew(remote, since: base)
        else { return local.bytes }
        return values(of: local.root, in: remote.root, remote.bytes[...])
    }

    private static func isLaidOutAnew(_ document: JSONDocument, since base: JSONDocument) -> Bool {
        values(of: document.root, in: base.root, base.bytes[...]) != document.bytes
    }

    /// A text with the values of another object: what is the same in both keeps its text, and what is new stands behind it.
    /// - Parameters:
    ///   - old: The object that the text is of.
    ///   - text: Of the document or of a value in it.
    private static func values(of object: JSONNode, in old: JSONNode, _ text: ArraySlice<UInt8>) -> [UInt8] {
        let (members, known) = (Members(object), Members(old))
        guard !known.order.isEmpty else { return members.order.isEmpty ? Array(text) : Array(object.text) }
        var texts: [(field: String, key: String, text: [UInt8])] = []
        for id in known.order + members.order.filter({ known.nodes[$0] == nil }) {
            guard let value = members.nodes[id] else { continue }
            texts.append((id, known.keys[id] ?? members.keys[id] ?? "", Self.text(of: value, since: known.nodes[id])))
        }
        return FileLayout(of: old, in: text, fields: known.order).bytes(texts: texts)
    }

    private static func text(of value: JSONNode, since old: JSONNode?) -> [UInt8] {
        guard let old else { return Array(value.text) }
        if CanonicalJSON.bytes(value) == CanonicalJSON.bytes(old) { return Array(old.text) }
        let areObjects = [value, old].allSatisfy { $0.kind == .object && ExplicitForm($0) == nil }
        return areObjects ? values(of: value, in: old, old.text) : Array(value.text)
    }
}
