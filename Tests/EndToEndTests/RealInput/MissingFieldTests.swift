import Foundation
import Testing

@Suite(
    "A schema without the reserved field", .serialized, .timeLimit(.minutes(8)),
    .enabled(if: Corpus.isExpected, "ZONEFOLDER_CORPUS names no documents; packaging/real-input fetches them"))
struct MissingFieldTests {
    @Test("What CloudKit has types for arrives equal to the last digit; the rest is held, and named (S1.21)")
    func missing() async throws {
        let files = try Self.documents(of: Corpus(at: Corpus.place))
        let plain = try files.filter { try $0.value.isStructured && ExactJSON($0.value.bytes).isPlainRecord }
        let lossy = files.filter { $0.value.isStructured && plain[$0.key] == nil }
        #expect(plain.count >= 600)
        #expect(lossy.count >= 60)

        let world = try await RealWorld()
        let draft = try await world.addFolder("draft")
        for (path, document) in files { try draft.write(document.bytes, to: path) }
        #expect(try await RealProgram.run("sync", draft.path, limit: .seconds(180)).status == 0)
        try await world.promoteSchema(without: "zonefolder")

        let laptop = try await world.addFolder("laptop", environment: "production")
        let desk = try await world.addFolder("desk", environment: "production")
        for (path, document) in files { try laptop.write(document.bytes, to: path) }
        let daemons = try [laptop.run(), desk.run()]
        try await laptop.untilDaemonAnswers(daemons[0])
        try await desk.untilDaemonAnswers(daemons[1])
        let arriving = Set(files.keys).subtracting(lossy.keys)
        try await desk.untilNames(arriving, within: .seconds(120))
        try await laptop.untilNames(Set(files.keys), within: .seconds(120))
        for path in arriving {
            let bytes = [UInt8](try Data(contentsOf: desk.url.appending(path: path)))
            let own = files[path]!
            if own.isStructured {
                #expect(try ExactJSON(bytes) == ExactJSON(own.bytes), "\(path)")
            } else {
                #expect(bytes == own.bytes, "\(path)")
            }
        }
        let settled = try await RealProgram.run("status", laptop.path, "--wait=120")
        #expect(settled.status == 4)
        let held = try await laptop.held()
        #expect(Set(held.map(\.path)) == Set(lossy.keys))
        #expect(held.allSatisfy { $0.code == "schemaMissing" && $0.message.contains("'zonefolder'") })
        print("real input: without the reserved field \(arriving.count) documents arrived, \(held.count) are held")
        // The person's own files stay as they are.
        for (path, document) in files {
            #expect(try [UInt8](Data(contentsOf: laptop.url.appending(path: path))) == document.bytes)
        }

        // What a rename needs is not there either: the file stays where the person put it, and so does the record.
        try laptop.move("Country/DE.json", to: "Country/Europe/DE.json")
        #expect(try await laptop.settledVerdict() == "attention")
        #expect(try await laptop.held().contains { $0.path == "Country/Europe/DE.json" && $0.code == "schemaMissing" })
        #expect(desk.read("Country/DE.json") != nil)

        try await world.promoteSchema()
        var names = Set(files.keys)
        names.remove("Country/DE.json")
        names.insert("Country/Europe/DE.json")
        #expect(try await laptop.settledVerdict() == "in-sync")
        try await desk.untilNames(names, within: .seconds(120))
        for path in lossy.keys {
            #expect(try [UInt8](Data(contentsOf: desk.url.appending(path: path))) == files[path]?.bytes, "\(path)")
        }
        try await laptop.untilNames(names, within: .seconds(120))
    }

    private struct Document {
        var bytes: [UInt8]
        var isStructured: Bool
    }

    /// Countries, currencies and scripts as records of their own, some documents as they are, and numbers of all sorts.
    private static func documents(of corpus: Corpus) throws -> [String: Document] {
        var files: [String: Document] = [:]
        for (type, name, key) in [
            ("Country", "iso_3166-1.json", "alpha_2"), ("Currency", "iso_4217.json", "alpha_3"),
            ("Script", "iso_15924.json", "alpha_4"),
        ] {
            for entry in try corpus.entries(of: name) {
                guard case .object(let members) = try ExactJSON(entry),
                    case .text(let code)? = members[Array(key.utf8)]
                else { throw TestFailure("an entry of \(name) has no \(key)") }
                files["\(type)/\(String(decoding: code, as: UTF8.self)).json"] = Document(
                    bytes: entry, isStructured: true)
            }
        }
        let placement = try CorpusPlacement(corpus)
        let structured = Set(placement.structured)
        for (path, bytes) in placement.files.sorted(by: { $0.key < $1.key }) where bytes.count < 3_000 {
            files[path] = Document(bytes: bytes, isStructured: structured.contains(path))
            if files.count >= 900 { break }
        }
        let numbers = [
            "whole": ["9007199254740993", "-9223372036854775808", "9223372036854775807", "0", "-1"],
            "parts": ["0.1", "1e-7", "3.141592653589793", "1.7976931348623157E+308", "5e-324", "-2.50"],
        ]
        for (name, texts) in numbers {
            for (number, text) in texts.enumerated() {
                files["Number/\(name)\(number).json"] = Document(
                    bytes: Array("{\"\(name)\":\(text)}".utf8), isStructured: true)
            }
        }
        return files
    }
}
