import SyncModel
import Testing

@testable import SessionCore

@Suite("What of an event is stored (S1.16)")
struct EventLogTests {
    @Test("An event of which nothing came and that did not fail is none")
    func nothing() {
        var log = EventLog()
        log.begin(.import, at: 10)
        #expect(log.end(.import, at: 20) == .nothing)
        #expect(log.end(.import, at: 30) == .nothing, "none goes on")
    }

    @Test("An event that is stored ends with its counts, at another moment than it began")
    func success() {
        var log = EventLog()
        log.begin(.export, at: 10)
        log.begin(.export, at: 15)
        log.noteStored(.export, as: 7)
        log.count(.export, changed: 2)
        log.count(.export, changed: 1, deleted: 4)
        #expect(
            log.end(.export, at: 20)
                == .end(
                    SyncEvent(
                        id: 7, kind: .export, author: .person, beganMilliseconds: 10, endedMilliseconds: 20,
                        outcome: .success, counts: .init(changed: 3, deleted: 4))))
    }

    @Test("The first failure is the event's")
    func firstFailure() {
        var log = EventLog()
        log.begin(.import, at: 10)
        log.fail(.import, code: "THROTTLED", message: "wait", at: 11)
        log.fail(.import, code: "unreachable", message: "no route", at: 12)
        #expect(
            log.end(.import, at: 20)
                == .whole(
                    SyncEvent(
                        kind: .import, author: .device(nil), beganMilliseconds: 10, endedMilliseconds: 20,
                        outcome: .error(code: "THROTTLED", message: "wait"))))
    }

    @Test("The same failure again is told once, whatever its words, until something else happened")
    func repeated() {
        var log = EventLog()
        func failed(_ code: String, id: Int64 = 0, changed: Int = 0) -> EventLog.Ending {
            log.begin(.export, at: 1)
            log.noteStored(.export, as: id)
            log.count(.export, changed: changed)
            log.fail(.export, code: code, message: "\(id)", at: 1)
            return log.end(.export, at: 2)
        }
        func isTold(_ ending: EventLog.Ending) -> Bool {
            switch ending {
            case .end, .whole: true
            case .nothing, .forget: false
            }
        }
        #expect(isTold(failed("THROTTLED")))
        #expect(failed("THROTTLED") == .nothing)
        #expect(failed("THROTTLED", id: 9) == .forget(9))
        #expect(isTold(failed("THROTTLED", id: 10, changed: 1)), "something came of it")
        #expect(isTold(failed("QUOTA_EXCEEDED")))
        log.succeeded(.export)
        #expect(isTold(failed("QUOTA_EXCEEDED")))
        log.begin(.export, at: 3)
        #expect(log.end(.export, at: 4) == .nothing)
        #expect(failed("QUOTA_EXCEEDED") == .nothing, "an attempt that came to nothing is no success")
        log.begin(.export, at: 3)
        log.noteStored(.export, as: 11)
        #expect(log.end(.export, at: 4) == .forget(11), "nothing went out")
        #expect(failed("QUOTA_EXCEEDED") == .nothing)
        log.begin(.export, at: 5)
        log.noteStored(.export, as: 12)
        log.count(.export, changed: 1)
        #expect(isTold(log.end(.export, at: 6)))
        #expect(isTold(failed("QUOTA_EXCEEDED")))
    }

    @Test("What was not allowed is no event, unless something came of it before (S1.5)")
    func notAllowed() {
        var log = EventLog()
        for (id, changed) in [(Int64(0), 0), (5, 0), (6, 2)] {
            log.begin(.export, at: 1)
            log.noteStored(.export, as: id)
            log.count(.export, changed: changed)
            switch log.end(.export, at: 2) {
            case .nothing: #expect(id == 0)
            case .forget(let gone): #expect(gone == 5 && id == 5)
            case .end(let event): #expect(event.id == 6 && event.outcome == .success)
            case .whole: Issue.record("nothing failed")
            }
        }
    }

    @Test("Setup, import and export go on beside each other")
    func kinds() {
        var log = EventLog()
        log.begin(.setup, at: 1)
        log.begin(.import, at: 2)
        log.fail(.setup, code: "noAccount", message: "sign in", at: 3)
        #expect(log.current(.import)?.outcome == nil && log.current(.export) == nil)
        #expect(log.end(.import, at: 4) == .nothing)
        #expect(log.current(.setup)?.beganMilliseconds == 1)
    }
}
