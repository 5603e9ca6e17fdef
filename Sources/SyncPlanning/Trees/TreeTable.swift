/// The entries of one tree by what names them.
///
/// An entry is stored once, outside the table: a table has room for up to twice as many as it holds, and an entry is large.
/// For the same reason what looks at all of them, or at one part of one, does so in place.
public struct TreeTable<Key: Hashable & Sendable, Entry: Sendable>: Sendable {
    @usableFromInline
    final class Stored: Sendable {
        @usableFromInline let entry: Entry

        init(_ entry: Entry) { self.entry = entry }
    }

    @usableFromInline
    var entries: [Key: Stored] = [:]

    init() {}

    /// The entry of a name; `nil` removes it.
    public internal(set) subscript(_ key: Key) -> Entry? {
        @inlinable get { entries[key]?.entry }
        set { entries[key] = newValue.map(Stored.init) }
    }

    @inlinable
    public var count: Int { entries.count }
    @inlinable
    public var isEmpty: Bool { entries.isEmpty }
    /// In no order.
    @inlinable
    public var keys: some Collection<Key> { entries.keys }
    /// In no order.
    @inlinable
    public var values: some Collection<Entry> { entries.values.lazy.map(\.entry) }

    /// A part of the entry of a name.
    @inlinable
    public func part<Part>(of key: Key, _ part: (Entry) throws -> Part) rethrows -> Part? {
        guard let stored = entries[key] else { return nil }
        return try part(stored.entry)
    }

    /// The names of the entries of which something holds, in no order.
    @inlinable
    public func keys(where isMeant: (Entry) throws -> Bool) rethrows -> [Key] {
        var keys: [Key] = []
        for (key, stored) in entries where try isMeant(stored.entry) { keys.append(key) }
        return keys
    }

    mutating func reserveCapacity(_ count: Int) { entries.reserveCapacity(count) }
}
