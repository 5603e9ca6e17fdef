import ProblemSentences
import StateRows
import StateStorage
import SyncModel

/// What was done to one file, as `events` shows it: when, what, which file, who; its JSON form is a line of
/// `events --json`.
struct FileEvent: Encodable, Hashable, Sendable {
    /// Tells it from the lines of other kinds.
    var kind = "file"
    /// Rises among the lines of its kind.
    var id: Int64
    var atMilliseconds: Int64
    /// The word of the journal: `send`, `receive`, `move`, `delete-file`, `delete-record` and others.
    var action: String
    var path: String
    /// `person`, `device`, `other`, `unknown`, `merge` or `restore`.
    var author: String
    /// The user record name of somebody else.
    var user: String?
    /// The other device, where the server named it.
    var device: String?
    /// The import or export that it was part of.
    var event: Int64?

    /// `nil` for a change of the journal that is about no file.
    init?(_ change: JournalEntry) {
        guard let place = change.path else { return nil }
        id = change.id
        atMilliseconds = change.atMilliseconds
        action = change.action
        path = place.description
        event = change.event
        switch change.author {
        case .person: author = "person"
        case .unknown: author = "unknown"
        case .merge: author = "merge"
        case .restore: author = "restore"
        case .device(let name): (author, device) = ("device", name)
        case .other(let name, let on): (author, user, device) = ("other", name, on)
        }
    }

    /// What was done, in a word or two.
    var what: String {
        switch action {
        case JournalEntry.sent: "sent"
        case JournalEntry.recordDeleted: "deleted there"
        case JournalEntry.received, JournalEntry.staleHash: "received"
        case JournalEntry.moved: "moved here"
        case JournalEntry.fileDeleted: "deleted here"
        case JournalEntry.keptEditHere, JournalEntry.keptEditThere: "kept"
        case JournalEntry.conflict: "conflict"
        default: action
        }
    }

    /// By whom, seen from this folder. That an edit outlives a deletion is the rule, and nobody's act. Of another device the server
    /// tells a number that all have who speak this protocol, or a hash: no name for people.
    var who: String {
        switch author {
        case _ where action == JournalEntry.keptEditHere || action == JournalEntry.keptEditThere: "a rule"
        case "person": "you"
        case "unknown": "another device, or somebody else"
        case "merge": "a merge"
        case "restore": "a restore"
        case "other": "somebody else\(user.map { ", \(PersonText.short($0))" } ?? "")"
        default: "another device"
        }
    }

    /// The line for people.
    /// - Parameter message: What more is to be said of it.
    func line(_ message: String? = nil) -> TextLine {
        let paint: Paint? =
            switch what {
            case "conflict", "kept": .yellow
            case "deleted here", "deleted there": .magenta
            default: nil
            }
        let start = "\(WallClock.text(atMilliseconds))  \(what.padded(to: 13))  "
        return TextLine(
            start + "\(path)  (\(who))" + (message.map { ": \($0)" } ?? ""), hang: start.count, paint: paint,
            over: start.count)
    }

    /// Whether it is about a path, or what lies below it.
    func concerns(_ wanted: FolderPath) -> Bool {
        guard path.utf8.starts(with: wanted.description.utf8) else { return false }
        let rest = path.utf8.dropFirst(wanted.description.utf8.count)
        return rest.isEmpty || rest.first == UInt8(ascii: "/")
    }
}
