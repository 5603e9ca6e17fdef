import ArgumentParser
import StateStorage
import SyncModel

struct EventsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "events",
        abstract: "Show what was done: setups, imports and exports.",
        discussion: "The newest come last. With --json, each is a JSON object on a line of its own.")

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
        var newest = events.last?.id ?? 0
        for event in events.suffix(last) { try print(event) }
        // An event is shown once it has ended; one that goes on keeps those after it waiting, so that none is missed.
        if let unended = events.first(where: { $0.outcome == nil && $0.id + 1 >= newest }) { newest = unended.id - 1 }
        while follow {
            try await Task.sleep(for: .milliseconds(250))
            events = try store.events(after: newest, limit: StateStore.keptEvents)
            for event in events.prefix(while: { $0.outcome != nil }) {
                try print(event)
                newest = event.id
            }
        }
    }

    private func print(_ event: SyncEvent) throws {
        StandardOutput.print(json ? try JSONText.line(EventLine(event)) : EventLine(event).text)
    }
}

/// An event as `events` shows it; its JSON form is `events --json`.
struct EventLine: Encodable {
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

    init(_ event: SyncEvent) {
        id = event.id
        kind = event.kind.rawValue
        author =
            switch event.author {
            case .person: "person"
            case .device(let name): name.map { "device \($0)" } ?? "another device"
            case .merge: "merge"
            case .restore: "restore"
            }
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
        let duration = endedMilliseconds.map { "\($0 - beganMilliseconds) ms" } ?? "not ended"
        let counts = [(changed, "changed"), (deleted, "deleted")].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        let ending = succeeded == false ? ["failed: \(errorMessage ?? "") (\(errorCode ?? ""))"] : []
        let parts = [WallClock.text(beganMilliseconds), kind, duration] + counts + ending
        return parts.joined(separator: "  ")
    }
}
