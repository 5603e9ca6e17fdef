public import SyncModel

extension BaseEntry: TreeEntry {
    public var key: RecordName { name }

    public func write(to writer: inout EntryWriter) {
        writer.text(name.rawValue)
        writer.path(path)
        writer.file(file)
        writer.word(recordType)
        writer.hash(hash)
        writer.number(UInt64(standing.rawValue) << 2 | (isPartial ? 2 : 0) | (executable ? 1 : 0))
        writer.text(changeTag)
        writer.signed(createdMilliseconds)
        // Mostly a moment apart.
        writer.signed(modified &- file.born)
        writer.text(renewal)
        writer.count(assets.count)
        for asset in assets {
            writer.word(asset.field)
            writer.index(asset.index)
            writer.path(asset.path)
            writer.hash(asset.hash)
            writer.text(asset.checksum)
            writer.text(asset.renewal)
            writer.count(asset.file == nil ? 0 : 1)
            if let file = asset.file { writer.file(file) }
        }
    }

    public init(from reader: inout EntryReader) {
        let (name, path, file) = (RecordName(reader.text()), reader.path(), reader.file())
        let (recordType, hash) = (reader.word(), reader.hash())
        let flags = reader.number()
        let (changeTag, created) = (reader.text(), reader.signed())
        let modified = reader.signed() &+ file.born
        let renewal = reader.text()
        self.init(
            name: name, recordType: recordType, path: path, hash: hash, executable: flags & 1 == 1,
            changeTag: changeTag, createdMilliseconds: created,
            assets: (0..<reader.count()).map { _ in AgreedAsset(from: &reader) }, file: file, modified: modified,
            standing: Standing(rawValue: Int64(flags >> 2))!, renewal: renewal,
            isPartial: flags & 2 == 2)
    }
}

extension TreeTable where Entry == BaseEntry {
    /// What both sides agreed on for a record; `nil` removes it.
    public internal(set) subscript(name: RecordName) -> BaseEntry? {
        get { entry(of: name) }
        set { set(newValue, of: name) }
    }

    /// Whether there is an entry of a name.
    public func contains(_ name: RecordName) -> Bool { row(of: name) != nil }

    /// Whether the entry in a row has a file as its own.
    func row(_ row: Int, isOf file: FileIdentity) -> Bool {
        read(row) { reader in
            reader.skipText()
            reader.skipPath()
            return reader.file() == file
        } ?? false
    }
}

extension AgreedAsset {
    fileprivate init(from reader: inout EntryReader) {
        self.init(
            field: reader.word(), index: reader.index(), path: reader.path(), hash: reader.hash(),
            checksum: reader.text())
        renewal = reader.text()
        if reader.count() == 1 { file = reader.file() }
    }
}
