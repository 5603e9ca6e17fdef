import FolderControl
import FolderHistory
import FolderSettings
import Foundation
import LocalFolder
import StateStorage
import SyncModel
import SystemPackage
import Testing

@testable import FolderWriting
@testable import SessionCore
@testable import SyncEngine

@Suite("What is kept of one's own edits and deletions", .timeLimit(.minutes(30)))
struct OwnVersionTests {
    /// What is kept of a file: why, and which bytes; newest first.
    private func kept(_ name: String, on device: EngineDevice) throws -> [String] {
        let path = try #require(FolderPath(name))
        let versions = try KeptVersions(of: StateDirectory.open(in: device.folder), atOrBelow: path)
        return try versions.all.map { version in
            let bytes = try versions.contents(of: version).bytes ?? []
            return "\(version.reason?.rawValue ?? "-") \(String(decoding: bytes, as: UTF8.self))"
        }
    }

    @Test("Each agreed version of a JSON file that an edit or a deletion here takes away, with its bytes as they were")
    func documents() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            let texts = ["{ \"a\":   1 }", #"{"a": 2}"#, #"{"a": 3}"#]
            for text in texts {
                try laptop.write(text, to: "Note/n.json")
                try await converge(laptop, desk)
            }
            try desk.write(#"{"a": 4}"#, to: "Note/n.json")
            try await converge(desk, laptop)
            try laptop.delete("Note/n.json")
            #expect(try kept("Note/n.json", on: laptop).first == #"deleted-here {"a": 4}"#)
            try await converge(laptop, desk)
            // The history, whose files have the second of their time alone, is older than what came in that second.
            #expect(
                try Set(kept("Note/n.json", on: laptop)) == [
                    #"deleted-here {"a": 4}"#, #"changed-there {"a": 3}"#, #"changed-here {"a": 2}"#,
                    "changed-here { \"a\":   1 }",
                ])
            #expect(try kept("Note/n.json", on: laptop).count == 4)
            #expect(try kept("Note/n.json", on: desk).count { $0.hasPrefix("changed-there") } == 2)
            #expect(try desk.files().isEmpty)
            try laptop.close()
            try desk.close()
        }
    }

    @Test("What an edit here takes away is kept also where another device renamed the note before that went out")
    func renamedMeanwhile() async throws {
        try await EngineWorld.run { world in
            let old = #"{"a": 1}"#
            let (laptop, desk) = try await world.pair(with: ["Note/n.json": old])
            try desk.move("Note/n.json", to: "Note/m.json")
            try await desk.sync()
            try laptop.write(#"{"a": 2}"#, to: "Note/n.json")
            try await converge(laptop, desk)
            #expect(try kept("Note/m.json", on: laptop) == ["changed-here \(old)"])
            try await expectInSync(laptop, desk, with: ["Note/m.json": #"{"a": 2}"#])
        }
    }

    @Test("A picture that was deleted and taken out of its note is kept, and what a directory had that is a file now")
    func deletedAssets() async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop")
            let note = #"{"pic": {"$asset": "a.jpg"}}"#
            try laptop.write("picture", to: "Note/a.jpg")
            try laptop.write("picture of two", to: "Note/b.jpg")
            try laptop.write(note, to: "Note/n.json")
            try laptop.write(#"{"pic": {"$asset": "b.jpg"}}"#, to: "Note/o.json")
            try laptop.write("text", to: "docs/one.txt")
            try laptop.write("plain", to: "plain.txt")
            try await laptop.sync()
            try laptop.move("plain.txt", to: "renamed.txt")
            try laptop.write("plain, edited", to: "renamed.txt")
            try laptop.delete("Note/a.jpg")
            try laptop.write(#"{"title": "none"}"#, to: "Note/n.json")
            try laptop.move("Note/b.jpg", to: "Note/c.jpg")
            try laptop.write(#"{"pic": {"$asset": "c.jpg"}}"#, to: "Note/o.json")
            try laptop.delete("docs/one.txt")
            try laptop.delete("docs")
            try laptop.write("a file now", to: "docs")
            try await laptop.sync()
            #expect(try kept("Note/a.jpg", on: laptop) == ["deleted-here picture"])
            #expect(try kept("docs/one.txt", on: laptop) == ["deleted-here text"])
            // What only has another name is not deleted.
            #expect(try kept("Note/b.jpg", on: laptop).isEmpty)
            #expect(try kept("plain.txt", on: laptop).isEmpty)
            try laptop.close()
        }
    }

    @Test("A picture that is deleted after its note was looked at, which has it no more, is kept as well")
    func deletedUnseen() async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop")
            try laptop.write("picture", to: "Note/a.jpg")
            try laptop.write(#"{"pic": {"$asset": "a.jpg"}}"#, to: "Note/n.json")
            try laptop.write("text", to: "docs/one.txt")
            try await laptop.sync()
            try laptop.write(#"{"title": "none"}"#, to: "Note/n.json")
            try laptop.delete("docs")
            try laptop.write("a file now", to: "docs")
            // The record whose path is another file's goes first.
            let picture = laptop.folder.appending("Note/a.jpg").string
            laptop.network.decide { request in
                if FaultyNetwork.operation(of: request) == "records/modify" {
                    try? FileManager.default.removeItem(atPath: picture)
                }
                return .delivered
            }
            try await laptop.sync()
            #expect(laptop.read("Note/a.jpg") == nil)
            #expect(try kept("Note/a.jpg", on: laptop) == ["deleted-here picture"])
            try laptop.close()
        }
    }

    @Test("Of a file whose deletion has not gone out the last bytes are in the zone alone, and kept once it has")
    func onlyInZone() async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop")
            let directory = try StateDirectory.open(in: laptop.folder)
            func onlyInZone() throws -> Set<FolderPath> {
                try KeptVersions(of: directory, atOrBelow: nil).onlyInZone(atOrBelow: nil)
            }
            try laptop.write("stays", to: "stays.txt")
            try laptop.write(#"{"pic": {"$asset": "a.jpg"}}"#, to: "Note/n.json")
            for text in ["first", "second"] {
                for name in ["a.txt", "Note/a.jpg"] { try laptop.write(text, to: name) }
                try await laptop.sync()
                #expect(try onlyInZone().isEmpty)
                if text == "first" {
                    try laptop.delete("a.txt")
                    try await laptop.sync()
                }
            }
            for name in ["a.txt", "Note/a.jpg", "Note/n.json"] { try laptop.delete(name) }
            #expect(try onlyInZone() == [FolderPath("a.txt")!, FolderPath("Note/a.jpg")!])
            #expect(try kept("a.txt", on: laptop) == ["deleted-here first"])
            // What was renamed is in the folder.
            _ = try await laptop.session.pause(for: nil)
            try laptop.move("stays.txt", to: "renamed.txt")
            await laptop.look()
            #expect(try onlyInZone() == [FolderPath("a.txt")!, FolderPath("Note/a.jpg")!])
            _ = try await laptop.session.resume()
            try await laptop.sync()
            #expect(try onlyInZone().isEmpty)
            #expect(try kept("a.txt", on: laptop).first == "deleted-here second")
            #expect(try kept("Note/a.jpg", on: laptop).first == "deleted-here second")
            try laptop.close()
        }
    }

    @Test("What is edited and not sent yet, or held, can be taken back to what both sides agree on")
    func agreed() async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop")
            try laptop.write(#"{"a": 1}"#, to: "Note/n.json")
            try await laptop.sync()
            #expect(try kept("Note/n.json", on: laptop).isEmpty)
            try laptop.write("{ broken", to: "Note/n.json")
            try await laptop.sync()
            #expect(try kept("Note/n.json", on: laptop) == [#"changed-here {"a": 1}"#])
            let directory = try StateDirectory.open(in: laptop.folder)
            let restoring = try Restoring(in: directory, atOrBelow: FolderPath("Note/n.json"))
            #expect(restoring.restore(try #require(restoring.versions.all.first)) == .restored(replaced: true))
            #expect(laptop.read("Note/n.json") == #"{"a": 1}"#)
            try await laptop.sync()
            #expect(try await laptop.report().verdict == .inSync)
            #expect(try kept("Note/n.json", on: laptop) == ["restored { broken"])
            try laptop.close()
        }
    }

    @Test("What a restore takes the place of is listed once, before it is sent and after")
    func restored() async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop")
            for text in [#"{"a": 1}"#, #"{"a": 2}"#] {
                try laptop.write(text, to: "Note/n.json")
                try await laptop.sync()
            }
            let restoring = try Restoring(
                in: StateDirectory.open(in: laptop.folder), atOrBelow: FolderPath("Note/n.json"))
            #expect(restoring.restore(try #require(restoring.versions.all.first)) == .restored(replaced: true))
            let all: Set = [#"restored {"a": 2}"#, #"changed-here {"a": 1}"#]
            for _ in 0..<2 {
                let kept = try kept("Note/n.json", on: laptop)
                #expect(Set(kept) == all && kept.count == 2, "\(kept)")
                try await laptop.sync()
            }
            try laptop.close()
        }
    }

    @Test("A merge keeps the person's version, which is the newest, and what both sides agreed on before")
    func merge() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            try laptop.write(#"{"a": 1, "b": 1}"#, to: "Note/n.json")
            try await converge(laptop, desk)
            try laptop.write(#"{"a": 2, "b": 1}"#, to: "Note/n.json")
            try desk.write(#"{"a": 1, "b": 2}"#, to: "Note/n.json")
            try await desk.sync()
            try await converge(laptop, desk)
            #expect(laptop.read("Note/n.json") == #"{"a": 2, "b": 2}"#)
            let versions = try kept("Note/n.json", on: laptop)
            #expect(versions == [#"changed-there {"a": 2, "b": 1}"#, #"changed-here {"a": 1, "b": 1}"#])
            try laptop.close()
            try desk.close()
        }
    }

    @Test("Of other files the last version is fetched before their deletion goes out, up to `history_own_bytes`")
    func assets() async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop") { $0.ownHistoryLimit = 100_000 }
            try laptop.write("picture", to: "a.png")
            try laptop.write("attached", to: "Note/pic.png")
            try laptop.write(#"{"image": {"$asset": "pic.png"}}"#, to: "Note/n.json")
            try laptop.write(String(repeating: "x", count: 120_000), to: "large.bin")
            try laptop.write("stays", to: "b.txt")
            try await laptop.sync()
            for name in ["a.png", "Note/pic.png", "Note/n.json", "large.bin"] { try laptop.delete(name) }
            try await laptop.sync()
            #expect(try await laptop.report().records == 1)
            #expect(try kept("a.png", on: laptop) == ["deleted-here picture"])
            #expect(
                try Set(kept("Note", on: laptop))
                    == ["deleted-here attached", #"deleted-here {"image": {"$asset": "pic.png"}}"#])
            #expect(try kept("large.bin", on: laptop).isEmpty)
            try laptop.close()
        }
    }

    @Test("A link that is too old is asked for anew, and what cannot be had holds no deletion up")
    func lost() async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop")
            try laptop.write("picture", to: "a.png")
            try laptop.write("stays", to: "b.txt")
            try await laptop.sync()
            try laptop.delete("a.png")
            laptop.network.decide { FaultyNetwork.operation(of: $0) == "download" ? .lostOnTheWay : .delivered }
            try await laptop.sync()
            #expect(try await laptop.report().verdict == .inSync)
            #expect(try await laptop.report().records == 1)
            #expect(try kept("a.png", on: laptop).isEmpty)
            try laptop.close()
        }
    }

    @Test("Of what others changed, the oldest goes where it is more than `history_bytes`")
    func pruned() async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop") { $0.historyLimit = 250_000 }
            let desk = try world.device("desk")
            for number in 1...4 {
                try await replace(number, on: desk, laptop)
                try await age(laptop.session)
            }
            #expect(try kept("a.txt", on: laptop) == [3, 2, 1].map { "changed-there \(text($0))" })
            laptop.pass(.seconds(7 * 3600))
            try await laptop.sync()
            #expect(try kept("a.txt", on: laptop) == [3, 2].map { "changed-there \(text($0))" })
            try laptop.close()
            try desk.close()
        }
    }

    /// 100,000 bytes: what is fetched counts 16 KB more than it is large.
    private func text(_ number: Int) -> String { String(repeating: "\(number)", count: 100_000) }

    private func replace(_ number: Int, on desk: EngineDevice, _ laptop: EngineDevice) async throws {
        try desk.write(text(number), to: "a.txt")
        try await converge(desk, laptop)
    }

    @Test("Of what one edited and deleted oneself, the oldest goes where it is more than `history_own_bytes`")
    func prunedOwn() async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop") { $0.ownHistoryLimit = 250_000 }
            let desk = try world.device("desk")
            for name in ["1.png", "2.png", "3.png", "theirs.txt"] { try laptop.write(text(0), to: name) }
            for number in 1...4 {
                try laptop.write(note(number), to: "Note/n.json")
                try await converge(laptop, desk)
            }
            try desk.write("new", to: "theirs.txt")
            try await converge(desk, laptop)
            for name in ["1.png", "2.png", "3.png"] {
                try await age(laptop.session)
                try laptop.delete(name)
                try await laptop.sync()
                #expect(try kept(name, on: laptop).count == 1)
            }
            try await age(laptop.session)
            #expect(try kept("Note/n.json", on: laptop) == [3, 2, 1].map { "changed-here \(note($0))" })
            laptop.pass(.seconds(7 * 3600))
            try await laptop.sync()
            #expect(try kept("1.png", on: laptop).isEmpty)
            for name in ["2.png", "3.png"] { #expect(try kept(name, on: laptop).count == 1) }
            #expect(try kept("Note/n.json", on: laptop) == [3, 2].map { "changed-here \(note($0))" })
            // What the zone took away has a limit of its own, and there is none.
            #expect(try kept("theirs.txt", on: laptop).count == 1)
            try laptop.close()
            try desk.close()
        }
    }

    /// 100,009 bytes.
    private func note(_ number: Int) -> String { "{\"a\": \"\(text(number))\"}" }

    @Test("`history_own_bytes = 0` keeps nothing and fetches nothing")
    func off() async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop") { $0.ownHistoryLimit = 0 }
            try laptop.write("picture", to: "a.png")
            try laptop.write(#"{"a": 1}"#, to: "Note/n.json")
            try laptop.write("stays", to: "b.txt")
            try await laptop.sync()
            _ = laptop.network.takeOperations()
            try laptop.delete("a.png")
            try laptop.delete("Note/n.json")
            try await laptop.sync()
            #expect(!laptop.network.takeOperations().contains("download"))
            #expect(try kept("a.png", on: laptop).isEmpty)
            #expect(try kept("Note/n.json", on: laptop).isEmpty)
            try laptop.close()
        }
    }
}

/// Makes what is in the history older by two minutes: nothing of the last one is removed.
private func age(_ session: FolderSession) async throws { try await session.ageHistory() }

extension FolderSession {
    fileprivate func ageHistory() throws {
        try environment.writer.history.redate(filedFrom: 0, to: .max, by: -120)
    }
}
