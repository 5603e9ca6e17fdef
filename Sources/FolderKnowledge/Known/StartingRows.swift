public import RecordTrees
public import StateStorage
import SyncModel
import Synchronization

/// The rows that a session starts with, each read once, and what is noted of them on the way.
final class StartingRows: StoredRows {
    struct Notes {
        /// Files whose times could not tell a further write when they were last read.
        var unsettled: Set<FolderPath> = []
        /// Files that refer to a record that is not there.
        var lackingTarget: Set<FolderPath> = []
        /// Records that were agreed on by a path which no file may have.
        var reserved: [RecordName] = []
    }

    private let store: StateStore
    private let found = Mutex(Notes())

    init(_ store: StateStore) { self.store = store }

    /// Of the rows that were read.
    var notes: Notes { found.withLock(\.self) }

    func eachFile(_ take: (LocalEntry) -> Void) throws {
        try store.eachFile { entry in
            if !entry.isSettled || entry.lacksTarget { note(entry) }
            take(entry)
        }
    }

    private func note(_ entry: LocalEntry) {
        found.withLock { notes in
            if !entry.isSettled { notes.unsettled.insert(entry.path) }
            if entry.lacksTarget { notes.lackingTarget.insert(entry.path) }
        }
    }

    func eachRecord(_ take: (RemoteEntry) -> Void) throws { try store.eachRecord(take) }

    /// Earlier versions sent what has such a name: the record is shown under its safe path, as on every other device.
    func eachAgreed(_ take: (BaseEntry) -> Void) throws {
        try store.eachAgreed { entry in
            guard !entry.path.isReserved else { return found.withLock { $0.reserved.append(entry.name) } }
            take(entry)
        }
    }
}

extension StateStore: StoredRows {}
