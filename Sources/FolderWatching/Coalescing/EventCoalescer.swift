import SyncModel

/// Turns raw events into requests to look at paths, each at the time when looking makes sense.
///
/// It has no clock: every call is given the time, as a `Duration` on any scale that only moves forward.
///
/// Events never carry meaning, they mark paths. The kind of an event only decides how long to wait: a file closed
/// after writing, or renamed into place, not at all; one that is still open until it rests; one that is gone
/// longest, because many editors delete a file on the way to saving it.
///
/// A path that ``take(now:)`` has given out is forgotten, so an event that comes while it is being looked at
/// requests it again.
public struct EventCoalescer: Sendable {
    /// What a path waits for.
    private enum Reason {
        case renamed  // in place, or away within the folder
        case closed
        case settling
        case attributes
        case absence

        var isPrompt: Bool { self == .renamed || self == .closed }
    }

    private struct Waiting {
        var due: Duration
        var since: Duration
        var reason: Reason
        var subtree: Bool

        func moved(to due: Duration) -> Self {
            var copy = self
            copy.due = due
            return copy
        }
    }

    /// Paths that share a directory and an urgency are counted together.
    private struct Group: Hashable {
        var parent: FolderPath?
        var prompt: Bool
    }

    private let timing: CoalescerTiming
    private var waiting: [FolderPath: Waiting] = [:]
    private var queue = DueQueue<FolderPath>()
    private var groups: [Group: Int] = [:]
    private var everythingDue: Duration?
    /// When the deletions that are looked at together began, and when the last of them was.
    private var absences: (began: Duration, last: Duration)?
    /// The last moves away whose other half may still come, oldest first; never more than 64.
    private var departures: [(pairing: UInt32, path: FolderPath)] = []

    /// Makes a coalescer in which nothing waits.
    public init(timing: CoalescerTiming = CoalescerTiming()) {
        self.timing = timing
    }

    /// How many paths wait for a look.
    public var count: Int { waiting.count + (everythingDue == nil ? 0 : 1) }

    /// Takes note of events that were read at a time.
    public mutating func note(_ events: some Sequence<WatchEvent>, now: Duration) {
        for event in events { note(event, now: now) }
    }

    /// Takes note of one event that was read at a time.
    public mutating func note(_ event: WatchEvent, now: Duration) {
        switch event {
        case .changed(let change): note(change, now: now)
        case .overflow, .rootGone: requestEverything(due: now)
        case .cookie: break
        }
    }

    /// Requests a look at a path or at everything: for a scan that could not be finished, or to look again later. What is
    /// looked at sooner anyway is not put off.
    public mutating func request(_ request: ScanRequest, due: Duration) {
        switch request {
        case .everything: requestEverything(due: due)
        case .entry(let path):
            if let before = waiting[path], before.due <= due { return }
            put(path, due: due, since: due, reason: .closed, subtree: false)
        case .subtree(let path): put(path, due: due, since: due, reason: .closed, subtree: true)
        }
    }

    /// When the next look is due, or `nil` while nothing waits.
    public mutating func nextDue() -> Duration? {
        while let first = queue.first, waiting[first.key]?.due != first.due { queue.removeFirst() }
        return [queue.first?.due, everythingDue].compactMap { $0 }.min()
    }

    /// Gives out what is due: parents before what is below them, and nothing that another request covers.
    public mutating func take(now: Duration) -> [ScanRequest] {
        var due: [(path: FolderPath, subtree: Bool)] = []
        while let first = queue.first, first.due <= now {
            queue.removeFirst()
            guard let entry = waiting[first.key], entry.due == first.due else { continue }
            if let later = whenBurstIsOver(entry), later > now {
                set(first.key, entry.moved(to: later))
                continue
            }
            remove(first.key)
            due.append((first.key, entry.subtree))
        }
        if let everythingDue, everythingDue <= now {
            self.everythingDue = nil
            return [.everything]
        }
        let subtrees = Set(due.lazy.filter(\.subtree).map(\.path))
        if !subtrees.isEmpty {
            due.removeAll { Self.hasAncestor(of: $0.path, in: subtrees) }
        }
        due.sort { $0.path < $1.path }
        return due.map { $0.subtree ? .subtree($0.path) : .entry($0.path) }
    }
}

