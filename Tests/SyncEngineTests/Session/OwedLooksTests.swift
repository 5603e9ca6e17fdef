import SyncModel
import Testing

@testable import LocalFolder
@testable import SyncEngine

@Suite("What of the folder is still to be looked at")
struct OwedLooksTests {
    private static let rules = IgnoreRules(text: "*.tmp".utf8)
    private static let (a, b) = (FolderPath("a")!, FolderPath("d/b")!)

    /// Where nothing but the first walk is owed.
    private static func afterStart() -> OwedLooks {
        var looks = OwedLooks()
        let walk = FirstWalk(leavingOut: rules, at: 7, isAside: false) {
            FolderWalk(result: ScanResult(rules: rules), toHash: [])
        }
        looks.owe(walk)
        return looks
    }

    @Test("What is owed since the first walk began is looked at after it")
    func sinceFirstWalk() throws {
        var looks = Self.afterStart()
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
        var looks = Self.afterStart()
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
        var looks = Self.afterStart()
        let taken = looks.take(leavingOut: IgnoreRules(text: "*.bak".utf8))
        let look = try #require(taken)
        #expect(look.scope == .whole)
        #expect(look.begun == nil)
        #expect(looks.isEmpty)
    }

    @Test("A look that could not be stored is owed again, without the walk")
    func again() throws {
        var looks = Self.afterStart()
        let taken = looks.take(leavingOut: Self.rules)
        looks.owe(try #require(taken).scope)
        let again = looks.take(leavingOut: Self.rules)
        let look = try #require(again)
        #expect(look.scope == .whole)
        #expect(look.begun == nil)
    }
}
