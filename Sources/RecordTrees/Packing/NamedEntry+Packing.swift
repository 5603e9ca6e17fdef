public import SyncModel

/// Entries of records: their names come first, and their paths after them.
extension TreeEntry where Key == RecordName {
    public static func isNamed(_ name: RecordName, _ reader: inout EntryReader) -> Bool { reader.isName(name) }
}

extension TreeTable where Entry.Key == RecordName {
    /// Whether the entry in a row is the one of a name.
    func row(_ row: Int, isNamed name: RecordName) -> Bool { read(row) { $0.isName(name) } ?? false }

    /// Whether the entry in a row has a path.
    func row(_ row: Int, isAt path: FolderPath) -> Bool {
        read(row) { reader in
            reader.skipText()
            return reader.isPath(path)
        } ?? false
    }
}