extension EventCoalescer {
    private mutating func note(_ change: PathChange, now: Duration) {
        guard let path = change.path else {
            // The folder itself changed (its mode, say): all below it may have come into sight or gone out of it.
            requestEverything(due: now + timing.attributes)
            return
        }
        let before = waiting[path]
        let subtree = change.isDirectory
        switch change.kind {
        case .closedAfterWrite:
            put(path, due: now, since: now, reason: .closed, subtree: subtree)
        case .movedTo:
            put(path, due: now, since: now, reason: .renamed, subtree: subtree)
            if change.pairing != 0, let index = departures.firstIndex(where: { $0.pairing == change.pairing }) {
                let departure = departures.remove(at: index)
                put(departure.path, due: now, since: now, reason: .renamed, subtree: subtree)
            }
        case .movedFrom:
            if change.pairing != 0 {
                departures.append((change.pairing, path))
                if departures.count > 64 { departures.removeFirst() }
            }
            // An exchange shows as an arrival and then a departure at one path: something is there all the time.
            guard before?.reason != .renamed else { return }
            putAbsence(path, now: now, subtree: subtree)
        case .deleted: putAbsence(path, now: now, subtree: subtree)
        case .created where change.isDirectory:
            put(path, due: now, since: now, reason: .renamed, subtree: true)
        case .created, .modified:
            // A path that is due anyway is not put off, and one that never rests not for ever.
            if let before, before.reason.isPrompt { return }
            let since = before?.reason == .settling ? before?.since ?? now : now
            let due = min(now + timing.settling, since + timing.longestSettling)
            put(path, due: due, since: since, reason: .settling, subtree: subtree)
        case .attributes:
            // Not sooner than what it waits for already: a mode set on a half-written file says nothing.
            guard before == nil else { return }
            put(path, due: now + timing.attributes, since: now, reason: .attributes, subtree: subtree)
        }
    }

    private mutating func putAbsence(_ path: FolderPath, now: Duration, subtree: Bool) {
        var began = now
        if let absences, now <= absences.last + timing.absence,
            now + timing.absence <= absences.began + timing.longestAbsence
        {
            began = absences.began
        }
        absences = (began, now)
        put(path, due: now + timing.absence, since: began, reason: .absence, subtree: subtree)
    }

    /// Deletions are looked at together, once none came for a while: looked at one by one, a mass deletion would never
    /// show as one. `nil` for what is no deletion.
    private func whenBurstIsOver(_ entry: Waiting) -> Duration? {
        guard entry.reason == .absence, let absences else { return nil }
        return min(absences.last + timing.absence, entry.since + timing.longestAbsence)
    }

    private mutating func put(_ path: FolderPath, due: Duration, since: Duration, reason: Reason, subtree: Bool) {
        let prompt = reason.isPrompt
        let parent = path.parent
        // Where the directory stands for its paths already, one more of the same urgency only moves its time.
        if let parent, waiting[path] == nil, let above = waiting[parent], above.subtree, above.reason.isPrompt == prompt
        {
            if due > above.due { set(parent, above.moved(to: due)) }
            return
        }
        let before = remove(path)
        let entry = Waiting(due: due, since: since, reason: reason, subtree: subtree || before?.subtree == true)
        set(path, entry)
        let group = Group(parent: parent, prompt: prompt)
        groups[group, default: 0] += 1
        if groups[group, default: 0] > timing.pathsPerDirectory {
            gather(group)
        } else if waiting.count > timing.paths {
            requestEverything(due: due)
        }
    }

    /// Replaces the paths of one directory and urgency by the directory, due with the last of them.
    private mutating func gather(_ group: Group) {
        let members = waiting.filter { $0.key.parent == group.parent && $0.value.reason.isPrompt == group.prompt }
        let due = members.values.map(\.due).max() ?? .zero
        for path in members.keys { remove(path) }
        guard let parent = group.parent else { return requestEverything(due: due) }
        put(parent, due: due, since: due, reason: group.prompt ? .closed : .absence, subtree: true)
    }

    /// Paths that wait on purpose stay: the look at everything may find them absent or half-written.
    private mutating func requestEverything(due: Duration) {
        everythingDue = min(everythingDue ?? due, due)
        for (path, entry) in waiting where entry.due <= due { remove(path) }
        guard waiting.count > timing.paths else { return }
        waiting.removeAll()
        groups.removeAll()
        queue.removeAll()
    }

    private mutating func set(_ path: FolderPath, _ entry: Waiting) {
        waiting[path] = entry
        queue.insert(path, due: entry.due)
        // Times that no longer count are swept before they outnumber the ones that do.
        guard queue.count > 2 * waiting.count + 1024 else { return }
        queue.removeAll()
        for (path, entry) in waiting { queue.insert(path, due: entry.due) }
    }

    @discardableResult
    private mutating func remove(_ path: FolderPath) -> Waiting? {
        guard let entry = waiting.removeValue(forKey: path) else { return nil }
        let group = Group(parent: path.parent, prompt: entry.reason.isPrompt)
        let left = groups[group, default: 1] - 1
        groups[group] = left == 0 ? nil : left
        return entry
    }

    private static func hasAncestor(of path: FolderPath, in subtrees: Set<FolderPath>) -> Bool {
        var above = path.parent
        while let ancestor = above {
            if subtrees.contains(ancestor) { return true }
            above = ancestor.parent
        }
        return false
    }
}
