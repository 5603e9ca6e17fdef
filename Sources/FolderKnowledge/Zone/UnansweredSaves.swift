import StateRows
import StateStorage
import SyncModel

/// What was sent of each record without an answer, oldest first: its return is no conflict.
///
/// A few versions of each are enough to know one again. What was sent more than once is not forgotten when one try is refused:
/// that says nothing of the others.
struct UnansweredSaves: Sendable {
    private struct Save: Sendable {
        let version: SentVersion
        /// Whether the same version went out before.
        let isRepeated: Bool
    }

    private var saves: [RecordName: [Save]] = [:]

    /// What an earlier run sent: nobody knows how often.
    init(stored: [SentVersion] = []) {
        for version in stored {
            saves[version.entry.name, default: []].append(Save(version: version, isRepeated: true))
        }
    }

    var isEmpty: Bool { saves.isEmpty }

    /// The records of which something was sent.
    var names: [RecordName] { Array(saves.keys) }

    /// What was sent of a record, oldest first.
    subscript(name: RecordName) -> [SentVersion] { (saves[name] ?? []).map(\.version) }

    /// Notes that a version is about to be sent.
    mutating func note(_ version: SentVersion) {
        let hash = version.entry.hash
        let earlier = saves[version.entry.name] ?? []
        let others = earlier.filter { $0.version.entry.hash != hash }
        let save = Save(version: version, isRepeated: others.count < earlier.count)
        saves[version.entry.name] = others.suffix(StateStore.keptSentVersions - 1) + [save]
    }

    /// Forgets a version that the server refused or never got.
    /// - Returns: `false` where it may have it all the same, from an earlier try.
    mutating func forget(_ hash: ContentHash, of name: RecordName) -> Bool {
        guard let index = saves[name]?.firstIndex(where: { $0.version.entry.hash == hash }),
            saves[name]?[index].isRepeated == false
        else { return false }
        saves[name]?.remove(at: index)
        if saves[name]?.isEmpty == true { saves[name] = nil }
        return true
    }

    /// Forgets what was sent of a record: what became of it is known.
    mutating func forget(_ name: RecordName) {
        saves[name] = nil
    }

    /// Forgets what was sent of all records but these, which are what the zone has.
    mutating func keep(only names: Set<RecordName>) {
        saves = saves.filter { names.contains($0.key) }
    }
}
