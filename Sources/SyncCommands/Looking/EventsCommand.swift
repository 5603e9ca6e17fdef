import ArgumentParser
import StateStorage
import SyncModel

struct EventsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "events",
        abstract: "Show what was done: setups, imports and exports, and what both sides did to one file.",
        discussion: """
            The newest come last. An import or export names its files, the first of them in the text and all with \
            --json. `kept` tells of an edit that outlived a deletion on the other side, `conflict` of a file that both \
            sides changed, `received` of a file whose record another app left with the hash of other bytes. With \
            --json, each is a JSON object on a line of its own.
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
        let directory = try folder.stateDirectory
        let (events, changes) = try StateStore.look(at: directory) { store in
            (
                try store.events(after: 0, limit: StateStore.keptEvents),
                try store.changes(after: 0, limit: StateStore.keptChanges)
            )
        }
        let parts = Dictionary(grouping: changes) { $0.event }
        let ended = events.map { EventLine($0, files: parts[$0.id] ?? []) }
        let lines = (changes.compactMap { EventLine($0) } + ended)
            .sorted { $0.beganMilliseconds < $1.beganMilliseconds }
        for line in lines.suffix(last) { try print(line) }
        var newest = events.last?.id ?? 0
        // An event is shown once it has ended; one that goes on keeps those after it waiting, so that none is missed.
        if let unended = events.first(where: { $0.outcome == nil && $0.id + 1 >= newest }) { newest = unended.id - 1 }
        if follow { try await show(in: directory, eventsAfter: newest, changesAfter: changes.last?.id ?? 0) }
    }

    /// Shows what is new, until interrupted. Nothing is held open meanwhile: a daemon may begin and end.
    private func show(in directory: StateDirectory, eventsAfter event: Int64, changesAfter change: Int64) async throws {
        var (newest, newestChange) = (event, change)
        while true {
            try await Task.sleep(for: .milliseconds(250))
            let (ended, changes) = try StateStore.look(at: directory) { store in
                let events = try store.events(after: newest, limit: StateStore.keptEvents)
                return (
                    try events.prefix { $0.outcome != nil }.map { EventLine($0, files: try store.changes(of: $0.id)) },
                    try store.changes(after: newestChange, limit: StateStore.keptChanges)
                )
            }
            newestChange = changes.last?.id ?? newestChange
            for line in changes.compactMap({ EventLine($0) }) { try print(line) }
            for line in ended {
                try print(line)
                newest = line.id
            }
        }
    }

    private func print(_ line: EventLine) throws {
        StandardOutput.print(json ? try JSONText.line(line) : line.text)
    }
}
