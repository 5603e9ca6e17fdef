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
    /// Paths that share a directory and an urgency are counted together.
    private struct Group: Hashable {
        var parent: FolderPath?
        var prompt: Bool
    }

    private let timing: CoalescerTiming
    private var waiting: [FolderPath: WaitingLook] = [:]
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

    /// Requests a look at a path or at everything: for a scan that could not be finished, or to look again later. No look
    /// that is due sooner is put off, and a file that is being written to, or is gone on the way to being saved, is not
    /// looked at before its time.
    public mutating func request(_ request: ScanRequest, due: Duration) {
        switch request {
        case .everything: requestEverything(due: due)
        case .entry(let path), .subtree(let path):
            let isSubtree = request == .subtree(path)
            if var before = waiting[path], before.due <= due || before.reason == .settling || before.reason == .absence
            {
                // What is looked at sooner is looked at whole.
                before.subtree = before.subtree || isSubtree
                waiting[path] = before
                return
            }
            put(path, due: due, since: due, reason: .requested, subtree: isSubtree)
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
            if let before, before.reason == .renamed || before.reason == .closed { return }
            let since = before?.reason == .settling ? before?.since ?? now : now
            let due = min(now + timing.settling, since + timing.longestSettling)
            put(path, due: due, since: since, reason: .settling, subtree: subtree)
        case .attributes:
            // Not sooner than what it waits for already: a mode set on a half-written file says nothing.
            guard before.map({ $0.reason == .requested && $0.due > now + timing.attributes }) ?? true else { return }
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
    private func whenBurstIsOver(_ entry: WaitingLook) -> Duration? {
        guard entry.reason == .absence, let absences else { return nil }
        return min(absences.last + timing.absence, entry.since + timing.longestAbsence)
    }

    private mutating func put(
        _ path: FolderPath, due: Duration, since: Duration, reason: WaitingLook.Reason, subtree: Bool
    ) {
        let prompt = reason.isPrompt
        let parent = path.parent
        if let parent, waiting[path] == nil, isCovered(by: parent, due: due, reason: reason) { return }
        let before = remove(path)
        let entry = WaitingLook(due: due, since: since, reason: reason, subtree: subtree || before?.subtree == true)
        set(path, entry)
        let group = Group(parent: parent, prompt: prompt)
        groups[group, default: 0] += 1
        if groups[group, default: 0] > timing.pathsPerDirectory {
            gather(group)
        } else if waiting.count > timing.paths {
            requestEverything(due: due)
            waiting.removeAll()
            groups.removeAll()
            queue.removeAll()
        }
    }

    /// Whether the look at a directory stands for one at a path in it: not where it comes too soon for that, or too late.
    private mutating func isCovered(by parent: FolderPath, due: Duration, reason: WaitingLook.Reason) -> Bool {
        guard let above = waiting[parent], above.subtree else { return false }
        switch reason {
        case .renamed, .closed: return above.reason.isPrompt && above.due <= due
        case .requested: return above.reason.isPrompt && above.due == due
        case .absence:
            // The look moves along with the deletions, but not for ever.
            guard above.reason == .absence, due <= above.since + timing.longestAbsence else { return false }
            if due > above.due { set(parent, above.moved(to: due)) }
            return true
        case .settling, .attributes: return false
        }
    }

    /// Replaces the paths of one directory and urgency by the directory: due with the first of them where they are urgent,
    /// else with the last. A look that comes too soon for some can find them half-written, but misses nothing: what
    /// happens to them after it is an event of its own.
    private mutating func gather(_ group: Group) {
        let members = waiting.filter { $0.key.parent == group.parent && $0.value.reason.isPrompt == group.prompt }
        for path in members.keys { remove(path) }
        let dues = members.values.map(\.due)
        guard let first = dues.min(), let last = dues.max(), let began = members.values.map(\.since).min() else {
            return
        }
        guard let parent = group.parent else { return requestEverything(due: group.prompt ? first : last) }
        let above = waiting[parent]
        if group.prompt || above?.reason.isPrompt == true {
            let due = above.map { min($0.due, first) } ?? first
            put(parent, due: due, since: due, reason: .closed, subtree: true)
        } else {
            let since = min(began, above?.since ?? began)
            let due = max(last, above?.due ?? last)
            put(parent, due: min(due, since + timing.longestAbsence), since: since, reason: .absence, subtree: true)
        }
    }

    /// Paths that wait keep their own time: some are due sooner, and others wait on purpose, since the look at everything
    /// may find them absent or half-written.
    private mutating func requestEverything(due: Duration) {
        everythingDue = min(everythingDue ?? due, due)
    }

    private mutating func set(_ path: FolderPath, _ entry: WaitingLook) {
        waiting[path] = entry
        queue.insert(path, due: entry.due)
        // Times that no longer count are swept before they outnumber the ones that do.
        guard queue.count > 2 * waiting.count + 1024 else { return }
        queue.removeAll()
        for (path, entry) in waiting { queue.insert(path, due: entry.due) }
    }

    @discardableResult
    private mutating func remove(_ path: FolderPath) -> WaitingLook? {
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
