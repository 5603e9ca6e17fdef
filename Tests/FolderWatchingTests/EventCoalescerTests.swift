import FolderWatching
import SyncModel
import Testing

/// What one program does to the folder, in milliseconds, and the looks that follow.
struct SavePattern: Sendable, CustomTestStringConvertible {
    var name: String
    var events: [(Int, WatchEvent)]
    var looks: [(Int, [ScanRequest])]
    var testDescription: String { name }
}

private func on(_ kind: PathChange.Kind, _ path: String, directory: Bool = false, pairing: UInt32 = 0) -> WatchEvent {
    .changed(PathChange(kind, FolderPath(path)!, isDirectory: directory, pairing: pairing))
}

private func entry(_ path: String) -> ScanRequest { .entry(FolderPath(path)!) }
private func subtree(_ path: String) -> ScanRequest { .subtree(FolderPath(path)!) }

/// What happens, or is asked for, at one time.
enum Step: Sendable {
    case event(WatchEvent)
    case request(ScanRequest, due: Int)
}

/// Events and requests, in milliseconds, and the looks that follow.
struct RequestPattern: Sendable, CustomTestStringConvertible {
    var name: String
    var steps: [(Int, Step)]
    var looks: [(Int, [ScanRequest])]
    var pathsPerDirectory = 1024
    var testDescription: String { name }
}

/// Runs events through a coalescer that is asked at every event of a new time and whenever something is due.
private func looks(
    after events: [(Int, WatchEvent)], timing: CoalescerTiming = CoalescerTiming()
) -> [(
    Int, [ScanRequest]
)] {
    looks(after: events.map { ($0.0, .event($0.1)) }, timing: timing)
}

private func looks(after steps: [(Int, Step)], timing: CoalescerTiming) -> [(Int, [ScanRequest])] {
    var coalescer = EventCoalescer(timing: timing)
    var looks: [(Int, [ScanRequest])] = []
    func milliseconds(_ time: Duration) -> Int { Int(time / .milliseconds(1)) }
    func takeAll(before limit: Duration?) {
        while let due = coalescer.nextDue(), limit.map({ due < $0 }) ?? true {
            let requests = coalescer.take(now: due)
            if !requests.isEmpty { looks.append((milliseconds(due), requests)) }
        }
    }
    for (time, step) in steps {
        takeAll(before: .milliseconds(time))
        switch step {
        case .event(let event): coalescer.note(event, now: .milliseconds(time))
        case .request(let request, let due): coalescer.request(request, due: .milliseconds(due))
        }
    }
    takeAll(before: nil)
    return looks
}

