public import SyncModel

/// What to do about one record.
public struct Decision: Hashable, Sendable {
    public var kind: Action.Kind
    /// `true` where an edit outlives a deletion on the other side.
    public var outlivesDeletion: Bool

    /// A decision, to be carried out as an `Action`.
    public init(_ kind: Action.Kind, outlivesDeletion: Bool = false) {
        self.kind = kind
        self.outlivesDeletion = outlivesDeletion
    }
}

/// What to do about one record, or `nil` where nothing is to be done or can be.
///
/// One step at a time: where both content and path differ, the other one is decided on when this one is done.
/// An edit outlives a deletion, either way; a rename counts as an edit. Where both sides gave a file another path,
/// the zone's holds.
public func decide(_ view: RecordView) -> Decision? {
    switch (view.base, view.local, view.remote) {
    case (_, .unobserved, _), (_, .held, _):
        nil
    case (nil, .absent, nil):
        nil
    case (nil, .absent, .some):
        Decision(.writeFile)
    case (nil, .present, nil):
        Decision(.createRecord)
    case (nil, .present(_, _, let isEdited), .some):
        // The file of a record that is gone is written over by the one that follows it.
        Decision(isEdited ? .reconcile : .writeFile)
    case (.some, .absent, nil):
        Decision(.forget)
    case (let base?, .absent, let remote?):
        remote.changeTag == base.changeTag ? Decision(.deleteRecord) : Decision(.writeFile, outlivesDeletion: true)
    case (let base?, .present(let path, _, let isEdited), nil):
        isEdited || path != base.path ? Decision(.createRecord, outlivesDeletion: true) : Decision(.deleteFile)
    case (let base?, .present(let path, _, let isEdited), let remote?):
        decide(base: base, path: path, isEdited: isEdited, remote: remote)
    }
}

/// The case in which all three sides have the record.
private func decide(
    base: RecordView.Base, path: FolderPath, isEdited: Bool, remote: RecordView.Remote
) -> Decision? {
    let isToReceive = base.isPartial || remote.changeTag != base.changeTag
    let isMovedThere = remote.path != base.path
    let isMovedHere = path != base.path
    if isMovedThere, path != remote.path { return Decision(.moveFile(to: remote.path)) }
    switch (isEdited, isToReceive) {
    case (true, true): return Decision(.reconcile)
    case (false, true): return Decision(.writeFile)
    case (true, false): return Decision(.updateRecord(content: true, path: isMovedHere && !isMovedThere))
    case (false, false):
        // Both sides moved it to the same place: writing the agreed version again moves the base there.
        if isMovedThere { return Decision(.moveFile(to: remote.path)) }
        return isMovedHere ? Decision(.updateRecord(content: false, path: true)) : nil
    }
}
