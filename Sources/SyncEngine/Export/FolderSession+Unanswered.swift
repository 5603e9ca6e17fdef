import CloudKitWire
import FolderKnowledge
import RecordMapping
import RecordSending
import StateStorage
import SyncModel
import SyncPlanning

/// Lost answers. What goes out is remembered first, durably: when the server turns out to have taken it, this device
/// knows its own version again, also after a crash, and a further edit is one on top of it and no conflict.
extension FolderSession {
    /// Remembers what is about to be sent. Nothing may be sent where this throws.
    func noteSent(_ sendings: [Sending]) throws {
        try knowledge.noteSent(sendings.compactMap(\.version))
    }

    /// Forgets a version that the server surely has not, because it refused it or never got it.
    func forgetSent(_ sending: Sending) throws {
        if let version = sending.version { try knowledge.forgetSent(version) }
    }

    /// Takes those records as agreed on that are in the zone just as this device sent them, and forgets what was sent of
    /// those that the zone has unchanged: the next one to save the same may be another device.
    /// - Parameter names: Of the records that were asked for since they were sent; `nil` for all.
    func recognizeSent(_ names: [RecordName]? = nil) throws {
        guard knowledge.hasUnanswered else { return }
        let recognized = try LostAnswers(knowledge).recognized(names)
        for name in recognized.unchanged { try knowledge.forgetSent(name) }
        try commit(
            recognized.taken.map { version in
                Outcome(
                    base: .agreed(version.entry, document: version.document),
                    change: journal(
                        JournalEntry.sent, by: .person, path: version.entry.path, record: version.entry.name))
            })
    }
}

extension Sending {
    /// The version that the zone has once this is done; `nil` for a deletion.
    fileprivate var version: SentVersion? {
        draft.map { SentVersion(entry: $0.entry(name: name, remote: nil), document: $0.document) }
    }
}
