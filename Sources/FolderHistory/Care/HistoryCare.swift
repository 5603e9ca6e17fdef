package import FolderSettings
package import FolderWriting
import LocalFolder
package import Logging
import StateRows
package import StateStorage
package import SyncModel
package import SyncTiming

/// Looks after what left the folder: files that somebody may still be writing to, and those kept long enough.
package final class HistoryCare {
    private var schedule = HistorySchedule()
    private let writer: FolderWriter
    private let store: StateStore
    private let clock: SessionClock
    private let configuration: FolderConfiguration
    private let logger: Logger

    package init(
        of configuration: FolderConfiguration, writer: FolderWriter, store: StateStore, clock: SessionClock,
        logger: Logger
    ) {
        (self.configuration, self.writer, self.store) = (configuration, writer, store)
        (self.clock, self.logger) = (clock, logger)
    }

    /// When there is something to do.
    package func moments(now: SteadyInstant) -> [SteadyInstant] {
        let check = writer.lateWriters.isEmpty ? nil : schedule.checkDue(now: now)
        return [check, schedule.nextPruning].compactMap(\.self)
    }

    /// Notes that a version was kept of what was edited or deleted here: many call for an early pruning.
    package func noteKeptVersion() { schedule.noteKeptVersion() }

    /// Looks at those who may write late when it is asked next, however long ago that was done.
    package func lookAtLateWriters() { schedule.noteNoLateWriters() }

    /// Does what is due of it; a failure costs nothing but another try.
    /// - Parameter record: The record that is shown at a path.
    package func lookAfter(at now: SteadyInstant, record: (FolderPath) -> RecordName?) {
        resumeLateWriters()
        if !writer.lateWriters.isEmpty, schedule.isCheckDue(at: now) {
            schedule.noteChecked(isDone: rescueLateWrites(record: record), now: now)
        }
        if writer.lateWriters.isEmpty { schedule.noteNoLateWriters() }
        let seconds = clock.wall() / 1_000_000_000
        do {
            let isFollowed = try followClock(to: seconds, now: now)
            guard schedule.isPruningDue(at: now) else { return }
            // What is still to be dated anew looks old enough to go.
            guard isFollowed, try redateImpossible(now: seconds) else { return schedule.putOffPruning(now: now) }
        } catch {
            schedule.putOffPruning(now: now)
            return logger.warning("The history cannot be dated anew", metadata: ["error": "\(error)"])
        }
        schedule.notePruning(now: now)
        do {
            let oldest = seconds - Int64(configuration.historyDays) * 86_400
            var removed = try writer.history.prune(
                olderThan: oldest, maxBytes: configuration.historyLimit > 0 ? configuration.historyLimit : .max,
                maxOwnBytes: configuration.ownHistoryLimit, now: seconds)
            // A clock that is surely wrong tells no ages.
            if seconds >= HistorySchedule.firstPossible {
                removed += try store.pruneDocuments(
                    before: oldest * 1000, maxBytes: configuration.ownHistoryLimit)
            }
            if removed > 0 {
                logger.info("Old versions were removed from the history", metadata: ["versions": "\(removed)"])
            }
        } catch {
            logger.warning("The history cannot be pruned", metadata: ["error": "\(error)"])
        }
    }

    /// A program that had a file open when this one was ended may have written into it since, or still do.
    private func resumeLateWriters() {
        guard !schedule.hasResumed else { return }
        do {
            try writer.lateWriters.resume(now: clock.wall())
            schedule.noteResumed()
        } catch {
            logger.warning("The history cannot be looked at", metadata: ["error": "\(error)"])
        }
    }

    /// A board without a clock of its own begins in the past and is put right by the network: what was filed before that
    /// would look years old, and be pruned at once.
    /// - Returns: Whether that is done; not while a file in it is watched, which is known by its place there.
    private func followClock(to seconds: Int64, now: SteadyInstant) throws(FolderError) -> Bool {
        guard let step = schedule.clockStep(to: seconds, now: now) else { return true }
        guard writer.lateWriters.isEmpty else { return false }
        try writer.history.redate(filedFrom: step.from, to: step.to, by: step.by)
        schedule.noteClockFollowed(to: seconds, now: now)
        return true
    }

    /// What an earlier run filed, and that run ended before the clock was put right, is no older than what is filed now.
    /// - Returns: Whether that is done.
    private func redateImpossible(now seconds: Int64) throws(FolderError) -> Bool {
        let first = HistorySchedule.firstPossible
        guard seconds >= first else { return true }
        guard writer.lateWriters.isEmpty else { return try !writer.history.holdsAnything(filedBefore: first) }
        try writer.history.redate(filedBefore: first, to: seconds)
        return true
    }

    /// An editor that had a file open when it was replaced wrote into it afterwards: what it wrote goes beside the file.
    /// - Returns: Whether all of it is there now.
    @discardableResult
    package func rescueLateWrites(record: (FolderPath) -> RecordName?) -> Bool {
        var isDone = true
        for late in writer.lateWriters.check(now: clock.wall()) {
            do {
                let copy = try writer.keepConflictCopy(of: late)
                try store.addConflict(
                    ConflictRow(
                        copy: copy, original: late.path, record: record(late.path) ?? RecordName(""),
                        fields: [], hash: late.hash, atMilliseconds: clock.milliseconds))
                if let earlier = late.earlier, earlier.path != copy, writer.takeBack(earlier) {
                    try store.removeConflict(copy: earlier.path)
                }
                logger.notice(
                    "A program wrote into a file that had been replaced; what it wrote is in a conflict copy",
                    metadata: ["path": "\(late.path)", "copy": "\(copy)"])
            } catch {
                isDone = false
                writer.lateWriters.watchAgain(late, now: clock.wall())
                logger.error(
                    "What was written into a replaced file is in the history only; it is tried again",
                    metadata: ["path": "\(late.path)", "error": "\(error)"])
            }
        }
        return isDone
    }
}
