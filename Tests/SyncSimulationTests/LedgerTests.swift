import SyncModel
import Testing

@testable import SyncSimulation

@Suite("The ledger of what was written")
struct LedgerTests {
    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test("A word is one from end to end: what looks like one within a checksum is none")
    func words() {
        #expect(Ledger.words(in: bytes("w1 w2b\nx w3: w4.")) == ["w1", "w2b", "w3", "w4"])
        #expect(Ledger.words(in: bytes("AXw4bTiAwqF w5Q wide wA1")) == ["w5Q"])
    }

    @Test(
        "A word is missing unless it is somewhere, or somebody wrote over it, deleted it, or lost it to a power failure"
    )
    func fates() {
        var ledger = Ledger()
        ledger.wrote(bytes("w1"), over: nil, by: 1, on: 0)
        #expect(ledger.missing(from: []) == ["w1"])
        #expect(ledger.missing(from: ["w1"]).isEmpty)
        ledger.wrote(bytes("w2"), over: bytes("w1"), by: 2, on: 0)
        #expect(ledger.missing(from: []) == ["w2"])
        ledger.deleted(bytes("w2"), by: 3)
        #expect(ledger.missing(from: []).isEmpty)
        ledger.wrote(bytes("w4 w5"), over: nil, by: 4, on: 0)
        ledger.settled(0, durable: ["w4"])
        ledger.lostPower(0, durable: [])
        #expect(ledger.missing(from: []) == ["w4"])
    }

    @Test("Who moves a file over an equal one and then elsewhere has deleted that one; who leaves it there has not")
    func movedOverItsEqual() {
        let (path, other) = (FolderPath("a")!, FolderPath("b")!)
        for moves in 1...2 {
            var ledger = Ledger()
            ledger.wrote(bytes("w1 w2"), over: nil, by: 1, on: 0)
            ledger.moved(bytes("w1 w2"), inode: 7, from: path, to: other, over: bytes("w1 w2"), by: 2, on: 0)
            ledger.moved(bytes("w1 w2"), inode: 7, from: path, to: other, over: nil, by: 3, on: 1)
            ledger.moved(bytes("w1 w2"), inode: 8, from: path, to: other, over: nil, by: 4, on: 0)
            #expect(ledger.missing(from: []) == ["w1", "w2"])
            if moves == 2 { ledger.moved(bytes("w1 w2"), inode: 7, from: path, to: other, over: nil, by: 5, on: 0) }
            #expect(ledger.missing(from: []) == (moves == 2 ? [] : ["w1", "w2"]))
        }
    }

    @Test("Who moves a file back over the equal one that took its place has deleted that one")
    func movedBack() {
        let (path, other) = (FolderPath("a")!, FolderPath("b")!)
        for back in [7, 8] as [DiskTree.Inode] {
            var ledger = Ledger()
            ledger.wrote(bytes("w1"), over: nil, by: 1, on: 0)
            ledger.moved(bytes("w1"), inode: 7, from: path, to: other, over: nil, by: 2, on: 0)
            ledger.moved(bytes("w1"), inode: 8, from: other, to: path, over: nil, by: 3, on: 0)
            ledger.moved(bytes("w1"), inode: back, from: other, to: path, over: bytes("w1"), by: 4, on: 0)
            #expect(ledger.missing(from: []) == (back == 7 ? [] : ["w1"]))
        }
    }

    @Test("Who puts a new file where they moved one away from has replaced what others have of that one there")
    func refilled() {
        for (kept, others, isReplaced) in [([], ["w1"], true), (["w1"], ["w1"], false), ([], ["w2"], false)]
            as [(Set<String>, Set<String>, Bool)]
        {
            var ledger = Ledger()
            let (path, other) = (FolderPath("a")!, FolderPath("b")!)
            ledger.wrote(bytes("w1"), over: nil, by: 1, on: 0)
            ledger.moved(bytes("w1"), inode: 7, from: path, to: other, over: nil, by: 2, on: 0)
            #expect(ledger.placesLeft(on: 1) { _ in true }.isEmpty)
            #expect(ledger.placesLeft(on: 0) { _ in true } == [path])
            ledger.refilled(path, by: 3, on: 0, kept: kept, others: others)
            #expect(ledger.missing(from: []) == (isReplaced ? [] : ["w1"]))
            #expect(ledger.placesLeft(on: 0) { _ in true }.isEmpty)
        }
    }

    @Test("What came back to a place by itself is not what its person left there")
    func filledByOthers() {
        var ledger = Ledger()
        let (path, other) = (FolderPath("a")!, FolderPath("b")!)
        ledger.wrote(bytes("w1"), over: nil, by: 1, on: 0)
        ledger.moved(bytes("w1"), inode: 7, from: path, to: other, over: nil, by: 2, on: 0)
        #expect(ledger.placesLeft(on: 0) { _ in false }.isEmpty)
        ledger.refilled(path, by: 3, on: 0, kept: [], others: ["w1"])
        #expect(ledger.missing(from: []) == ["w1"])
    }

    @Test("What was durable may be lost once it is written anew without a sync, unless the server has it")
    func writtenAnew() {
        for isSent in [false, true] {
            var ledger = Ledger()
            ledger.wrote(bytes("w1"), over: nil, by: 1, on: 0)
            ledger.settled(0, durable: ["w1"])
            if isSent { ledger.sent(["w1"], by: 0) }
            ledger.wrote(bytes("w1 w2"), over: bytes("w1"), by: 2, on: 0)
            ledger.lostPower(0, durable: [])
            #expect(ledger.missing(from: []) == (isSent ? ["w1"] : []))
        }
    }

    @Test("A file is an invention unless somebody wrote it as a whole, or each value of its object")
    func inventions() throws {
        var ledger = Ledger()
        ledger.wrote(bytes(#"{"a": "w1"}"#), over: nil, by: 1, on: 0)
        ledger.wrote(bytes("w2 text"), over: nil, by: 2, on: 0)
        let (json, text) = (try #require(FolderPath("N/a.json")), try #require(FolderPath("a.txt")))
        #expect(ledger.invention(in: bytes(#"{"a": "w1"}"#), at: json) == nil)
        #expect(ledger.invention(in: bytes(#"{"b": "w2", "a": "w1"}"#), at: json) == nil)
        #expect(ledger.invention(in: bytes(#"{"a": "w3"}"#), at: json) != nil)
        #expect(ledger.invention(in: bytes(#"{"a": "w1"#), at: json) != nil)
        #expect(ledger.invention(in: bytes("w2 te"), at: text) != nil)
    }
}
