import SyncTiming

/// When the history is looked after, and what the two clocks tell of the times in it.
///
/// Files that somebody may still be writing to are looked at each second, and after a failure ever so often; the history is
/// pruned some times a day, and sooner where much was kept. A clock that is put right makes what was filed before look older
/// than it is.
struct HistorySchedule: Sendable {
    /// A step of the clock: what was filed in between has to be dated anew.
    struct ClockStep: Hashable, Sendable {
        /// In seconds since 1970 by the clock of before: when the last step was, and now.
        let from, to: Int64
        let by: Int64
    }

    /// Whether those who may write late were looked for since the start.
    private(set) var hasResumed = false
    /// When the history is pruned next; `nil`: at once.
    private(set) var nextPruning: SteadyInstant?
    private var nextCheck: SteadyInstant?
    /// How many versions were kept since the last pruning of what was edited and deleted here.
    private var keptVersions = 0
    /// Both clocks when the session began, or when one of them was last put.
    private var reference: (seconds: Int64, steady: SteadyInstant)?

    private static let checkInterval = Duration.seconds(1)
    /// After a late write could not be rescued, as on a full disk.
    private static let rescueInterval = Duration.seconds(30)
    private static let pruningInterval = Duration.seconds(6 * 3600)
    /// Versions that are kept before the next pruning comes early.
    static let versionsBeforePruning = 200
    /// The beginning of 2026, in seconds since 1970: nobody had this program before, so a clock that shows less is wrong.
    static let firstPossible: Int64 = 1_767_225_600
    /// Seconds by which the clock has to be put to make a difference to what is kept for days.
    static let leastStep: Int64 = 86_400

    // MARK: Those who may write late

    mutating func noteResumed() {
        hasResumed = true
    }

    func isCheckDue(at now: SteadyInstant) -> Bool { nextCheck.map { $0 <= now } ?? true }

    /// Notes that they were looked at.
    /// - Parameter isDone: Whether all that they wrote could be put beside its file.
    mutating func noteChecked(isDone: Bool, now: SteadyInstant) {
        nextCheck = now.advanced(by: isDone ? Self.checkInterval : Self.rescueInterval)
    }

    /// Notes that there are none: the next one is looked at as soon as it is there.
    mutating func noteNoLateWriters() {
        nextCheck = nil
    }

    /// When they are to be looked at, where there are any.
    func checkDue(now: SteadyInstant) -> SteadyInstant { nextCheck ?? now.advanced(by: Self.checkInterval) }

    // MARK: Pruning

    func isPruningDue(at now: SteadyInstant) -> Bool { nextPruning.map { $0 <= now } ?? true }

    mutating func notePruning(now: SteadyInstant) {
        nextPruning = now.advanced(by: Self.pruningInterval)
    }

    /// Notes that it could not be told yet how old anything is.
    mutating func putOffPruning(now: SteadyInstant) {
        nextPruning = now.advanced(by: Self.rescueInterval)
    }

    mutating func noteKeptVersion() {
        keptVersions += 1
        guard keptVersions >= Self.versionsBeforePruning else { return }
        keptVersions = 0
        nextPruning = nil
    }

    // MARK: Clocks

    /// By how much the clock was put since it was last followed; `nil` where that makes no difference. Where it was put back,
    /// what was filed is kept longer than it must be.
    /// - Parameter seconds: What it shows, since 1970.
    mutating func clockStep(to seconds: Int64, now: SteadyInstant) -> ClockStep? {
        guard let reference else {
            noteClockFollowed(to: seconds, now: now)
            return nil
        }
        let expected = reference.seconds + reference.steady.duration(to: now).components.seconds
        let step = seconds - expected
        return step > Self.leastStep ? ClockStep(from: reference.seconds, to: expected, by: step) : nil
    }

    /// Notes that what was filed before a step was dated anew.
    mutating func noteClockFollowed(to seconds: Int64, now: SteadyInstant) {
        reference = (seconds, now)
    }
}
