import SyncModel

/// What a tree has an entry for each of.
public protocol TreeEntry: Sendable {
    associatedtype Key: Hashable & Sendable

    /// What names the entry in its tree.
    var key: Key { get }

    /// Writes the entry, its name first.
    func write(to writer: inout EntryWriter)
    /// Reads what ``write(to:)`` wrote.
    init(from reader: inout EntryReader)
    /// Whether what comes next is an entry of this name.
    static func isNamed(_ key: Key, _ reader: inout EntryReader) -> Bool
}

/// The entries of one tree by what names them.
///
/// Each has a row of its own, with a number that stays its as long as it is there, so that an index is of numbers. A row holds
/// its entry packed, in about a third of the room that the entry takes when it is asked for.
public struct TreeTable<Entry: TreeEntry>: Sendable {
    private var rows: PackedRows
    private let memory: any RowMemory
    private var texts = SharedTexts()
    private var freeRows: [Int] = []
    private var index: RowIndex

    /// So many are looked at on two threads.
    private static var manyRows: Int { 4096 }
    /// In bytes: less waste than this is not worth the work.
    private static var smallestWaste: Int { 1 << 16 }
    /// So many are read before memory may be put away.
    private static var rowsInMemory: Int { 4096 }

    init(in memory: any RowMemory = ProcessMemory()) {
        self.memory = memory
        rows = PackedRows(in: memory)
        index = RowIndex(in: memory)
    }

    /// The entry of a name.
    ///
    /// What asks for it from outside does so by the subscript of the kind of entry, of which there is a version for each, made
    /// for it alone.
    func entry(of key: Entry.Key) -> Entry? {
        guard let row = row(of: key) else { return nil }
        return entry(inRow: row)
    }

    /// Puts an entry in the place of the one of its name; `nil` removes it.
    mutating func set(_ entry: Entry?, of key: Entry.Key) {
        let hash = key.hashValue
        switch (row(of: key, hash), entry) {
        case (let row?, let entry?): rows.replace(row, with: packed(entry))
        case (let row?, nil):
            rows.remove(row)
            freeRows.append(row)
            index.remove(row, hash)
        case (nil, let entry?): _ = insert(entry, hash)
        case (nil, nil): break
        }
        if rows.waste > Self.smallestWaste, rows.waste > rows.size / 2 { packAnew() }
    }

    /// Adds an entry of a name of which there is none; gives its row.
    mutating func add(_ entry: Entry) -> Int { insert(entry, entry.key.hashValue) }

    private mutating func insert(_ entry: Entry, _ hash: Int) -> Int {
        let row = freeRows.popLast() ?? rows.count
        let bytes = packed(entry)
        if row == rows.count { rows.append(bytes) } else { rows.replace(row, with: bytes) }
        if row.isMultiple(of: Self.rowsInMemory) { memory.limit() }
        index.insert(row, hash)
        return row
    }

    private mutating func packed(_ entry: Entry) -> [UInt8] {
        withUnsafeMutablePointer(to: &texts) { texts in
            var writer = EntryWriter(texts)
            entry.write(to: &writer)
            return writer.bytes
        }
    }

    /// Packs all rows without what was thrown away; each keeps its number.
    private mutating func packAnew() {
        let old = self
        (rows, texts) = (PackedRows(in: memory), SharedTexts())
        rows.reserveCapacity(old.rows.count)
        for row in 0..<old.rows.count {
            if let entry = old.entry(inRow: row) { rows.append(packed(entry)) } else { rows.appendEmpty() }
        }
    }

    public var count: Int { rows.count - freeRows.count }
    public var isEmpty: Bool { count == 0 }
    /// In no order.
    public var keys: some Collection<Entry.Key> { values.lazy.map(\.key) }
    /// In no order.
    public var values: some Collection<Entry> { (0..<rows.count).lazy.compactMap(entry(inRow:)) }

    /// Bytes that the rows take.
    var bytes: Int { rows.size }

    /// The names of the entries of which something holds, in no order.
    public func keys(where isMeant: @Sendable (Entry) -> Bool) -> [Entry.Key] {
        @Sendable func keys(of part: Range<Int>) -> [Entry.Key] {
            var keys: [Entry.Key] = []
            for row in part {
                if row.isMultiple(of: Self.rowsInMemory) { memory.limit() }
                if let entry = entry(inRow: row), isMeant(entry) { keys.append(entry.key) }
            }
            return keys
        }
        guard rows.count > Self.manyRows else { return keys(of: 0..<rows.count) }
        let half = rows.count / 2
        let (first, second) = inParallel {
            keys(of: 0..<half)
        } and: {
            keys(of: half..<rows.count)
        }
        return first + second
    }

    /// The number of a row, from 0; it is the entry's as long as that is there.
    public func row(of key: Entry.Key) -> Int? { row(of: key, key.hashValue) }

    private func row(of key: Entry.Key, _ hash: Int) -> Int? {
        index.row(hash) { row in read(row) { Entry.isNamed(key, &$0) } ?? false }
    }

    /// What is in a row; `nil` where nothing is.
    func entry(inRow row: Int) -> Entry? { read(row) { Entry(from: &$0) } }

    /// Reads parts of what is in a row; `nil` where nothing is.
    func read<Result>(_ row: Int, _ body: (inout EntryReader) -> Result) -> Result? {
        rows.read(row) { bytes in texts.lend(for: bytes, body) }
    }

    /// The rows of which something holds by what is read of them, in no order.
    func rows(where isMeant: (inout EntryReader) -> Bool) -> [Int] {
        rowNumbers.filter { row in
            if row.isMultiple(of: Self.rowsInMemory) { memory.limit() }
            return read(row, isMeant) ?? false
        }
    }

    /// The numbers of all rows, be something in them or not.
    var rowNumbers: Range<Int> { 0..<rows.count }

    /// The numbers, in paths, of the folders of which something holds.
    func folders(where isMeant: (FolderPath) -> Bool) -> Set<Int> { texts.folders(where: isMeant) }

    /// Whether something holds of the entry in a row.
    func row(_ row: Int, is isMeant: (Entry) -> Bool) -> Bool { entry(inRow: row).map(isMeant) ?? false }
}
