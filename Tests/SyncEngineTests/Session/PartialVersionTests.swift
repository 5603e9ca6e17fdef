import FolderKnowledge
import RecordTrees
import SessionCore
import StateRows
import SyncModel
import Testing

@testable import SyncEngine

@Suite("A record that is in the folder only in part", .timeLimit(.minutes(30)))
struct PartialVersionTests {
    @Test("Is so still when an answer comes to what was sent before, and is whole once it is received (invariant 8)")
    func stillPartial() async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop")
            try laptop.write(#"{"a": 1}"#, to: "Note/n.json")
            try await laptop.sync()
            let entry = try #require(await laptop.session.agreed.first)
            let sent = SentVersion(entry: entry, document: Array(#"{"a": 1}"#.utf8))

            try await laptop.session.missParts(of: entry, havingSent: sent)
            #expect(await laptop.session.agreed.map(\.isPartial) == [true])
            #expect(await laptop.session.isUnanswered(sent), "its answer may be lost")
            try await laptop.session.takeAnswer(sent)
            #expect(await laptop.session.agreed.map(\.isPartial) == [true])

            try laptop.restart()
            #expect(await laptop.session.agreed.map(\.isPartial) == [true])
            try await laptop.sync()
            #expect(await laptop.session.agreed.map(\.isPartial) == [false])
            try await expectInSync(laptop, with: ["Note/n.json": #"{"a": 1}"#])
        }
    }
}

extension FolderSession {
    fileprivate var agreed: [BaseEntry] { trees.base.values.map(\.self) }

    fileprivate func isUnanswered(_ sent: SentVersion) -> Bool { knowledge.unanswered(sent.entry.name) == [sent] }

    fileprivate func missParts(of entry: BaseEntry, havingSent sent: SentVersion) throws {
        try knowledge.noteSent([sent])
        try inside.committer.receiveAgain([entry])
    }

    fileprivate func takeAnswer(_ sent: SentVersion) throws {
        try inside.committer.commit([Outcome(base: .agreed(sent.entry, document: sent.document))])
    }
}
