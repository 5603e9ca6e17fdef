import StateRows
import StateStorage
import SyncModel

/// An event as `events` shows it; its JSON form is `events --json`.
struct EventLine: Encodable {
    /// Rises among the lines of one kind.
    var id: Int64
    var kind: String
    var author: String
    var beganMilliseconds: Int64
    var endedMilliseconds: Int64?
    var succeeded: Bool?
    var errorCode: String?
    var errorMessage: String?
    var changed: Int
    var deleted: Int
    /// The one file that it is about, and what happened to it.
    var path: String?
    var message: String?
    /// What an import or an export did to which files, in its order.
    var files: [ChangedFile]?

    /// One file of an import or an export.
    struct ChangedFile: Encodable {
        var path: String
        /// `send`, `receive`, `move`, `delete-file`, `delete-record`, or another word of the journal.
        var action: String
        var author: String
    }

    /// What both sides did to one file; `nil` for a change that an import or export counts already.
    init?(_ change: JournalEntry) {
        switch change.action {
        case JournalEntry.keptEditHere:
            (kind, message) = ("kept", "edited here, deleted in the zone: the edit stays and was sent again")
        case JournalEntry.keptEditThere:
            (kind, message) = ("kept", "deleted here, edited in the zone: the edit stays and the file is back")
        case JournalEntry.conflict:
            (kind, message) = ("conflict", "changed here and in the zone: `zonefolder conflicts` shows both versions")
        case JournalEntry.staleHash:
            (kind, message) = ("received", "another app changed its content and left the old `sha256` in its record")
        default: return nil
        }
        guard let changed = change.path else { return nil }
        id = change.id
        path = changed.description
        author = change.author.spoken
        beganMilliseconds = change.atMilliseconds
        endedMilliseconds = change.atMilliseconds
        succeeded = true
        self.changed = 1
        deleted = 0
    }

    /// - Parameter files: The changes that were part of the event.
    init(_ event: SyncEvent, files: [JournalEntry]) {
        id = event.id
        kind = event.kind.rawValue
        author = event.author.spoken
        beganMilliseconds = event.beganMilliseconds
        endedMilliseconds = event.endedMilliseconds
        changed = event.counts.changed
        deleted = event.counts.deleted
        switch event.outcome {
        case .success: succeeded = true
        case .error(let code, let message):
            succeeded = false
            errorCode = code
            errorMessage = message
        case nil: succeeded = nil
        }
        self.files = files.compactMap { change in
            change.path.map {
                ChangedFile(path: $0.description, action: change.action, author: change.author.spoken)
            }
        }
    }

    /// The line for people of a setup, or of what failed.
    var line: TextLine {
        let hasFailed = succeeded == false
        let start =
            "\(WallClock.text(endedMilliseconds ?? beganMilliseconds))  \((hasFailed ? "failed" : kind).padded(to: 13))  "
        let ending: String
        switch succeeded {
        case true?: ending = "account, zone and subscription are ready"
        case false?: ending = "\(kind): \(errorMessage ?? "") (\(errorCode ?? ""))"
        case nil: ending = "not ended"
        }
        return TextLine(start + ending, hang: start.count, paint: hasFailed ? .red : nil, over: start.count)
    }
}

extension Author {
    fileprivate var spoken: String {
        switch self {
        case .person: "person"
        case .device(let name): name.map { "device \($0)" } ?? "another device"
        case .other(let user, _): "user \(user)"
        case .unknown: "unknown"
        case .merge: "merge"
        case .restore: "restore"
        }
    }
}
