import CloudKitWire
import Foundation
import SeededRandomness
import Testing

#if canImport(Glibc)
    import Glibc
#endif

@Suite("Saves race against status (invariant 20)", .timeLimit(.minutes(30)))
struct StatusRaceTests {
    /// How many saves are made; `ZONEFOLDER_STATUS_RACES=10000` for the long run.
    private static let saves =
        ProcessInfo.processInfo.environment["ZONEFOLDER_STATUS_RACES"].flatMap { Int($0) } ?? 150

    @Test("Whatever was just saved on either side, `in-sync` is said only where the other side has exactly that")
    func races() async throws {
        let world = try await ObservedWorld()
        let folder = try await world.addFolder("laptop")
        // Of so many saves, too many deletions fall into a few minutes for them to pass unasked.
        try folder.set("deletion_limit", to: "\(Self.saves)")
        for number in 0..<4 { try folder.write(#"{"v": \#(number)}"#, to: "Foreign/\(number).json") }
        for number in 0..<30 { try folder.write(#"{"v": \#(100 + number)}"#, to: "Other/\(number).json") }
        let daemon = try folder.run()
        try await folder.untilDaemonAnswers(daemon)
        let client = try ControlSocketClient(folder)
        #expect(try await folder.settledVerdict() == "in-sync")

        var writer = RacingWriter(folder, seed: UInt64(Self.saves))
        var (asked, inSync, lies) = (0, 0, 0)
        for number in 0..<Self.saves {
            let what = try writer.step(1000 + number, foreign: world)
            // Now and then until it has come to rest, so that both answers are heard.
            for _ in 0..<(number % 10 == 9 ? 20_000 : 2) {
                let verdict = try await client.verdict()
                asked += 1
                guard verdict == "in-sync" else { continue }
                inSync += 1
                let (here, there) = (try Self.here(folder), try Self.there(world))
                if here != there {
                    lies += 1
                    let difference = here.filter { there[$0.key] != $0.value }
                    Issue.record("in sync, it said, after \(what) (\(number)): \(difference); there \(there.count)")
                }
                break
            }
        }
        print("asked \(asked) times after \(Self.saves) saves: \(inSync) times in-sync, \(lies) times wrongly")
        #expect(inSync >= Self.saves / 20)
        #expect(daemon.isRunning)
    }

    /// The values of the folder's files by path.
    private static func here(_ folder: RealFolder) throws -> [String: Int64] {
        var values: [String: Int64] = [:]
        for (path, bytes) in try folder.files() where path.hasSuffix(".json") {
            values[path] = number(in: String(decoding: bytes, as: UTF8.self))
        }
        return values
    }

    private static func number(in text: String) -> Int64? {
        text.firstMatch(of: /"v": (\d+)/).flatMap { Int64($0.1) }
    }

    /// The values of the zone's records by path.
    private static func there(_ world: ObservedWorld) throws -> [String: Int64] {
        var values: [String: Int64] = [:]
        for (name, record) in try world.records().living {
            var path = name + ".json"
            if case .string(let hints)? = record.fields["zonefolder"]?.value,
                let json = try JSONSerialization.jsonObject(with: Data(hints.utf8)) as? [String: Any],
                let own = json["path"] as? String
            {
                path = own
            }
            if case .int64(let value)? = record.fields["v"]?.value { values[path] = value }
        }
        return values
    }
}

/// Saves, renames and deletes files in every manner, and lets another client of the zone do something now and then.
private struct RacingWriter {
    private let folder: RealFolder
    private var random: SeededGenerator
    private var files: [String] = []

    init(_ folder: RealFolder, seed: UInt64) {
        self.folder = folder
        random = SeededGenerator(seed: seed)
    }

    /// Does one thing, with a value that never was before, and says what.
    mutating func step(_ value: Int, foreign world: ObservedWorld) throws -> String {
        let text = #"{"v": \#(value)}"#
        let some = files.randomElement(using: &random)
        switch (Int.random(in: 0..<8, using: &random), some) {
        case (0, _):
            let record = Int.random(in: 0..<4, using: &random)
            try world.set("v", of: "Foreign/\(record)", type: "Foreign", to: Int64(value))
            return "a foreign save of \(record)"
        case (1, let file?):
            try folder.write(text, to: file)
            return "a save of \(file)"
        case (2, let file?):
            let temporary = folder.path + "/Note/.goutputstream-\(value)"
            try Data(text.utf8).write(to: URL(filePath: temporary))
            guard rename(temporary, folder.path + "/" + file) == 0 else { throw TestFailure("not renamed: \(errno)") }
            return "a save by rename of \(file)"
        case (3, let file?) where files.count > 8:
            try folder.delete(file)
            files.removeAll { $0 == file }
            return "a deletion of \(file)"
        case (4, let file?):
            let place = "Note/to-\(value)/moved.json"
            try folder.move(file, to: place)
            files.removeAll { $0 == file }
            files.append(place)
            return "a rename of \(file)"
        case (5, _) where files.count < 16:
            files.append("Note/\(value)/deep/er.json")
            try folder.write(text, to: files[files.count - 1])
            return "a file in a new directory"
        case (_, let file?) where files.count >= 16:
            try folder.write(text, to: file)
            return "a save of \(file)"
        default:
            files.append("Note/\(value).json")
            try folder.write(text, to: files[files.count - 1])
            return "a new file"
        }
    }
}
