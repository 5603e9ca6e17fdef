import SyncTiming
import Testing

@testable import FolderHistory

@Suite("When the history is looked after")
struct HistoryScheduleTests {
    @Test("Late writers are looked at each second, and half a minute after what they wrote could not be put anywhere")
    func lateWriters() {
        var schedule = HistorySchedule()
        #expect(schedule.isCheckDue(at: SteadyInstant.at(0)))
        #expect(schedule.checkDue(now: SteadyInstant.at(0)) == SteadyInstant.at(1))
        schedule.noteChecked(isDone: true, now: SteadyInstant.at(0))
        #expect(!schedule.isCheckDue(at: SteadyInstant.at(0)) && schedule.isCheckDue(at: SteadyInstant.at(1)))
        schedule.noteChecked(isDone: false, now: SteadyInstant.at(1))
        #expect(!schedule.isCheckDue(at: SteadyInstant.at(30)) && schedule.isCheckDue(at: SteadyInstant.at(31)))
        schedule.noteNoLateWriters()
        #expect(schedule.isCheckDue(at: SteadyInstant.at(1)))
    }

    @Test("The history is pruned each six hours, and sooner where much was kept")
    func pruning() {
        var schedule = HistorySchedule()
        #expect(schedule.isPruningDue(at: SteadyInstant.at(0)))
        schedule.notePruning(now: SteadyInstant.at(0))
        #expect(
            !schedule.isPruningDue(at: SteadyInstant.at(6 * 3600 - 1))
                && schedule.isPruningDue(at: SteadyInstant.at(6 * 3600)))
        for _ in 1..<HistorySchedule.versionsBeforePruning { schedule.noteKeptVersion() }
        #expect(!schedule.isPruningDue(at: SteadyInstant.at(1)))
        schedule.noteKeptVersion()
        #expect(schedule.isPruningDue(at: SteadyInstant.at(1)))
    }

    @Test("A pruning that is put off is tried again half a minute later")
    func putOffPruning() {
        var schedule = HistorySchedule()
        schedule.putOffPruning(now: SteadyInstant.at(0))
        #expect(!schedule.isPruningDue(at: SteadyInstant.at(29)) && schedule.isPruningDue(at: SteadyInstant.at(30)))
    }

    @Test(
        "Only a clock that was put forward by more than a day counts as put",
        arguments: [
            (step: -200_000, counts: false), (0, false), (86_400, false), (86_401, true), (1_700_000_000, true),
        ]
            as [(step: Int64, counts: Bool)])
    func clock(step: Int64, counts: Bool) {
        var schedule = HistorySchedule()
        var found = schedule.clockStep(to: 1000, now: SteadyInstant.at(0))
        #expect(found == nil, "nothing to compare with")
        let expected = HistorySchedule.ClockStep(from: 1000, to: 1010, by: step)
        // As long as nothing was dated anew, it is asked for again.
        for _ in 0..<2 {
            found = schedule.clockStep(to: 1010 + step, now: SteadyInstant.at(10))
            #expect(found == (counts ? expected : nil))
        }
        schedule.noteClockFollowed(to: 1010 + step, now: SteadyInstant.at(10))
        found = schedule.clockStep(to: 1020 + step, now: SteadyInstant.at(20))
        #expect(found == nil)
    }
}