private let patterns: [SavePattern] = [
    SavePattern(
        name: "nano: truncate and write",
        events: [(0, on(.modified, "a")), (1, on(.modified, "a")), (2, on(.closedAfterWrite, "a"))],
        looks: [(2, [entry("a")])]),
    SavePattern(
        name: "vim: probe, backup by rename, write",
        events: [
            (0, on(.created, "4913")), (0, on(.closedAfterWrite, "4913")), (0, on(.attributes, "4913")),
            (0, on(.deleted, "4913")), (1, on(.movedFrom, "a", pairing: 7)), (1, on(.movedTo, "a~", pairing: 7)),
            (1, on(.created, "a")), (1, on(.modified, "a")), (1, on(.closedAfterWrite, "a")),
            (1, on(.attributes, "a")), (1, on(.deleted, "a~")),
        ],
        looks: [(1, [entry("a")]), (3501, [entry("4913"), entry("a~")])]),
    SavePattern(
        name: "emacs: lock link, backup, write",
        events: [
            (0, on(.created, ".#a")), (1, on(.movedFrom, "a", pairing: 3)), (1, on(.movedTo, "a~", pairing: 3)),
            (1, on(.created, "a")), (1, on(.closedAfterWrite, "a")), (1, on(.deleted, ".#a")),
        ],
        looks: [(1, [entry("a"), entry("a~")]), (3501, [entry(".#a")])]),
    SavePattern(
        name: "gedit, sed -i, rsync: temporary file renamed into place",
        events: [
            (0, on(.created, ".t")), (0, on(.modified, ".t")), (0, on(.closedAfterWrite, ".t")),
            (0, on(.movedFrom, ".t", pairing: 9)), (0, on(.movedTo, "a", pairing: 9)),
        ],
        looks: [(0, [entry(".t"), entry("a")])]),
    SavePattern(
        name: "JetBrains: new file, old one aside, new one in place",
        events: [
            (0, on(.created, "a___jb_tmp___")), (0, on(.closedAfterWrite, "a___jb_tmp___")),
            (1, on(.movedFrom, "a", pairing: 1)), (1, on(.movedTo, "a___jb_old___", pairing: 1)),
            (1, on(.movedFrom, "a___jb_tmp___", pairing: 2)), (1, on(.movedTo, "a", pairing: 2)),
            (1, on(.deleted, "a___jb_old___")),
        ],
        looks: [
            (0, [entry("a___jb_tmp___")]), (1, [entry("a"), entry("a___jb_tmp___")]),
            (3501, [entry("a___jb_old___")]),
        ]),
    SavePattern(
        name: "LibreOffice: lock, temporary file, rename; the lock goes",
        events: [
            (0, on(.created, ".~lock.a#")), (0, on(.closedAfterWrite, ".~lock.a#")),
            (1, on(.closedAfterWrite, "lu1.tmp")), (1, on(.movedFrom, "lu1.tmp", pairing: 4)),
            (1, on(.movedTo, "a", pairing: 4)), (1, on(.deleted, ".~lock.a#")),
        ],
        looks: [(0, [entry(".~lock.a#")]), (1, [entry("a"), entry("lu1.tmp")]), (3501, [entry(".~lock.a#")])]),
    SavePattern(
        name: "delete, pause of 3 s, rename into place: never looked at while absent",
        events: [(0, on(.deleted, "a")), (3000, on(.movedTo, "a", pairing: 5))],
        looks: [(3000, [entry("a")])]),
    SavePattern(
        name: "a deletion that stays",
        events: [(0, on(.deleted, "a"))], looks: [(3500, [entry("a")])]),
    SavePattern(
        name: "a mass deletion that takes its time: looked at as one",
        events: [(0, on(.deleted, "a")), (2000, on(.deleted, "b")), (4000, on(.deleted, "c"))],
        looks: [(7500, [entry("a"), entry("b"), entry("c")])]),
    SavePattern(
        name: "deletions that do not cease: together every 10 s",
        events: (0..<10).map { ($0 * 1000, on(.deleted, "\($0)")) },
        looks: [(10_000, (0...6).map { entry("\($0)") }), (12_500, (7...9).map { entry("\($0)") })]),
    SavePattern(
        name: "moved out of the folder",
        events: [(0, on(.movedFrom, "a", pairing: 5))], looks: [(3500, [entry("a")])]),
    SavePattern(
        name: "exchange: arrives, then departs, and is there all the time",
        events: [(0, on(.movedTo, "a", pairing: 1)), (0, on(.movedFrom, "a", pairing: 2))],
        looks: [(0, [entry("a")])]),
    SavePattern(
        name: "a log kept open: settles 2 s after the last write",
        events: [(0, on(.modified, "a")), (1500, on(.modified, "a")), (3000, on(.modified, "a"))],
        looks: [(5000, [entry("a")])]),
    SavePattern(
        name: "a log that never rests is looked at after 30 s",
        events: (0...31).map { ($0 * 1000, on(.modified, "a")) },
        looks: [(30_000, [entry("a")]), (33_000, [entry("a")])]),
    SavePattern(
        name: "a mode alone",
        events: [(0, on(.attributes, "a"))], looks: [(100, [entry("a")])]),
    SavePattern(
        name: "a mode set on a half-written file does not hurry it",
        events: [(0, on(.modified, "a")), (10, on(.attributes, "a"))], looks: [(2000, [entry("a")])]),
    SavePattern(
        name: "mkdir -p and a burst below it: the directory covers them",
        events: [
            (0, on(.created, "d", directory: true)), (0, on(.created, "d/e", directory: true)),
            (0, on(.closedAfterWrite, "d/e/f")), (0, on(.closedAfterWrite, "d-1")),
        ],
        looks: [(0, [subtree("d"), entry("d-1")])]),
    SavePattern(
        name: "a renamed directory: both paths at once",
        events: [
            (0, on(.movedFrom, "d", directory: true, pairing: 8)), (0, on(.movedTo, "e", directory: true, pairing: 8)),
        ],
        looks: [(0, [subtree("d"), subtree("e")])]),
    SavePattern(
        name: "git checkout: unlink and write again",
        events: [
            (0, on(.deleted, "a")), (0, on(.created, "a")), (0, on(.modified, "a")), (0, on(.closedAfterWrite, "a")),
        ],
        looks: [(0, [entry("a")])]),
    SavePattern(
        name: "overflow asks for everything; what waits keeps its own time",
        events: [(0, on(.deleted, "a")), (1, .overflow)],
        looks: [(1, [.everything]), (3500, [entry("a")])]),
]

