import StateRows
import StateStorage
import SyncModel

/// Which events are shown, and as what.
struct EventSelection: Sendable {
    /// Only what is at or below it, relative to the folder.
    var path: FolderPath?
    var sinceMilliseconds: Int64?

    /// One line of `events`.
    struct Line {
        enum Content {
            case text(TextLine)
            case file(FileEvent)
            case event(EventLine)
        }

        var atMilliseconds: Int64
        var content: Content
    }

    /// The lines of changes of single files.
    func lines(_ changes: [JournalEntry], asJSON: Bool) -> [Line] {
        changes.compactMap { change in
            guard change.atMilliseconds >= sinceMilliseconds ?? .min, let file = FileEvent(change) else { return nil }
            if let path, !file.concerns(path) { return nil }
            let told = EventLine(change)
            let content: Line.Content =
                asJSON ? told.map { .event($0) } ?? .file(file) : .text(file.line(told?.message))
            return Line(atMilliseconds: change.atMilliseconds, content: content)
        }
    }

    /// The lines of whole imports, exports and setups: in the text only where their files do not tell it all. None of them is
    /// about one path.
    func lines(_ events: [EventLine], asJSON: Bool) -> [Line] {
        guard path == nil else { return [] }
        return events.compactMap { event in
            guard event.beganMilliseconds >= sinceMilliseconds ?? .min else { return nil }
            if asJSON { return Line(atMilliseconds: event.beganMilliseconds, content: .event(event)) }
            guard event.kind == SyncEvent.Kind.setup.rawValue || event.succeeded == false else { return nil }
            return Line(
                atMilliseconds: event.endedMilliseconds ?? event.beganMilliseconds, content: .text(event.line))
        }
    }
}
