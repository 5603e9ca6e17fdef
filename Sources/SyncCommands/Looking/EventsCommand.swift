import ArgumentParser
import FolderSettings
import StateRows
import StateStorage
import SyncModel
import SystemPackage

struct EventsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "events",
        abstract: "Show what was done, file by file: when, what, and by whom.",
        discussion: """
            A line for each file, the newest last: sent, received, moved here, deleted here (it was deleted elsewhere) \
            or deleted there (you did); `kept` tells of an edit that outlived a deletion on the other side, `conflict` of \
            a file that both sides changed. In brackets is who did it: you, another device, somebody else, a merge, a \
            restore or a rule. Setups and what failed have lines of their own. Where a file or a directory in the folder \
            is named, only what is about it; where nothing is known of it at all, that is an error.

              zonefolder events --since yesterday
              zonefolder events notes/plan.json --since 2h --follow

            With --json, each is a JSON object on a line: `file` for a file, and `setup`, `import`, `export`, `kept`, \
            `conflict` and `received` with their beginning, end and files. The last 20,000 changes are kept. Works with \
            the daemon up and down.
            """)

    @OptionGroup var folder: FolderArgument

    @Flag(help: "Print JSON instead of text.")
    var json = false

    @Flag(help: "Go on with new events until interrupted.")
    var follow = false

    @Option(help: ArgumentHelp("Show what was done since then: \(PastTime.forms).", valueName: "time"))
    var since: String?

    @Option(help: "How many of them to show: 20, or all with --since.")
    var last: Int?

    func validate() throws {
        if let last, last < 0 { throw ValidationError("--last needs a number from 0.") }
        guard let since, PastTime(since) == nil else { return }
        throw ValidationError("--since: '\(since)' is no time. Write \(PastTime.forms).")
    }

    func run() async throws {
        let place = try folder.place
        let directory = try FolderArgument.stateDirectory(of: place.folder)
        let selection = EventSelection(
            path: place.path,
            sinceMilliseconds: since.flatMap { PastTime($0) }?.milliseconds(now: WallClock.now, in: LocalZone()))
        let (events, changes) = try StateStore.look(at: directory) { store in
            (
                try store.events(after: 0, limit: StateStore.keptEvents),
                try store.changes(after: 0, limit: StateStore.keptChanges)
            )
        }
        let parts = Dictionary(grouping: changes) { $0.event }
        let lines =
            selection.lines(changes, asJSON: json)
            + selection.lines(events.map { EventLine($0, files: parts[$0.id] ?? []) }, asJSON: json)
        // Who follows a path may wait for it to come.
        if lines.isEmpty, !follow { try KnownPath.check(place.path, in: directory) }
        let shown = last ?? (since == nil ? 20 : Int.max)
        for line in lines.sorted(by: { $0.atMilliseconds < $1.atMilliseconds }).suffix(shown) { try print(line) }
        var newest = events.last?.id ?? 0
        // An event is shown once it has ended; one that goes on keeps those after it waiting, so that none is missed.
        if let unended = events.first(where: { $0.outcome == nil && $0.id + 1 >= newest }) { newest = unended.id - 1 }
        guard follow else {
            if lines.isEmpty, StandardError.isTerminal { StandardError.print(nothing(at: place)) }
            return
        }
        try await show(selection, in: directory, eventsAfter: newest, changesAfter: changes.last?.id ?? 0)
    }

    private func nothing(at place: (folder: FilePath, path: FolderPath?)) -> String {
        let shown = place.path.map { place.folder.pushing(FilePath($0.description)) } ?? place.folder
        return "No event of \(shown) is known" + (since.map { " since \($0)" } ?? "") + "."
    }

    /// Shows what is new, until interrupted. Nothing is held open meanwhile: a daemon may begin and end.
    private func show(
        _ selection: EventSelection, in directory: StateDirectory, eventsAfter event: Int64, changesAfter change: Int64
    ) async throws {
        var (newest, newestChange) = (event, change)
        while true {
            try StandardOutput.checkIsRead()
            try await Task.sleep(for: .milliseconds(250))
            let (ended, changes) = try StateStore.look(at: directory) { store in
                let events = try store.events(after: newest, limit: StateStore.keptEvents)
                return (
                    try events.prefix { $0.outcome != nil }.map { EventLine($0, files: try store.changes(of: $0.id)) },
                    try store.changes(after: newestChange, limit: StateStore.keptChanges)
                )
            }
            newestChange = changes.last?.id ?? newestChange
            newest = ended.last?.id ?? newest
            for line in selection.lines(changes, asJSON: json) { try print(line) }
            for line in selection.lines(ended, asJSON: json) { try print(line) }
        }
    }

    private func print(_ line: EventSelection.Line) throws {
        switch line.content {
        case .text(let text): StandardOutput.print(text)
        case .file(let event): StandardOutput.print(try JSONText.line(event))
        case .event(let event): StandardOutput.print(try JSONText.line(event))
        }
    }
}
