import LocalFolder
import Logging
import StateStorage
import SyncModel
import SyncPlanning

/// Looking after what left the folder: files that somebody may still be writing to, and those kept long enough.
extension FolderSession {
    /// Does what is due of it; a failure costs nothing but another try.
    func lookAfterHistory() {
        let writer = environment.writer
        resumeLateWriters()
        if !writer.lateWriters.isEmpty, historySchedule.isCheckDue(at: now) {
            historySchedule.noteChecked(isDone: rescueLateWrites(), now: now)
        }
        if writer.lateWriters.isEmpty { historySchedule.noteNoLateWriters() }
        let seconds = environment.clock.wall() / 1_000_000_000
        do {
            try followClock(to: seconds)
        } catch {
            return logger.warning("The history cannot be dated anew", metadata: ["error": "\(error)"])
        }
        guard historySchedule.isPruningDue(at: now) else { return }
        historySchedule.notePruning(now: now)
        do {
            try redateImpossible(now: seconds)
            let configuration = environment.configuration
            let oldest = seconds - Int64(configuration.historyDays) * 86_400
            var removed = try writer.history.prune(
                olderThan: oldest, maxBytes: configuration.historyLimit > 0 ? configuration.historyLimit : .max,
                maxOwnBytes: configuration.ownHistoryLimit, now: seconds)
            // A clock that is surely wrong tells no ages.
            if seconds >= HistorySchedule.firstPossible {
                removed += try environment.store.pruneDocuments(
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
        guard !historySchedule.hasResumed else { return }
        do {
            try environment.writer.lateWriters.resume(now: environment.clock.wall())
            historySchedule.noteResumed()
        } catch {
            logger.warning("The history cannot be looked at", metadata: ["error": "\(error)"])
        }
    }

    /// A board without a clock of its own begins in the past and is put right by the network: what was filed before that
    /// would look years old, and be pruned at once.
    private func followClock(to seconds: Int64) throws(FolderError) {
        guard let step = historySchedule.clockStep(to: seconds, now: now), environment.writer.lateWriters.isEmpty else {
            return
        }
        try environment.writer.history.redate(filedFrom: step.from, to: step.to, by: step.by)
        historySchedule.noteClockFollowed(to: seconds, now: now)
    }

    /// What an earlier run filed, and that run ended before the clock was put right, is no older than what is filed now.
    private func redateImpossible(now seconds: Int64) throws(FolderError) {
        let first = HistorySchedule.firstPossible
        guard seconds >= first, environment.writer.lateWriters.isEmpty else { return }
        try environment.writer.history.redate(filedBefore: first, to: seconds)
    }

    /// An editor that had a file open when it was replaced wrote into it afterwards: what it wrote goes beside the file.
    /// - Returns: Whether all of it is there now.
    @discardableResult
    func rescueLateWrites() -> Bool {
        var isDone = true
        for late in environment.writer.lateWriters.check(now: environment.clock.wall()) {
            do {
                let copy = try environment.writer.keepConflictCopy(of: late)
                try environment.store.addConflict(
                    ConflictRow(
                        copy: copy, original: late.path, record: trees.record(at: late.path) ?? RecordName(""),
                        fields: [], hash: late.hash, atMilliseconds: environment.clock.milliseconds))
                if let earlier = late.earlier, earlier.path != copy, environment.writer.takeBack(earlier) {
                    try environment.store.removeConflict(copy: earlier.path)
                }
                logger.notice(
                    "A program wrote into a file that had been replaced; what it wrote is in a conflict copy",
                    metadata: ["path": "\(late.path)", "copy": "\(copy)"])
            } catch {
                isDone = false
                environment.writer.lateWriters.watchAgain(late, now: environment.clock.wall())
                logger.error(
                    "What was written into a replaced file is in the history only; it is tried again",
                    metadata: ["path": "\(late.path)", "error": "\(error)"])
            }
        }
        return isDone
    }
}
