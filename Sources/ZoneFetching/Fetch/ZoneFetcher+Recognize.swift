import FolderKnowledge
import RecordSending
import RemoteZone
import SessionCore
import StateRows
import SyncModel

/// Lost answers: what the zone turns out to have just as this device sent it.
extension ZoneFetcher {
    /// Takes those records as agreed on that are in the zone just as this device sent them, and forgets what was sent of
    /// those that the zone has unchanged: the next one to save the same may be another device.
    /// - Parameter names: Of the records that were asked for since they were sent; `nil` for all.
    func recognizeSent(_ names: [RecordName]? = nil) throws {
        guard knowledge.hasUnanswered else { return }
        let recognized = try LostAnswers(knowledge).recognized(names)
        for name in recognized.unchanged { try knowledge.forgetSent(name) }
        try committer.commit(
            recognized.taken.map { version in
                Outcome(
                    base: .agreed(version.entry, document: version.document), remote: .recognized,
                    change: committer.journal(
                        JournalEntry.sent, by: .person, path: version.entry.path, record: version.entry.name))
            })
    }
}
