import LocalFolder
import SyncModel
import SyncTiming
import Testing

@testable import FolderObserving

@Suite("The ignore rules in force")
struct RulesInForceTests {
    private static let secret = FolderPath("secret.env")!
    private static let draft = FolderPath("draft.txt")!
    private static let both = IgnoreRules(text: "*.env\ndraft.txt\n".utf8)
    private static let fewer = IgnoreRules(text: "*.env\n".utf8)
    private static let none = IgnoreRules()

    /// What the file says one second after another, and what is left out then.
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// `nil`: it cannot be read.
        let read: [IgnoreRules?]
        let leavesOutDraft: Bool
        let isWaiting: Bool

        init(_ name: String, _ read: [IgnoreRules?], leavesOutDraft: Bool, isWaiting: Bool) {
            testDescription = name
            self.read = read
            self.leavesOutDraft = leavesOutDraft
            self.isWaiting = isWaiting
        }
    }

    @Test(
        "New lines hold at once; that old ones are gone, once the file has stood there so for 3 s",
        arguments: [
            Row("as before", [both], leavesOutDraft: true, isWaiting: false),
            Row("a line less", [fewer], leavesOutDraft: true, isWaiting: true),
            Row("a line less, and back", [fewer, both], leavesOutDraft: true, isWaiting: false),
            Row("a line less for 2 s", [fewer, fewer, fewer], leavesOutDraft: true, isWaiting: true),
            Row("a line less for 3 s", [fewer, fewer, fewer, fewer], leavesOutDraft: false, isWaiting: false),
            Row("another line less each second", [fewer, none, fewer, none], leavesOutDraft: true, isWaiting: true),
            Row("unreadable in between", [fewer, nil, fewer, fewer], leavesOutDraft: true, isWaiting: true),
            Row("unreadable", [nil], leavesOutDraft: true, isWaiting: false),
        ])
    func readings(_ row: Row) {
        let rules = RulesInForce(read: Self.both, stored: Self.both)
        for (second, read) in row.read.enumerated() {
            if let read {
                _ = rules.take(read, now: SteadyInstant.at(second))
            } else {
                rules.noteUnreadable(Problem(.unreadable, message: "", remedy: ""))
            }
        }
        #expect(rules.isIgnored(Self.secret))
        #expect(rules.isIgnored(Self.draft) == row.leavesOutDraft)
        #expect(rules.isWaiting == row.isWaiting)
        #expect((rules.problem != nil) == (row.read.last! == nil))
    }

    @Test("What was taken out of the rules while nothing ran is left out at the start all the same")
    func start() {
        let rules = RulesInForce(read: Self.fewer, stored: Self.both)
        #expect(rules.isIgnored(Self.draft) && rules.isIgnored(Self.secret))
        let isChanged = [0, 3].map { rules.take(Self.fewer, now: SteadyInstant.at($0)) }
        #expect(isChanged == [false, true])
        #expect(!rules.isIgnored(Self.draft))
    }

    @Test("A deletion waits twice as long as looser rules do, counted from when they were seen")
    func deletions() {
        let rules = RulesInForce(read: Self.both, stored: nil)
        #expect(rules.due(SteadyInstant.at(5)) == SteadyInstant.at(5))
        _ = rules.take(Self.fewer, now: SteadyInstant.at(1))
        #expect(rules.due(SteadyInstant.at(5)) == SteadyInstant.at(7))
        #expect(rules.due(SteadyInstant.at(9)) == SteadyInstant.at(9))
    }

    @Test("What comes to sight counts as never looked at until a look at the whole folder missed nothing of it")
    func uncovered() {
        let rules = RulesInForce(read: Self.both, stored: nil)
        rules.noteLook(missed: [Self.draft], unreadable: []) { _ in false }
        #expect(!rules.hasUncovered, "nothing came to sight")
        _ = rules.take(Self.fewer, now: SteadyInstant.at(0))
        _ = rules.take(Self.fewer, now: SteadyInstant.at(3))
        #expect(rules.uncovers(Self.draft))
        rules.noteLook(missed: [Self.draft], unreadable: []) { _ in false }
        #expect(rules.storable.isIgnored(Self.draft, isDirectory: false))
        #expect(!rules.noteLook { _ in true } && rules.uncovers(Self.draft))
        rules.noteStored()
        #expect(rules.uncovers(Self.draft), "it is still to be looked at")
        #expect(rules.noteLook { _ in false })
        #expect(rules.storable == Self.fewer)
        rules.noteStored()
        #expect(!rules.uncovers(Self.draft))
        #expect(!rules.noteLook { _ in false }, "a look at a part is no look at the whole")
    }

    @Test("Of what came to sight and cannot be read no more is new at a start than that")
    func unreadable() {
        let rules = RulesInForce(read: Self.both, stored: nil)
        for second in [0, 3] { _ = rules.take(Self.fewer, now: SteadyInstant.at(second)) }
        let (new, old, odd) = (FolderPath("private [1] *")!, FolderPath("old")!, FolderPath("a\nb")!)
        rules.noteLook(missed: [], unreadable: [new, old, odd]) { $0 != old }
        let stored = rules.storable
        let again = RulesInForce(read: Self.fewer, stored: IgnoreRules(text: stored.text.utf8))
        for second in [0, 3] { _ = again.take(Self.fewer, now: SteadyInstant.at(second)) }
        #expect(again.uncovers(FolderPath("private [1] */a.txt")!))
        for path in [FolderPath("private 1 x")!, old, odd, Self.draft] { #expect(!again.uncovers(path), "\(path)") }
    }
}
