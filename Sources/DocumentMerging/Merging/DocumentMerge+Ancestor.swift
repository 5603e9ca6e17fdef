import LosslessJSON

extension DocumentMerge {
    /// What a merge is to begin from where this device sent versions and no answer came: the last agreed text, and in it
    /// those values that the zone has as they were sent.
    ///
    /// Such a value is not the other side's doing: a later edit of it here is one on top of it, and no collision. It may
    /// as well have been written alike over there; then both sides agree on it, which comes to the same. Of any other value
    /// nobody can tell whether it was made of what was sent; where that matters, the merge is given what was sent as well.
    /// - Parameters:
    ///   - base: What both sides last agreed on, where it is known.
    ///   - sent: The versions that went out, in their order.
    ///   - remote: The zone's version.
    public static func ancestor(base: [UInt8]?, sent: [[UInt8]], remote: [UInt8]) -> [UInt8]? {
        let documents = sent.compactMap { members(of: $0) }
        guard !documents.isEmpty, let remote = members(of: remote) else { return base }
        let base = base.flatMap { members(of: $0) } ?? [:]
        var names = Set(base.keys).union(remote.keys)
        for document in documents { names.formUnion(document.keys) }
        var writer = JSONWriter()
        writer.beginObject()
        for name in names.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            let now = remote[name]
            let isAsSent = documents.contains { document in
                document[name].map { CanonicalJSON.bytes($0) } == now.map { CanonicalJSON.bytes($0) }
            }
            guard let value = isAsSent ? now : base[name] else { continue }
            writer.key(String(decoding: name, as: UTF8.self))
            writer.raw(value.text)
        }
        writer.endObject()
        return writer.bytes
    }

    /// By the bytes of their keys: `String` takes some keys for equal that are not.
    private static func members(of bytes: [UInt8]) -> [[UInt8]: JSONNode]? {
        guard let document = try? JSONDocument(parsing: bytes), document.root.kind == .object else { return nil }
        return members(of: document.root)
    }

    static func members(of object: JSONNode) -> [[UInt8]: JSONNode] {
        Dictionary(object.members.map { (Array($0.key.utf8), $0.value) }) { first, _ in first }
    }
}
