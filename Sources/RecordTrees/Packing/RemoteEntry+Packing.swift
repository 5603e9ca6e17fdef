public import SyncModel

extension RemoteEntry: TreeEntry {
    public var key: RecordName { name }

    public func write(to writer: inout EntryWriter) {
        writer.text(name.rawValue)
        writer.path(path)
        writer.word(recordType)
        writer.text(changeTag)
        writer.signed(createdMilliseconds)
        writer.count(assets.count)
        for asset in assets {
            writer.word(asset.field)
            writer.index(asset.index)
            writer.text(asset.checksum)
            writer.signed(asset.size)
        }
    }

    public init(from reader: inout EntryReader) {
        let (name, path) = (RecordName(reader.text()), reader.path())
        let recordType = reader.word()
        self.init(
            name: name, recordType: recordType, changeTag: reader.text(), path: path,
            createdMilliseconds: reader.signed(),
            assets: (0..<reader.count()).map { _ in
                AssetVersion(
                    field: reader.word(), index: reader.index(), checksum: reader.text(), size: reader.signed())
            })
    }
}

extension TreeTable where Entry == RemoteEntry {
    /// The record of a name; `nil` removes it.
    public internal(set) subscript(name: RecordName) -> RemoteEntry? {
        get { entry(of: name) }
        set { set(newValue, of: name) }
    }

    /// Whether the record of an entry of the base is as it was agreed on.
    func has(_ base: BaseEntry) -> Bool {
        guard !base.isPartial, let row = row(of: base.name) else { return false }
        return read(row) { reader in
            reader.skipText()
            return reader.isPath(base.path) && reader.word() == base.recordType && reader.isText(base.changeTag)
                && !base.isOfAnotherRecord(madeAt: reader.signed())
        } ?? false
    }

    /// Whether there is a record of a name.
    public func contains(_ name: RecordName) -> Bool { row(of: name) != nil }
}
