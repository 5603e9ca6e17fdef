import FolderControl
import SyncTiming
import Synchronization
import Testing

@testable import SyncEngine

@Suite("Who waits for a session")
struct SessionWaitersTests {
    /// What answers those who wait for a fetch or a look, and how.
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let finish: @Sendable (inout SessionWaiters, _ number: Int) -> Void
        let expected: Bool?

        init(
            _ name: String, expect expected: Bool?, _ finish: @escaping @Sendable (inout SessionWaiters, Int) -> Void
        ) {
            testDescription = name
            self.expected = expected
            self.finish = finish
        }
    }

    @Test(
        "A fetch is waited for until it is done or will not be",
        arguments: [
            Row("done", expect: true) { waiters, _ in waiters.finishFetch(isDone: true, isHopeless: false) },
            Row("done at the last moment", expect: true) { waiters, _ in
                waiters.finishFetch(isDone: true, isHopeless: true)
            },
            Row("will not be", expect: false) { waiters, _ in waiters.finishFetch(isDone: false, isHopeless: true) },
            Row("out of patience", expect: false) { waiters, number in waiters.giveUp(.fetch(number)) },
            Row("still to come", expect: nil) { waiters, _ in waiters.finishFetch(isDone: false, isHopeless: false) },
            Row("somebody else's patience", expect: nil) { waiters, number in waiters.giveUp(.fetch(number + 1)) },
            Row("another kind of wait", expect: nil) { waiters, number in
                waiters.rest()
                waiters.giveUp(.rest(number))
            },
        ])
    func fetch(_ row: Row) async {
        let waiters = Mutex(SessionWaiters())
        let answer = await withCheckedContinuation { continuation in
            waiters.withLock { waiters in
                row.finish(&waiters, waiters.waitForFetch(continuation))
                #expect(waiters.isFetchAwaited == (row.expected == nil), "an answer comes once")
                // Whoever is left is not left behind, and nobody is answered twice.
                waiters.finishFetch(isDone: false, isHopeless: true)
            }
        }
        #expect(answer == row.expected ?? false)
    }

    @Test(
        "A look is waited for until it is done or will not be",
        arguments: [
            Row("done", expect: true) { waiters, _ in waiters.finishLook(isDone: true, isHopeless: false) },
            Row("done at the last moment", expect: true) { waiters, _ in
                waiters.finishLook(isDone: true, isHopeless: true)
            },
            Row("will not be", expect: false) { waiters, _ in waiters.finishLook(isDone: false, isHopeless: true) },
            Row("out of patience", expect: false) { waiters, number in waiters.giveUp(.look(number)) },
            Row("still to come", expect: nil) { waiters, _ in waiters.finishLook(isDone: false, isHopeless: false) },
            Row("another kind of wait", expect: nil) { waiters, number in
                waiters.finishFetch(isDone: true, isHopeless: false)
                waiters.giveUp(.fetch(number))
            },
        ])
    func look(_ row: Row) async {
        let waiters = Mutex(SessionWaiters())
        let answer = await withCheckedContinuation { continuation in
            waiters.withLock { waiters in
                row.finish(&waiters, waiters.waitForLook(continuation))
                waiters.finishLook(isDone: false, isHopeless: true)
            }
        }
        #expect(answer == row.expected ?? false)
    }

    @Test("The end of a cycle answers all who wait for it, and later patience has nobody to answer for")
    func rest() async {
        let waiters = Mutex(SessionWaiters())
        let isAtRest = await withCheckedContinuation { continuation in
            waiters.withLock { waiters in
                let number = waiters.waitForRest(continuation)
                waiters.rest()
                waiters.giveUp(.rest(number))
            }
        }
        #expect(isAtRest)
    }

    @Test("Whoever has no limit does not wait for a server that was tried in vain since the question")
    func silence() async {
        let waiters = Mutex(SessionWaiters())
        let asked = SteadyInstant(offset: .seconds(7))
        for (isLimited, isAnswered) in [(false, true), (true, false)] {
            let report = await withCheckedContinuation { continuation in
                waiters.withLock { waiters in
                    let question = SessionWaiters.Question(
                        asked: asked, isLimited: isLimited, daemon: StatusReport.Daemon(pid: 1, startedMilliseconds: 0),
                        watch: { nil })
                    _ = waiters.waitForSettling(question, continuation)
                    waiters.answer(isOver: false, isSilent: { $0 == asked }, report: { _ in Self.report("silent") })
                    waiters.answer(isOver: true, isSilent: { _ in false }, report: { _ in Self.report("over") })
                }
            }
            #expect(report.reason == (isAnswered ? "silent" : "over"))
        }
    }

    private static func report(_ reason: String) -> StatusReport {
        StatusReport(
            verdict: .pending, reason: reason, folder: "/", server: "", container: "", environment: "", database: "",
            zone: "", account: StatusReport.Account(status: "unknown"),
            network: StatusReport.Network(isReachable: true), records: 0, pending: StatusReport.Pending(), held: [],
            conflicts: [])
    }
}

extension SessionWaiters {
    /// Where nobody waits for the folder to settle.
    fileprivate mutating func giveUp(_ wait: Wait) {
        giveUp(wait) { _ in preconditionFailure("Nobody waits for a report") }
    }
}
