import Dispatch
import SyncModel
import Testing

@testable import FolderObserving
@testable import LocalFolder

@Suite("What of the folder is still to be looked at")
struct OwedLooksTests {
    private static let rules = IgnoreRules(text: "*.tmp".utf8)
    private static let (a, b) = (FolderPath("a")!, FolderPath("d/b")!)

    /// Where nothing but the first walk is owed.
    private static func afterStart() -> OwedLooks {
        let looks = OwedLooks()
        let walk = FirstWalk(leavingOut: rules, at: 7, isAside: false, placeWatch: { _ in }) { _ in
            FolderWalk(result: ScanResult(rules: rules), toHash: [], sizes: [])
        }
        looks.owe(walk)
        return looks
    }

    @Test("A look under way is owed work, and new files are told of until somebody asks")
    func underWay() {
        let looks = OwedLooks()
        let taken = looks.take(leavingOut: Self.rules)
        #expect(taken != nil && looks.isEmpty)
        looks.goOn(unread: 3)
        #expect(!looks.isEmpty && looks.unread == 3)
        looks.noteNewFiles()
        looks.endLook()
        #expect(looks.isEmpty && looks.unread == nil)
        let (first, again) = (looks.takeNewFiles(), looks.takeNewFiles())
        #expect(first && !again)
    }

    @Test("What is owed since the first walk began is looked at after it")
    func sinceFirstWalk() throws {
        let looks = Self.afterStart()
        looks.owe([Self.b, Self.a])
        #expect(looks.isWhole)
        let taken = looks.take(leavingOut: Self.rules)
        let first = try #require(taken)
        #expect(first.scope == .whole)
        #expect(first.begun?.began == 7)
        #expect(!looks.isEmpty)
        let rest = looks.take(leavingOut: Self.rules)
        let second = try #require(rest)
        #expect(second.scope == .paths([Self.a, Self.b]))
        #expect(second.begun == nil)
        #expect(looks.isEmpty)
    }

    @Test("A look at the whole folder that is owed since takes the place of the first walk, with all paths")
    func wholeSince() throws {
        let looks = Self.afterStart()
        looks.owe(Self.a)
        looks.oweAll()
        let taken = looks.take(leavingOut: Self.rules)
        let look = try #require(taken)
        #expect(look.scope == .whole)
        #expect(look.begun == nil)
        #expect(looks.isEmpty)
    }

    @Test("A walk that left out by other rules counts for nothing")
    func otherRules() throws {
        let looks = Self.afterStart()
        let taken = looks.take(leavingOut: IgnoreRules(text: "*.bak".utf8))
        let look = try #require(taken)
        #expect(look.scope == .whole)
        #expect(look.begun == nil)
        #expect(looks.isEmpty)
    }

    @Test("A first walk that nobody wants any more places no watch", .timeLimit(.minutes(1)))
    func unwanted() async {
        let (placed, place) = AsyncStream.makeStream(of: FolderPath.self)
        let (gone, go) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        do {
            let walk = FirstWalk(
                leavingOut: Self.rules, at: 7, isAside: true, placeWatch: { place.yield($0!) }
            ) { onDirectory in
                onDirectory(Self.a)
                go.signal()
                gone.wait()
                onDirectory(Self.b)
                place.finish()
                return FolderWalk(result: ScanResult(rules: Self.rules), toHash: [], sizes: [])
            }
            Self.wait(for: go)
            withExtendedLifetime(walk) {}
        }
        gone.signal()
        var found: [FolderPath] = []
        for await path in placed { found.append(path) }
        #expect(found == [Self.a])
    }

    private static func wait(for semaphore: DispatchSemaphore) { semaphore.wait() }

    @Test("A look that could not be stored is owed again, without the walk")
    func again() throws {
        let looks = Self.afterStart()
        let taken = looks.take(leavingOut: Self.rules)
        looks.owe(try #require(taken).scope)
        let again = looks.take(leavingOut: Self.rules)
        let look = try #require(again)
        #expect(look.scope == .whole)
        #expect(look.begun == nil)
    }
}
