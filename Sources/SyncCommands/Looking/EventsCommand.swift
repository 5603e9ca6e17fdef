import ArgumentParser
import StateStorage
import SyncModel

struct EventsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "events",
        abstract: "Show what was done: setups, imports and exports, and what both sides did to one file.",
        discussion: """
            The newest come last. `kept` tells of an edit that outlived a deletion on the other side, `conflict` of a \
            file that both sides changed. With --json, each is a JSON object on a line of its own.
            """)

    @OptionGroup var folder: FolderArgument

    @Flag(help: "Print JSON instead of text.")
    var json = false

    @Flag(help: "Go on with new events until interrupted.")
    var follow = false

    @Option(help: "How many of the events so far to show.")
    var last = 20

    func validate() throws {
        if last < 0 { throw ValidationError("--last needs a number from 0.") }
    }

    func run() async throws {
        let store = try StateStore(of: try folder.stateDirectory, .readOnly)
        var events = try store.events(after: 0, limit: StateStore.keptEvents)
        var changes = try store.changes(after: 0, limit: StateStore.keptChanges)
        var newest = events.last?.id ?? 0
        var newestChange = changes.last?.id ?? 0
        let lines = (changes.compactMap { EventLine($0) } + events.map { EventLine($0) })
            .sorted { $0.beganMilliseconds < $1.beganMilliseconds }
        for line in lines.suffix(last) { try print(line) }
        // An event is shown once it has ended; one that goes on keeps those after it waiting, so that none is missed.
        if let unended = events.first(where: { $0.outcome == nil && $0.id + 1 >= newest }) { newest = unended.id - 1 }
        while follow {
            try await Task.sleep(for: .milliseconds(250))
            changes = try store.changes(after: newestChange, limit: StateStore.keptChanges)
            newestChange = changes.last?.id ?? newestChange
            for line in changes.compactMap({ EventLine($0) }) { try print(line) }
            events = try store.events(after: newest, limit: StateStore.keptEvents)
            for event in events.prefix(while: { $0.outcome != nil }) {
                try print(EventLine(event))
                newest = event.id
            }
        }
    }

    private func print(_ line: EventLine) throws {
        StandardOutput.print(json ? try JSONText.line(line) : line.text)
    }
}

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

    /// What both sides did to one file; `nil` for a change that an import or export counts already.
    init?(_ change: JournalEntry) {
        switch change.action {
        case JournalEntry.keptEditHere:
            (kind, message) = ("kept", "edited here, deleted in the zone: the edit stays and was sent again")
        case JournalEntry.keptEditThere:
            (kind, message) = ("kept", "deleted here, edited in the zone: the edit stays and the file is back")
        case JournalEntry.conflict:
            (kind, message) = ("conflict", "changed here and in the zone: `zonefolder conflicts` shows both versions")
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

    init(_ event: SyncEvent) {
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
    }

    var text: String {
        if let path, let message { return "\(WallClock.text(beganMilliseconds))  \(kind)  \(path): \(message)" }
        let duration = endedMilliseconds.map { "\($0 - beganMilliseconds) ms" } ?? "not ended"
        let counts = [(changed, "changed"), (deleted, "deleted")].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        let ending = succeeded == false ? ["failed: \(errorMessage ?? "") (\(errorCode ?? ""))"] : []
        let parts = [WallClock.text(beganMilliseconds), kind, duration] + counts + ending
        return parts.joined(separator: "  ")
    }
}

extension Author {
    fileprivate var spoken: String {
        switch self {
        case .person: "person"
        case .device(let name): name.map { "device \($0)" } ?? "another device"
        case .merge: "merge"
        case .restore: "restore"
        }
    }
}
