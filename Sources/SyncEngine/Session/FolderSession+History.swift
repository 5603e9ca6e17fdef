import LocalFolder
import Logging
import StateStorage
import SyncModel
import SyncPlanning

/// Looking after what left the folder: files that somebody may still be writing to, and those kept long enough.
extension FolderSession {
    private static let lateWriterInterval: Duration = .seconds(1)
    /// After a late write could not be rescued, as on a full disk.
    private static let rescueInterval: Duration = .seconds(30)
    private static let pruningInterval: Duration = .seconds(6 * 3600)

    /// Does what is due of it; a failure costs nothing but another try.
    func lookAfterHistory() {
        let writer = environment.writer
        resumeLateWriters()
        if writer.lateWriters.isEmpty {
            nextLateWriterCheck = nil
        } else if nextLateWriterCheck.map({ $0 <= now }) ?? true {
            let interval = rescueLateWrites() ? Self.lateWriterInterval : Self.rescueInterval
            nextLateWriterCheck = writer.lateWriters.isEmpty ? nil : now.advanced(by: interval)
        }
        let seconds = environment.clock.wall() / 1_000_000_000
        do {
            try followClock(to: seconds)
        } catch {
            return logger.warning("The history cannot be dated anew", metadata: ["error": "\(error)"])
        }
        guard nextPruning.map({ $0 <= now }) ?? true else { return }
        nextPruning = now.advanced(by: Self.pruningInterval)
        do {
            try redateImpossible(now: seconds)
            let configuration = environment.configuration
            let oldest = seconds - Int64(configuration.historyDays) * 86_400
            var removed = try writer.history.prune(
                olderThan: oldest, maxBytes: configuration.historyLimit > 0 ? configuration.historyLimit : .max,
                maxOwnBytes: configuration.ownHistoryLimit, now: seconds)
            // A clock that is surely wrong tells no ages.
            if seconds >= Self.firstPossible {
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
        guard !hasResumedLateWriters else { return }
        do {
            try environment.writer.lateWriters.resume(now: environment.clock.wall())
            hasResumedLateWriters = true
        } catch {
            logger.warning("The history cannot be looked at", metadata: ["error": "\(error)"])
        }
    }

    /// A board without a clock of its own begins in the past and is put right by the network: what was filed before that
    /// would look years old, and be pruned at once.
    private func followClock(to seconds: Int64) throws(FolderError) {
        guard let reference = clockReference else {
            clockReference = (seconds, now)
            return
        }
        let expected = reference.seconds + reference.steady.duration(to: now).components.seconds
        let step = seconds - expected
        // Where it was put back, what was filed is kept longer than it must be.
        guard step > Self.clockStep, environment.writer.lateWriters.isEmpty else { return }
        try environment.writer.history.redate(filedFrom: reference.seconds, to: expected, by: step)
        clockReference = (seconds, now)
    }

    /// What an earlier run filed, and that run ended before the clock was put right, is no older than what is filed now.
    private func redateImpossible(now seconds: Int64) throws(FolderError) {
        guard seconds >= Self.firstPossible, environment.writer.lateWriters.isEmpty else { return }
        try environment.writer.history.redate(filedBefore: Self.firstPossible, to: seconds)
    }

    /// The beginning of 2026, in seconds since 1970: nobody had this program before, so a clock that shows less is wrong.
    private static let firstPossible: Int64 = 1_767_225_600

    /// Seconds by which the clock has to be put to make a difference to what is kept for days.
    private static let clockStep: Int64 = 86_400

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
