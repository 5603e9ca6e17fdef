import CloudKitWire
import ProblemSentences
import RecordMapping
import SyncModel
import SyncPlanning
import SyncTiming
import Testing

@testable import SessionCore

@Suite("What was refused")
struct RefusalsTests {
    private static let path = FolderPath("Note/folder/a.json")!
    private static let other = FolderPath("Note/b.json")!
    private static let (record, otherRecord) = (RecordName("Note/r"), RecordName("Note/s"))

    private static func save(_ path: FolderPath, tag: String? = nil) -> Action {
        Action(.createRecord, record: nil, path: path, local: nil, changeTag: tag)
    }

    private static func hold(
        _ refusals: inout Refusals, _ path: FolderPath, as code: Problem.Code = .serverRefused, now: Int = 0
    ) {
        let problem = Problem(code, message: "", remedy: "")
        refusals.hold(save(path), because: problem, wall: 100, now: SteadyInstant.at(now))
    }

    @Test("Who is refused again waits twice as long each time, up to an hour, and another version begins anew")
    func pauses() {
        var refusals = Refusals()
        var pauses: [Duration] = []
        for _ in 0..<9 {
            Self.hold(&refusals, Self.path)
            pauses.append(refusals[Self.save(Self.path)]!.expires.offset)
        }
        #expect(pauses == [30, 60, 120, 240, 480, 960, 1920, 3600, 3600].map { .seconds($0) })
        #expect(refusals[Self.save(Self.path, tag: "2")] == nil)
        refusals.keep(only: [Self.save(Self.path, tag: "2")])
        #expect(refusals.isEmpty)
    }

    /// What may let one file go that was refused.
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let isReleased: Bool
        let act: @Sendable (inout Refusals) -> Void

        init(_ name: String, isReleased: Bool, _ act: @escaping @Sendable (inout Refusals) -> Void) {
            testDescription = name
            self.isReleased = isReleased
            self.act = act
        }
    }

    private static func near(_ path: String, of code: Problem.Code? = nil) -> @Sendable (inout Refusals) -> Void {
        { $0.release(near: [FolderPath(path)!], of: code) { _ in [FolderPath("p.png")!] } }
    }

    @Test(
        "What was refused is let go where something about it changed, or what it waits for came",
        arguments: [
            Row("its file", isReleased: true, near("Note/folder/a.json")),
            Row("its folder", isReleased: true, near("Note/folder")),
            Row("below it", isReleased: true, near("Note/folder/a.json/x")),
            Row("a file that it names", isReleased: true, near("p.png")),
            Row("a file that it waits for", isReleased: true, near("Note/b.json")),
            Row("what stands in its way", isReleased: true, near("place")),
            Row("above that", isReleased: false, near("place/below")),
            Row("another file", isReleased: false, near("Note/folder/c.json")),
            Row("its file, for another reason", isReleased: false, near("Note/folder/a.json", of: .pathBlocked)),
            Row("the record that it waits for", isReleased: true) { $0.release(awaiting: [record]) },
            Row("another record", isReleased: false) { $0.release(awaiting: [otherRecord]) },
            Row("its attributes since", isReleased: true) { $0.forget(ofTouched: [touched(at: 101)]) },
            Row("its attributes before", isReleased: false) { $0.forget(ofTouched: [touched(at: 100)]) },
            Row("the field that the schema lacked", isReleased: true) {
                $0.noteDeclared(by: Record(recordType: "Note", fields: ["f": Field(.int64(1))]))
            },
            Row("another field of the type", isReleased: false) {
                $0.noteDeclared(by: Record(recordType: "Note", fields: ["g": Field(.int64(1))]))
            },
        ])
    func release(_ row: Row) {
        var refusals = Refusals()
        let action = Self.save(Self.path)
        refusals.hold(
            action, because: Problem(.serverRefused, message: "", remedy: ""), at: FolderPath("place")!, wall: 100,
            now: SteadyInstant.at(0))
        refusals.noteWait(of: action, for: [Self.record], paths: [Self.other])
        refusals.noteWait(of: action, for: SchemaGap(recordType: "Note", field: "f"))
        row.act(&refusals)
        #expect((refusals[action] == nil) == row.isReleased)
    }

    @Test("With a file goes what waits for it, and files that wait for each other go together")
    func together() {
        let paths = ["a", "b", "c"].map { FolderPath("Note/\($0).json")! }
        var refusals = Refusals()
        for path in paths { Self.hold(&refusals, path) }
        // The third waits for the second, that for the first.
        for (path, needed) in zip(paths.dropFirst(), paths) {
            refusals.noteWait(of: Self.save(path), for: [], paths: [needed], isOnItsWay: true)
        }
        refusals.releaseCircles()
        #expect(paths.allSatisfy { refusals[Self.save($0)] != nil })
        #expect(!refusals.isOnItsWay(Self.save(paths[0])) && refusals.isOnItsWay(Self.save(paths[1])))
        refusals.release(near: [paths[0]]) { _ in [] }
        #expect(refusals.isEmpty)
        for path in paths { Self.hold(&refusals, path) }
        for (path, needed) in [(paths[0], paths[1]), (paths[1], paths[0])] {
            refusals.noteWait(of: Self.save(path), for: [], paths: [needed], isOnItsWay: true)
        }
        refusals.releaseCircles()
        #expect(paths.map { refusals[Self.save($0)] == nil } == [true, true, false])
    }

    @Test("The schema is asked once for each refusal whether the reserved field has come")
    func probes() {
        var refusals = Refusals()
        let action = Self.save(Self.path)
        Self.hold(&refusals, Self.path, as: .schemaMissing)
        var probes = [refusals.takeProbe(of: action)]
        refusals.noteWait(of: action, for: SchemaGap(recordType: "Note", field: RecordHints.fieldName))
        for _ in 0..<2 { probes.append(refusals.takeProbe(of: action)) }
        #expect(probes == [nil, "Note", nil])
        #expect(refusals.undeclaredTypes.isEmpty)
        refusals.noteWait(of: action, for: SchemaGap(recordType: "Note"))
        #expect(refusals.undeclaredTypes == ["Note"])
        let lackedSome = (0..<2).map { _ in refusals.forgetAll() }
        #expect(lackedSome == [true, false])
    }

    private static func touched(at changed: Int64) -> LocalEntry {
        LocalEntry(
            path: path, stamp: FileStamp(device: 1, inode: 1, size: 2, modified: 0, changed: changed, mode: 0o644),
            hash: ContentHash(bytes: repeatElement(0, count: 32))!, form: .file)
    }
}
