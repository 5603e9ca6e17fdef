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

/// Runs events through a coalescer that is asked at every event of a new time and whenever something is due.
private func looks(
    after events: [(Int, WatchEvent)], timing: CoalescerTiming = CoalescerTiming()
) -> [(
    Int, [ScanRequest]
)] {
    var coalescer = EventCoalescer(timing: timing)
    var looks: [(Int, [ScanRequest])] = []
    func milliseconds(_ time: Duration) -> Int { Int(time / .milliseconds(1)) }
    func takeAll(before limit: Duration?) {
        while let due = coalescer.nextDue(), limit.map({ due < $0 }) ?? true {
            let requests = coalescer.take(now: due)
            if !requests.isEmpty { looks.append((milliseconds(due), requests)) }
        }
    }
    for (time, event) in events {
        takeAll(before: .milliseconds(time))
        coalescer.note(event, now: .milliseconds(time))
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
