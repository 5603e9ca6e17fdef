import Foundation
import Testing

@Suite("Values between file and record", .timeLimit(.minutes(30)))
struct ValueTests {
    @Test("Every type, list type and hint comes back byte for byte, and so does an edit of it (S3.5, S1.1, design §3)")
    func everyType() async throws {
        let world = try await RealWorld()
        let laptop = try await world.addFolder("laptop")
        let desk = try await world.addFolder("desk")
        for row in ValueRow.all { try laptop.write(row.text, to: row.path) }
        for (path, text) in ValueRow.files { try laptop.write(text, to: path) }
        let written = try laptop.fileBytes()

        try await laptop.sync()
        try await desk.sync()
        #expect(try laptop.fileBytes() == written, "syncing changes no file that it sends")
        for row in ValueRow.all { #expect(try desk.bytes(row.path) == Array(row.text.utf8), "\(row.type)") }
        #expect(try desk.fileBytes() == written)
        let records = try await WebClient(world).records()
        #expect(records.count == ValueRow.all.count)
        for row in ValueRow.all {
            let fields = records[Array("\(row.type)/it".utf8)]?["fields"].members ?? [:]
            let types = fields.filter { $0.key != "zonefolder" }.mapValues { $0["type"].string }
            #expect(types == row.wire, "\(row.type)")
        }

        for row in ValueRow.all { try desk.write(row.edited, to: row.path) }
        try await desk.sync()
        try await laptop.sync()
        for row in ValueRow.all { #expect(try laptop.bytes(row.path) == Array(row.edited.utf8), "\(row.type)") }
        // The file that is no longer named became a record of its own.
        let names = try await WebClient(world).records().keys
        #expect(Set(names) == Set(records.keys).union([Array("Pictures/b.bin".utf8)]))

        let fresh = try await world.addFolder("fresh")
        try await fresh.sync()
        #expect(try fresh.fileBytes() == desk.fileBytes())
        #expect(try laptop.fileBytes() == desk.fileBytes())
    }

    @Test("What JSON or a record cannot hold is a plain file, with its reason; mended, it becomes a record (S3.16)")
    func unfit() async throws {
        let cases: [(name: String, bytes: [UInt8], reason: String)] = [
            ("exponent", Array(#"{"a": 1e400}"#.utf8), "too large for any number type"),
            ("digits", Array("{\"a\": 1\(String(repeating: "0", count: 400))}".utf8), "too large for any number type"),
            ("twice", Array("{\"a\": 1,\n \"a\": 2}".utf8), "is there twice, on line 1 and on line 2"),
            ("latin", Array(#"{"a": ""#.utf8) + [0xE9] + Array("\"}".utf8), "no UTF-8"),
            ("half", Array(#"{"a": "\ud800"}"#.utf8), "surrogate"),
            ("comma", Array(#"{"a": 1,}"#.utf8), "line 1, column 9"),
            ("outside", Array(#"{"a": {"$asset": "../../etc/passwd"}}"#.utf8), "\"a\""),
        ]
        let world = try await RealWorld()
        let laptop = try await world.addFolder("laptop")
        let desk = try await world.addFolder("desk")
        for row in cases {
            try laptop.write("", to: "T\(row.name)/it.json")
            try laptop.write(row.bytes, at: Array("T\(row.name)/it.json".utf8))
        }
        try laptop.write(#"{"a": 1}"#, to: "Note/good.json")
        let outcome = try await RealProgram.run("sync", laptop.path)
        #expect(outcome.status == 0 && outcome.output.hasPrefix("in-sync"), "\(outcome.output)")
        for row in cases {
            let line = outcome.output.split(separator: "\n").first { $0.contains("T\(row.name)/it.json") } ?? ""
            #expect(line.contains(row.reason), "\(row.name): \(line)")
        }
        try await desk.sync()
        for row in cases { #expect(try desk.bytes("T\(row.name)/it.json") == row.bytes) }
        let files = Set(cases.map { Array("T\($0.name)/it.json".utf8) })
        #expect(try await Set(WebClient(world).records().keys) == files.union([Array("Note/good".utf8)]))
        for row in cases { try laptop.write(#"{"a": "mended"}"#, to: "T\(row.name)/it.json") }
        try await laptop.sync()
        try await desk.sync()
        #expect(try desk.fileBytes() == laptop.fileBytes())
        let records = Set(cases.map { Array("T\($0.name)/it".utf8) })
        #expect(try await Set(WebClient(world).records().keys) == records.union([Array("Note/good".utf8)]))
    }

    @Test("What names something that is not there is held, and blocks nothing; when it comes, it follows (S3.16)")
    func held() async throws {
        let cases = [
            (name: "target", text: #"{"a": {"$ref": "Note/none.json"}}"#, reason: "there is no such record"),
            (name: "asset", text: #"{"a": {"$asset": "none.png"}}"#, reason: "which is not there"),
        ]
        let world = try await RealWorld()
        let laptop = try await world.addFolder("laptop")
        for row in cases { try laptop.write(row.text, to: "T\(row.name)/it.json") }
        try laptop.write(#"{"a": 1}"#, to: "Note/good.json")
        let outcome = try await RealProgram.run("sync", laptop.path)
        #expect(outcome.status == 4)
        for row in cases {
            let line = outcome.output.split(separator: "\n").first { $0.contains("T\(row.name)/it.json") } ?? ""
            #expect(line.contains(row.reason), "\(row.name): \(line)")
        }
        #expect(try await WebClient(world).records().keys.sorted { $0.count < $1.count } == [Array("Note/good".utf8)])
        try laptop.write(#"{"b": "now it is there"}"#, to: "Note/none.json")
        try laptop.write("picture", to: "Tasset/none.png")
        try await laptop.sync()
        #expect(try await WebClient(world).records().count == cases.count + 2)
    }
}

extension RealFolder {
    func bytes(_ name: String) throws -> [UInt8] {
        try fileBytes()[Array(name.utf8)] ?? []
    }
}