@Test("Each program's save leads to exactly these looks (reliability.md §5)", arguments: patterns)
func savePattern(_ pattern: SavePattern) {
    let found = looks(after: pattern.events)
    #expect(found.map(\.0) == pattern.looks.map(\.0))
    #expect(found.map(\.1) == pattern.looks.map(\.1))
}

private let requestPatterns: [RequestPattern] = [
    RequestPattern(
        name: "a request below a directory puts off no look at the directory",
        steps: [
            (0, .event(on(.created, "d", directory: true))), (0, .request(entry("d/x"), due: 8000)),
            (0, .event(on(.closedAfterWrite, "d/y"))),
        ],
        looks: [(0, [subtree("d")]), (8000, [entry("d/x")])]),
    RequestPattern(
        name: "a save below a directory is looked at before a request for the directory is due",
        steps: [(0, .request(subtree("d"), due: 8000)), (1000, .event(on(.closedAfterWrite, "d/x")))],
        looks: [(1000, [entry("d/x")]), (8000, [subtree("d")])]),
    RequestPattern(
        name: "a request for a directory leaves a sooner look at it where it was, and makes it whole",
        steps: [(0, .event(on(.attributes, "d"))), (0, .request(subtree("d"), due: 8000))],
        looks: [(100, [subtree("d")])]),
    RequestPattern(
        name: "a request for everything puts off no look",
        steps: [(0, .event(on(.closedAfterWrite, "a"))), (0, .request(.everything, due: 8000))],
        looks: [(0, [entry("a")]), (8000, [.everything])]),
    RequestPattern(
        name: "a look at everything is no look at what has not settled by then",
        steps: [
            (0, .request(.everything, due: 5000)), (4000, .event(on(.modified, "a"))),
            (4000, .request(.everything, due: 8000)),
        ],
        looks: [(5000, [.everything]), (6000, [entry("a")])]),
    RequestPattern(
        name: "a request hurries no file that is being written to",
        steps: [
            (0, .event(on(.modified, "a"))), (0, .request(entry("a"), due: 500)),
            (1500, .event(on(.modified, "a"))),
        ],
        looks: [(3500, [entry("a")])]),
    RequestPattern(
        name: "a request does not make a deletion final",
        steps: [(0, .event(on(.deleted, "a"))), (0, .request(entry("a"), due: 500))],
        looks: [(3500, [entry("a")])]),
    RequestPattern(
        name: "a file that is written to after it was requested settles first",
        steps: [(0, .request(entry("a"), due: 500)), (100, .event(on(.modified, "a")))],
        looks: [(2100, [entry("a")])]),
    RequestPattern(
        name: "what happens to a path before a request for it is due is looked at in its own time",
        steps: [
            (0, .request(entry("a"), due: 8000)), (1000, .event(on(.modified, "a"))),
            (4000, .request(entry("b"), due: 8000)), (4000, .event(on(.attributes, "b"))),
        ],
        looks: [(3000, [entry("a")]), (4100, [entry("b")])]),
    RequestPattern(
        name: "a mode that is set just before a request is due does not put that off",
        steps: [(0, .request(entry("a"), due: 500)), (450, .event(on(.attributes, "a")))],
        looks: [(500, [entry("a")])]),
    RequestPattern(
        name: "a log that never rests puts off no look at its directory",
        steps: [(0, .event(on(.attributes, "d", directory: true)))]
            + (0...31).map { ($0 * 1000, .event(on(.modified, "d/log"))) },
        looks: [(100, [subtree("d")]), (30_000, [entry("d/log")]), (33_000, [entry("d/log")])]),
    RequestPattern(
        name: "many requests in one directory put off no save in it",
        steps: [
            (0, .request(entry("d/1"), due: 8000)), (0, .request(entry("d/2"), due: 8000)),
            (0, .event(on(.closedAfterWrite, "d/3"))),
        ],
        looks: [(0, [subtree("d")])], pathsPerDirectory: 2),
    RequestPattern(
        name: "many files that are being written to put off no look at their new directory",
        steps: [(0, .event(on(.created, "d", directory: true)))]
            + (1...3).map { (0, .event(on(.modified, "d/\($0)"))) },
        looks: [(0, [subtree("d")])], pathsPerDirectory: 2),
    RequestPattern(
        name: "deletions in one directory that do not cease are looked at together every 10 s",
        steps: (0...9).map { ($0 * 1000, .event(on(.deleted, "d/\($0)"))) },
        looks: [(10_000, [subtree("d")])], pathsPerDirectory: 2),
]

