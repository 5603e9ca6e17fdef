import LosslessJSON

/// Whose layout a merged document has: the zone's, unless the folder's file alone is laid out otherwise than what both had.
extension DocumentMerge {
    /// - Parameter merged: In the zone's layout.
    static func laidOut(
        _ merged: [UInt8], base: JSONDocument?, local: JSONDocument, remote: JSONDocument
    ) -> [UInt8] {
        guard let base, local.bytes != remote.bytes, let document = try? JSONDocument(parsing: merged),
            [base, local, remote, document].allSatisfy({ $0.root.kind == .object }),
            values(of: remote, in: base) == remote.bytes, values(of: local, in: base) != local.bytes
        else { return merged }
        return values(of: document, in: local)
    }

    /// A document's text with the values of another one: what is the same in both keeps its text, and what is new stands behind it.
    private static func values(of document: JSONDocument, in text: JSONDocument) -> [UInt8] {
        var setting = DocumentMerge(policy: { _ in .remote }, newest: .remote)
        return setting.object(
            base: text.root, local: document.root, remote: text.root, in: text.bytes[...], path: [])
    }
}
