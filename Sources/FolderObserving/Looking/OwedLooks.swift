package import LocalFolder
package import SyncModel
package import SyncTiming

/// What of the folder has to be looked at before the local tree can be trusted, and when it is looked at although nobody says so.
package final class OwedLooks {
    /// Whether the whole folder is to be scanned.
    package var isWhole: Bool {
        if case .no = whole { false } else { true }
    }

    private var whole = Whole.fromNow
    /// Paths to be scanned besides what the watcher names.
    package private(set) var paths: Set<FolderPath> = []
    /// Whether the whole folder was scanned once.
    package private(set) var hasLooked = false
    /// Whether files were seen for the first time since that was last asked.
    private var hasNewFiles = false
    /// Files that the look which is under way has still to read; `nil` between two.
    package private(set) var unread: Int?
    /// The look at the whole folder that goes on in small steps, and when it began, in milliseconds since 1970; `nil` between
    /// two.
    private(set) var audit: (look: FolderAudit, began: Int64)?
    /// When that look goes on, or the next one begins.
    private var nextAudit: SteadyInstant?
    /// When to scan the whole folder: where events cannot tell everything.
    private var nextWhole: SteadyInstant?
    /// When to look again at what could not be read.
    private var nextSecondLook: SteadyInstant?

    /// Where not every directory has a watch, the whole folder is scanned: nobody tells of anything there.
    static let blindInterval = Duration.seconds(60)
    /// Where too many files were open to look at everything.
    package static let scarceInterval = Duration.seconds(10)

    /// Whether nothing is owed now, and no look is under way.
    package var isEmpty: Bool { !isWhole && paths.isEmpty && unread == nil }

    /// The moments at which something will be owed, or goes on.
    package var moments: [SteadyInstant] { [nextAudit, nextWhole, nextSecondLook].compactMap(\.self) }

    // MARK: What is owed

    /// Owes a look at the whole folder that sees all that was done until now.
    package func oweAll() { whole = .fromNow }

    /// Owes a look at the whole folder by a walk that began already. What is owed from now on is not in it.
    package func owe(_ walk: FirstWalk) { whole = .begun(walk) }

    /// Owes a look at a path.
    package func owe(_ path: FolderPath) { paths.insert(path) }

    /// Owes a look at paths.
    package func owe(_ more: some Sequence<FolderPath>) { paths.formUnion(more) }

    /// Owes again what was taken and could not be done.
    package func owe(_ scope: ScanScope) {
        switch scope {
        case .whole: oweAll()
        case .paths(let paths): self.paths.formUnion(paths)
        }
    }

    /// Owes what is due by now.
    /// - Parameter unreadable: The paths that could not be read when they were last looked at.
    package func owe(dueAt now: SteadyInstant, unreadable: @autoclosure () -> Set<FolderPath>) {
        if let next = nextWhole, next <= now { oweAll() }
        if let next = nextSecondLook, next <= now {
            nextSecondLook = nil
            paths.formUnion(unreadable())
        }
    }

    /// Takes what is owed, to be looked at now; `nil` where nothing is.
    /// - Parameter rules: What is left out: a walk that began with others counts for nothing.
    func take(leavingOut rules: IgnoreRules) -> (scope: ScanScope, begun: FirstWalk?)? {
        guard !isEmpty else { return nil }
        if case .begun(let walk) = whole, walk.rules == rules {
            // What was owed since it began is looked at after it.
            whole = .no
            return (.whole, walk)
        }
        defer { (whole, paths) = (.no, []) }
        return (isWhole ? .whole : .paths(paths.sorted()), nil)
    }

    /// Nothing was ever looked at: what is known is to be found out anew.
    func beginAnew() {
        (whole, paths, hasLooked, hasNewFiles, unread) = (.fromNow, [], false, false, nil)
        (audit, nextAudit, nextWhole, nextSecondLook) = (nil, nil, nil, nil)
    }

    // MARK: What is under way

    /// A look has files still to read.
    func goOn(unread: Int) { self.unread = unread }

    /// Files were seen for the first time.
    func noteNewFiles() { hasNewFiles = true }

    /// Whether that was so since this was last asked.
    func takeNewFiles() -> Bool {
        defer { hasNewFiles = false }
        return hasNewFiles
    }

    /// No look is under way any more.
    func endLook() { unread = nil }

    // MARK: When

    /// The whole folder was scanned.
    /// - Parameter isWatched: Whether events tell of whatever is done in it.
    func noteWhole(isWatched: Bool, now: SteadyInstant) {
        hasLooked = true
        nextWhole = isWatched ? nil : now.advanced(by: Self.blindInterval)
    }

    /// Something was scanned.
    /// - Parameters:
    ///   - isUnreadable: Whether something in the folder cannot be read: no event tells that a disk answers again, that a
    ///     directory may be read, or that files can be opened.
    ///   - isScarce: Whether that is so for too many open files.
    func noteLook(isUnreadable: Bool, isScarce: Bool, now: SteadyInstant) {
        nextSecondLook = isUnreadable ? nextSecondLook ?? now.advanced(by: Self.blindInterval) : nil
        guard isScarce else { return }
        let next = now.advanced(by: Self.scarceInterval)
        nextWhole = nextWhole.map { min($0, next) } ?? next
    }

    /// Whether the look at the whole folder that is made in small steps goes on now, or begins.
    func isAuditDue(at now: SteadyInstant) -> Bool { !isWhole && nextAudit.map { $0 <= now } ?? false }

    /// That look goes on at a moment.
    func goOn(with audit: (look: FolderAudit, began: Int64), at moment: SteadyInstant) {
        (self.audit, nextAudit) = (audit, moment)
    }

    /// The whole folder was looked at; the next such look begins at a moment.
    func endAudit(nextAt moment: SteadyInstant) { (audit, nextAudit) = (nil, moment) }

    /// The look at the whole folder that is owed.
    private enum Whole {
        case no, fromNow
        case begun(FirstWalk)
    }
}
