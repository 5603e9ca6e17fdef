import RecordMapping
import RecordPaths
import RecordTrees
import StateRows
import StateStorage
import SyncModel
import SyncPlanning
import Testing

@testable import SyncEngine

@Suite("What waits for a person")
struct AttentionTests {
    @Test("What waits for a person is written where it changed, and again where that failed")
    func attention() {
        struct Failure: Error {}
        let stored = StoredAttention()
        var written: [Int] = []
        let problem = Problem(.unreadable, message: "", remedy: "")
        func store(_ problems: [HeldProblem.Subject: Problem], failing: Bool = false) {
            try? stored.store(problems) { problems in
                written.append(problems.count)
                if failing { throw Failure() }
            }
        }
        store([:])
        store([:])
        store([.folder: problem], failing: true)
        store([.folder: problem])
        store([.folder: problem])
        store([:])
        #expect(written == [0, 1, 1, 0])
    }

    /// A file that a plan found to be held, and what the trees say of it later.
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// `nil`: it is gone.
        let form: FileForm?
        let isHeld: Bool

        init(_ name: String, _ form: FileForm?, isHeld: Bool) {
            testDescription = name
            self.form = form
            self.isHeld = isHeld
        }
    }

    private static let problem = Problem(.missingAsset, message: "", remedy: "")

    @Test(
        "A file is held until it is gone, or is nothing to hold and has all that it names",
        arguments: [
            Row("gone", nil, isHeld: false),
            Row("nothing to hold", .file, isHeld: false),
            Row("held still", .held(problem), isHeld: true),
            Row(
                "without what it names",
                .structured(
                    recordType: "Note",
                    attachments: [SyncModel.Attachment(field: "p", index: nil, path: FolderPath("p.png")!)]),
                isHeld: true),
        ])
    func held(_ row: Row) {
        let path = FolderPath("Note/a.json")!
        var trees = SyncTrees(fileRecordType: "File") { path, name, attempt in
            PathMapping.displaced(path, recordName: name, attempt: attempt)
        }
        let files = HeldFiles()
        files.take([path: Self.problem], in: trees)
        #expect(files.problems == [path: Self.problem], "what a plan says of it comes first")
        if let form = row.form {
            let stamp = FileStamp(device: 1, inode: 1, size: 2, modified: 0, changed: 0, mode: 0o644)
            let hash = ContentHash(bytes: repeatElement(0, count: 32))!
            trees.setLocal(
                LocalEntry(path: path, stamp: stamp, hash: hash, form: form, isSettled: true), at: path)
        }
        files.take([:], in: trees)
        #expect((files.problems[path] != nil) == row.isHeld)
    }
}