@Test("A request puts nothing off and hurries nothing that waits on purpose", arguments: requestPatterns)
func requestPattern(_ pattern: RequestPattern) {
    var timing = CoalescerTiming()
    timing.pathsPerDirectory = pattern.pathsPerDirectory
    let found = looks(after: pattern.steps, timing: timing)
    #expect(found.map(\.0) == pattern.looks.map(\.0))
    #expect(found.map(\.1) == pattern.looks.map(\.1))
}

@Test("Many paths of one directory become the directory, and the bound holds")
func gathersDirectory() {
    var timing = CoalescerTiming()
    timing.pathsPerDirectory = 8
    var coalescer = EventCoalescer(timing: timing)
    for number in 0..<100 { coalescer.note(on(.deleted, "d/\(number)"), now: .milliseconds(number)) }
    #expect(coalescer.count == 1)
    coalescer.note(on(.closedAfterWrite, "d/saved"), now: .milliseconds(100))
    #expect(coalescer.take(now: .milliseconds(100)) == [entry("d/saved")])
    #expect(coalescer.take(now: .milliseconds(3598)).isEmpty)
    #expect(coalescer.take(now: .milliseconds(3599)) == [subtree("d")])
    #expect(coalescer.nextDue() == nil)
}

@Test("A path that changes while it is looked at is requested again")
func changesWhileTaken() {
    var coalescer = EventCoalescer()
    coalescer.note(on(.closedAfterWrite, "a"), now: .zero)
    #expect(coalescer.take(now: .zero) == [entry("a")])
    coalescer.note(on(.closedAfterWrite, "a"), now: .milliseconds(1))
    #expect(coalescer.take(now: .milliseconds(1)) == [entry("a")])
}

@Test("A look that is asked for later puts off no look that is due sooner, and one asked for sooner comes sooner")
func requestedLooks() {
    var coalescer = EventCoalescer()
    coalescer.note(on(.closedAfterWrite, "a"), now: .milliseconds(5))
    coalescer.request(entry("a"), due: .seconds(8))
    #expect(coalescer.nextDue() == .milliseconds(5))
    #expect(coalescer.take(now: .milliseconds(5)) == [entry("a")])
    coalescer.request(entry("a"), due: .seconds(8))
    coalescer.note(on(.closedAfterWrite, "a"), now: .seconds(1))
    #expect(coalescer.take(now: .seconds(1)) == [entry("a")])
    coalescer.request(entry("a"), due: .seconds(8))
    coalescer.request(entry("a"), due: .seconds(2))
    #expect(coalescer.take(now: .seconds(2)) == [entry("a")])
    #expect(coalescer.nextDue() == nil)
}
