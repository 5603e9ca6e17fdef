import CloudKitWire
import GRDB
import Testing

@testable import CloudKitServer

@Suite("References and hidden records in the public database (protocol §2, §4)")
struct PublicReferenceTests {
    private let world: PublicWorld

    init() throws {
        world = try PublicWorld()
        #expect(try world.refusal(.create, "note", as: world.ada) == nil)
    }

    @Test("Nobody can hold up the deletion of a record that is not theirs")
    func strangersValidation() throws {
        let reference = PublicWorld.reference("note", .validate)
        let refused = try world.refusal(.create, "strange", as: world.bob, reference)
        #expect(refused?.serverErrorCode == .accessDenied)
        #expect(try world.refusal(.create, "own", as: world.ada, reference) == nil)
        let obstacle = try world.refusal(.forceDelete, "note", as: world.ada)
        #expect(obstacle?.serverErrorCode == .validatingReferenceError)
        #expect(try world.refusal(.forceDelete, "own", as: world.ada) == nil)
        #expect(try world.refusal(.forceDelete, "note", as: world.ada) == nil)
    }

    @Test("A reference that is there stays when somebody else changes the record; a new one needs its own permission")
    func keptReferences() throws {
        #expect(try world.refusal(.create, "other", as: world.ada) == nil)
        let reference = PublicWorld.reference("note", .validate)
        #expect(try world.refusal(.create, "wiki", as: world.ada, reference, type: "Page") == nil)
        try world.grant([("_icloud", ["READ", "CREATE", "WRITE"])], of: "Page")
        let text = ["text": FieldValue.string("x")]
        #expect(try world.refusal(.forceUpdate, "wiki", as: world.bob, text, type: "Page") == nil)
        #expect(try world.refusal(.forceReplace, "wiki", as: world.bob, reference, type: "Page") == nil)
        let new = PublicWorld.reference("other", .validate)
        let refused = try world.refusal(.forceUpdate, "wiki", as: world.bob, new, type: "Page")
        #expect(refused?.serverErrorCode == .accessDenied)
    }

    @Test("Nobody can create the target of somebody's DELETE_SELF reference and delete both")
    func capturedReferences() throws {
        let reference = PublicWorld.reference("later", .deleteSelf)
        let refused = try world.refusal(.create, "own", as: world.ada, reference)
        #expect(refused?.serverErrorCode == .validatingReferenceError)
        #expect(try world.refusal(.create, "later", as: world.bob) == nil)
        // Now it is known what one depends on.
        #expect(try world.refusal(.create, "own", as: world.ada, reference) == nil)
        #expect(try world.refusal(.forceDelete, "later", as: world.bob) == nil)
        #expect(try world.refusal(ofLookup: "own", as: world.ada)?.serverErrorCode == .notFound)
    }

    @Test("In one's own database a record may be referred to before it is there")
    func privateReferences() throws {
        var ada = world.ada
        ada.scope = .private
        #expect(try world.refusal(.create, "own", as: ada, PublicWorld.reference("later", .deleteSelf)) == nil)
    }

    @Test("Who may neither read nor write a record is told what is told of one that does not exist")
    func hidden() throws {
        #expect(try world.refusal(.forceUpdate, "note", as: world.ada, ["file": .asset(uploaded("note"))]) == nil)
        try world.grant([("_creator", ["READ", "WRITE"]), ("_icloud", ["CREATE"])], of: "Note")
        let bob = world.bob
        let questions: [(String) throws -> ErrorDictionary?] = [
            { try world.refusal(ofLookup: $0, as: bob) },
            { try world.refusal(.update, $0, as: bob, tag: "1") },
            { try world.refusal(.replace, $0, as: bob, tag: "1") },
            { try world.refusal(.delete, $0, as: bob, tag: "1") },
            { try world.refusal(.forceDelete, $0, as: bob) },
            { try world.refusal(.create, "new", as: bob, parent: $0) },
            { try world.refusal(.create, "new", as: bob, PublicWorld.reference($0, .validate)) },
            { try world.refusal(.create, "new", as: bob, PublicWorld.reference($0, .deleteSelf)) },
            { try refusal(ofRereferencing: $0, as: bob) },
        ]
        #expect(try refusal(ofRereferencing: "note", as: world.ada) == nil)
        for (index, question) in questions.enumerated() {
            let (there, absent) = (try question("note"), try question("nope"))
            #expect(there?.serverErrorCode == absent?.serverErrorCode, "question \(index)")
            #expect(there?.reason?.replacing("note", with: "nope") == absent?.reason, "question \(index)")
        }
        // And nothing was done.
        #expect(try world.refusal(ofLookup: "note", as: world.ada) == nil)
        // A name that is taken cannot be given twice, though.
        #expect(try world.refusal(.create, "note", as: bob)?.serverErrorCode == .conflict)
        #expect(try world.refusal(.forceUpdate, "note", as: bob)?.serverErrorCode == .accessDenied)
    }

    private func uploaded(_ name: String) throws -> Asset {
        let token = AssetToken(recordType: "Note", recordName: name, fieldName: "file")
        let answer = try world.store.assetUploads(AssetsUploadRequest(zoneID: nil, tokens: [token]), as: world.ada)
        let url = try #require(answer.tokens[0].url)
        let upload = try #require(world.store.assetUpload(at: url))
        return world.store.receive(upload, sha256: Array(repeating: 1, count: 32), size: 3).singleFile
    }

    private func refusal(ofRereferencing name: String, as caller: Caller) throws -> ErrorDictionary? {
        let source = AssetsRereferenceRequest.Source(recordName: name, fieldName: "file")
        let answer = try world.store.rereference(AssetsRereferenceRequest(zoneID: nil, assets: [source]), as: caller)
        if case .failure(let error) = answer.assets[0] { return error }
        return nil
    }

    @Test("Who may write and not read gets back what he gave", arguments: [RecordOperation.Kind.forceUpdate, .update])
    func writeOnly(kind: RecordOperation.Kind) throws {
        #expect(try world.refusal(.forceUpdate, "note", as: world.ada, ["secret": .string("x")]) == nil)
        try world.grant([("_creator", ["READ", "WRITE"]), ("_icloud", ["WRITE"])], of: "Note")
        guard case .success(let known) = try world.perform(.forceUpdate, "note", as: world.ada) else {
            return #expect(Bool(false))
        }
        let saved = try world.perform(
            kind, "note", as: world.bob, ["text": .string("y")], tag: known.recordChangeTag)
        guard case .success(let answer) = saved else { return #expect(Bool(false), "\(saved)") }
        #expect(answer.fields.keys.sorted() == ["text"])
        guard case .success(let own) = try world.perform(.forceUpdate, "note", as: world.ada) else {
            return #expect(Bool(false))
        }
        #expect(own.fields.keys.sorted() == ["secret", "text"])
    }

    @Test("Nobody may upload an asset who may not save its record")
    func uploads() throws {
        try world.grant([("_creator", ["READ", "WRITE"])], of: "Note")
        func upload(_ name: String, as caller: Caller) throws {
            let token = AssetToken(recordType: "Note", recordName: name, fieldName: "file")
            _ = try world.store.assetUploads(AssetsUploadRequest(zoneID: nil, tokens: [token]), as: caller)
        }
        try upload("note", as: world.ada)
        for (name, caller) in [("note", world.bob), ("new", world.bob), ("new", world.ada)] {
            let error = #expect(throws: ErrorDictionary.self) { try upload(name, as: caller) }
            #expect(error?.serverErrorCode == .accessDenied)
        }
    }
}
