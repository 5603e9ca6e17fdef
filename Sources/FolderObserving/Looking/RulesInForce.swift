package import LocalFolder
package import SyncModel
package import SyncTiming

/// The ignore rules that hold, while a program may be saving the file of them.
///
/// It may do so by emptying the file, or by taking it away until the new one is in its place. So new lines hold at once; that
/// old ones are gone, only once the file has stood there without them for a while. What then comes to sight may have been put
/// there while nobody looked: until all of it was looked at, it is known which that is.
package final class RulesInForce {
    /// Those by which files are left out now.
    package private(set) var current: IgnoreRules
    /// Why the file could not be read; the last ones that could hold on.
    package private(set) var problem: Problem?
    /// The last ones that certainly were a person's whole will.
    private var settled: IgnoreRules
    /// Rules that leave out less, and since when they stand there.
    private var looser: (rules: IgnoreRules, since: SteadyInstant)?
    /// Those of before, until what they alone leave out was looked at.
    private var former: IgnoreRules?
    /// What of that could not be looked at yet.
    private var later: Set<FolderPath> = []

    /// So long rules have to stand there that leave out less: as long as a file may be missing (``MissingFiles``).
    static let patience = MissingFiles.patience

    /// The rules of a start. What was taken out of them since the last run is no person's will before it has stood there for
    /// a while.
    /// - Parameter stored: Those by which the whole folder was looked at last; `nil`: it never was.
    init(read: IgnoreRules, stored: IgnoreRules?) {
        let settled = stored ?? read
        self.settled = settled
        current = read.contain(settled) ? read : read.adding(settled)
    }

    /// Takes in what the file says now.
    /// - Returns: Whether other rules hold than before.
    func take(_ fresh: IgnoreRules, now: SteadyInstant) -> Bool {
        problem = nil
        let isSettled = looser.map { $0.rules == fresh && $0.since.advanced(by: Self.patience) <= now } ?? false
        let before = current
        if isSettled || fresh.contain(settled) {
            settled = fresh
            looser = nil
            current = fresh
        } else {
            if looser?.rules != fresh { looser = (fresh, now) }
            current = fresh.adding(settled)
        }
        // What the earlier ones left out may not have been looked at yet.
        if !current.contain(before) { former = former?.adding(before) ?? before }
        return current != before
    }

    /// Takes in that the file is there and cannot be read. Those in force stay; what is read next begins its time anew.
    func noteUnreadable(_ problem: Problem) {
        self.problem = problem
        looser = nil
    }

    /// Whether the file is to be read again once ``patience`` is over.
    var isWaiting: Bool { looser != nil }

    /// When a deletion may be sent that would be due at a moment: until the rules of before have ended, its file may be where
    /// nobody may look.
    package func due(_ moment: SteadyInstant) -> SteadyInstant {
        looser.map { max(moment, $0.since.advanced(by: Self.patience * 2)) } ?? moment
    }

    func isIgnored(_ path: FolderPath) -> Bool {
        current.isIgnored(path, isDirectory: false)
    }

    // MARK: What comes to sight

    /// Whether nobody may have looked at a path before the rules of now.
    func uncovers(_ path: FolderPath) -> Bool {
        former?.isIgnored(path, isDirectory: false) ?? false
    }

    /// Whether there may be such paths.
    var hasUncovered: Bool { former != nil }

    /// Takes in a look at the whole folder.
    /// - Parameters:
    ///   - missed: What was found and is not known, for it changed while it was read. Not asked for at most looks.
    ///   - unreadable: What could not be read: it may be a directory.
    ///   - holds: Whether something that comes to sight is known below a directory.
    func noteLook(
        missed: @autoclosure () -> [FolderPath], unreadable: @autoclosure () -> Set<FolderPath>,
        holds: (FolderPath) -> Bool
    ) {
        guard let former else { return }
        later = Set(missed().filter(uncovers))
        for path in unreadable() where former.isIgnored(path, isDirectory: true) || holds(path) { later.insert(path) }
    }

    /// Takes in a look at a part of the folder.
    /// - Parameter isMissed: Whether a path is still to be looked at.
    /// - Returns: Whether more of what came to sight was looked at by now.
    func noteLook(where isMissed: (FolderPath) -> Bool) -> Bool {
        guard former != nil else { return false }
        let before = later
        later = later.filter(isMissed)
        return later.isEmpty || later != before
    }

    /// The rules by which all was looked at: those in force, with a line for each path that came to sight and could not be
    /// looked at yet. One that can stand in no line is new no more at the next start.
    var storable: IgnoreRules { current.leavingOut(later) }

    /// Takes over that these are stored: the next start tells from them what comes to sight.
    func noteStored() {
        former = later.isEmpty ? nil : IgnoreRules().leavingOut(later)
    }
}
