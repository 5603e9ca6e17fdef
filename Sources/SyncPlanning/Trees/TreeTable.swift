public import SyncModel

/// What a tree has an entry for each of.
public protocol TreeEntry: Sendable {
    associatedtype Key: Hashable & Sendable

    /// What names the entry in its tree.
    var key: Key { get }
}

extension LocalEntry: TreeEntry {
    public var key: FolderPath { path }
}

extension RemoteEntry: TreeEntry {
    public var key: RecordName { name }
}

extension BaseEntry: TreeEntry {
    public var key: RecordName { name }
}

/// The entries of one tree by what names them.
///
/// Each has a row of its own, with a number that stays its as long as it is there, so that an index is of numbers. An entry is
/// stored outside the table, for it is large, and its name in it alone. What looks at all of them, or at one part of one, does
/// so in place.
public struct TreeTable<Entry: TreeEntry>: Sendable {
    @usableFromInline
    final class Stored: Sendable {
        @usableFromInline let entry: Entry

        init(_ entry: Entry) { self.entry = entry }
    }

    @usableFromInline
    var rows: [Stored?] = []
    private var freeRows: [Int] = []
    @usableFromInline
    var index = RowIndex()

    init() {}

    /// The entry of a name; `nil` removes it.
    public internal(set) subscript(_ key: Entry.Key) -> Entry? {
        @inlinable get { row(of: key).flatMap { rows[$0]?.entry } }
        set {
            switch (row(of: key), newValue) {
            case (let row?, let entry?): rows[row] = Stored(entry)
            case (let row?, nil):
                rows[row] = nil
                freeRows.append(row)
                index.remove(row, key.hashValue)
            case (nil, let entry?):
                let row = freeRows.popLast() ?? rows.count
                if row == rows.count { rows.append(Stored(entry)) } else { rows[row] = Stored(entry) }
                index.insert(row, key.hashValue)
            case (nil, nil): break
            }
        }
    }

    public var count: Int { rows.count - freeRows.count }
    public var isEmpty: Bool { count == 0 }
    /// In no order.
    @inlinable
    public var keys: some Collection<Entry.Key> { rows.lazy.compactMap { $0?.entry.key } }
    /// In no order.
    @inlinable
    public var values: some Collection<Entry> { rows.lazy.compactMap { $0?.entry } }

    /// A part of the entry of a name.
    @inlinable
    public func part<Part>(of key: Entry.Key, _ part: (Entry) throws -> Part) rethrows -> Part? {
        guard let row = row(of: key), let stored = rows[row] else { return nil }
        return try part(stored.entry)
    }

    /// The names of the entries of which something holds, in no order.
    @inlinable
    public func keys(where isMeant: (Entry) throws -> Bool) rethrows -> [Entry.Key] {
        var keys: [Entry.Key] = []
        for case let stored? in rows where try isMeant(stored.entry) { keys.append(stored.entry.key) }
        return keys
    }

    /// The number of a row.
    @usableFromInline
    func row(of key: Entry.Key) -> Int? {
        index.row(key.hashValue) { rows[$0]?.entry.key == key }
    }

    /// What is in a row; `nil` where nothing is.
    func entry(inRow row: Int) -> Entry? { rows[row]?.entry }

    /// Whether something holds of the entry in a row.
    func row(_ row: Int, is isMeant: (Entry) -> Bool) -> Bool { rows[row].map { isMeant($0.entry) } ?? false }

    mutating func reserveCapacity(_ count: Int) {
        rows.reserveCapacity(count)
        index.reserveCapacity(count)
    }
}
