extension JSONDocument {
    /// The document's bytes with some edits made, all named by places in this document.
    ///
    /// Only what an edit touches changes: a replaced value, or the white space and comma between two neighbours
    /// of which one is new or one went between them. Every other byte stays as it is, and members that stay keep
    /// their text. Inserts at the same position come in the order of the edits. A key may be inserted that
    /// another edit removes.
    /// - Throws: ``JSONEditError`` where an edit names nothing, collides with another, or would break the document.
    public func applying(_ edits: [JSONEdit]) throws(JSONEditError) -> [UInt8] {
        var plan = JSONEditPlan(document: self)
        for edit in edits { try plan.add(edit) }
        return try plan.result()
    }
}
