public import SyncModel

extension LocalEntry: TreeEntry {
    public var key: FolderPath { path }

    /// How the form is written; what follows it depends on it.
    private enum FormCode {
        static let file: UInt64 = 0
        static let structured: UInt64 = 1
        static let unfit: UInt64 = 2
        static let held: UInt64 = 3
    }

    public func write(to writer: inout EntryWriter) {
        writer.path(path)
        writer.hash(hash)
        writer.number(stamp.device)
        writer.number(stamp.inode)
        writer.signed(stamp.size)
        writer.signed(stamp.modified)
        // Mostly a moment apart.
        writer.signed(stamp.changed &- stamp.modified)
        writer.signed(stamp.born &- stamp.modified)
        writer.number(UInt64(stamp.mode) << 1 | (isSettled ? 1 : 0))
        switch form {
        case .file: writer.number(FormCode.file)
        case .structured(let recordType, let attachments):
            writer.number(FormCode.structured)
            writer.word(recordType)
            writer.count(attachments.count)
            for attachment in attachments {
                writer.word(attachment.field)
                writer.index(attachment.index)
                writer.path(attachment.path)
            }
        case .unfit(let problem):
            writer.number(FormCode.unfit)
            problem.write(to: &writer)
        case .held(let problem):
            writer.number(FormCode.held)
            problem.write(to: &writer)
        }
    }

    public init(from reader: inout EntryReader) {
        let (path, hash) = (reader.path(), reader.hash())
        let (stamp, isSettled) = Self.stamp(&reader)
        self.init(path: path, stamp: stamp, hash: hash, form: Self.form(&reader), isSettled: isSettled)
    }

    private static func stamp(_ reader: inout EntryReader) -> (FileStamp, isSettled: Bool) {
        var stamp = FileStamp(
            device: reader.number(), inode: reader.number(), size: reader.signed(), modified: reader.signed(),
            changed: reader.signed(), mode: 0, born: reader.signed())
        stamp.changed &+= stamp.modified
        stamp.born &+= stamp.modified
        let mode = reader.number()
        stamp.mode = UInt32(mode >> 1)
        return (stamp, mode & 1 == 1)
    }

    /// Whether the next part is a file that can be synced, and was read, as it was with a stamp that proves its bytes.
    fileprivate static func isSettled(as seen: FileStamp, _ reader: inout EntryReader) -> Bool {
        reader.skipPath()
        // How large a file may be that is read is for each look to say.
        guard !reader.hash().isOfUnread else { return false }
        let (stamp, isSettled) = stamp(&reader)
        return isSettled && stamp == seen && reader.number() != FormCode.held
    }

    fileprivate static func file(
        with hash: ContentHash, _ reader: inout EntryReader
    ) -> (stamp: FileStamp, form: FileForm)? {
        reader.skipPath()
        guard reader.hash() == hash else { return nil }
        let (stamp, _) = stamp(&reader)
        return (stamp, form(&reader))
    }

    private static func form(_ reader: inout EntryReader) -> FileForm {
        switch reader.number() {
        case FormCode.structured:
            let recordType = reader.word()
            let attachments = (0..<reader.count()).map { _ in
                Attachment(field: reader.word(), index: reader.index(), path: reader.path())
            }
            return .structured(recordType: recordType, attachments: attachments)
        case FormCode.unfit: return .unfit(Problem(from: &reader))
        case FormCode.held: return .held(Problem(from: &reader))
        default: return .file
        }
    }

    public static func isNamed(_ path: FolderPath, _ reader: inout EntryReader) -> Bool { reader.isPath(path) }
}

extension TreeTable where Entry == LocalEntry {
    /// The file at a path; `nil` removes it.
    public internal(set) subscript(path: FolderPath) -> LocalEntry? {
        get { entry(of: path) }
        set { set(newValue, of: path) }
    }

    /// Whether there is a file at a path.
    public func contains(_ path: FolderPath) -> Bool { row(of: path) != nil }

    /// The row of a file that is known and can be synced, where a stamp proves that its bytes are what they were.
    public func settledRow(_ path: FolderPath, as stamp: FileStamp) -> Int? {
        guard let row = row(of: path), read(row, { LocalEntry.isSettled(as: stamp, &$0) }) == true else { return nil }
        return row
    }

    /// The files in rows of which something holds, in no order.
    public func paths(inRows isMeant: (Int) -> Bool) -> [FolderPath] {
        rowNumbers.filter(isMeant).compactMap { row in read(row) { $0.path() } }
    }

    /// The stamp and the form of the file at a path, if it has these bytes.
    func file(at path: FolderPath, with hash: ContentHash) -> (stamp: FileStamp, form: FileForm)? {
        guard let row = row(of: path) else { return nil }
        return read(row) { LocalEntry.file(with: hash, &$0) } ?? nil
    }

    /// The files below some folders, at any depth, in no order. Of the others no more than a number is read: a hundred thousand
    /// take about a millisecond.
    public func paths(below folders: Set<FolderPath>) -> [FolderPath] {
        let numbers = self.folders { $0.isEqualOrBelow(anyOf: folders) }
        return paths { reader in reader.index().map(numbers.contains) ?? false }
    }

    /// The files with one of some contents, in no order. Of the others no more than the hash is read.
    public func paths(with contents: Set<ContentHash>) -> [FolderPath] {
        paths { reader in
            reader.skipPath()
            return contents.contains(reader.hash())
        }
    }

    private func paths(where isMeant: (inout EntryReader) -> Bool) -> [FolderPath] {
        rows(where: isMeant).compactMap { row in read(row) { $0.path() } }
    }
}

extension Problem {
    fileprivate func write(to writer: inout EntryWriter) {
        writer.text(code.rawValue)
        writer.text(message)
        writer.text(remedy)
        writer.index(line)
    }

    fileprivate init(from reader: inout EntryReader) {
        self.init(
            Problem.Code(rawValue: reader.text()), message: reader.text(), remedy: reader.text(), line: reader.index())
    }
}

extension FolderPath {
    fileprivate func isEqualOrBelow(anyOf folders: Set<FolderPath>) -> Bool {
        folders.contains(self) || ancestors.contains(where: folders.contains)
    }
}
