import Foundation
import Testing

@Suite("What a restore leaves out", .timeLimit(.minutes(30)))
struct UndoLeftOutTests {
    private struct Line: Decodable {
        var path: String
        var outcome: String
    }

    @Test("A file whose last version is in the zone alone gets no older one, and a directory's are named")
    func inZone() async throws {
        let world = try await RealWorld()
        let laptop = try await world.addFolder("laptop")
        let desk = try await world.addFolder("desk")
        func sync(_ folders: RealFolder...) async throws {
            for folder in folders {
                let outcome = try await RealProgram.run("sync", folder.path)
                guard outcome.status == 0 else { throw TestFailure(outcome.output + outcome.errors) }
            }
        }
        try laptop.write("first\n", to: "x.txt")
        for number in 0...6 { try laptop.write("picture \(number)\n", to: "P/\(number).txt") }
        for number in 0..<20 { try laptop.write("stays \(number)\n", to: "Q/\(number).txt") }
        try await sync(laptop, desk)
        try desk.write("second\n", to: "x.txt")
        try desk.delete("P/0.txt")
        try await sync(desk, laptop)
        try laptop.write("second\n", to: "backup.txt")
        try await sync(laptop)

        // Nobody looks: no deletion goes out.
        try laptop.delete("x.txt")
        for number in 1...6 { try laptop.delete("P/\(number).txt") }
        let file = try await RealProgram.run("restore", laptop.path + "/x.txt")
        #expect(file.status == 1 && file.output.isEmpty, "\(file)")
        #expect(file.errors.contains("The last version of x.txt is in the zone alone"), "\(file.errors)")
        #expect(laptop.read("x.txt") == nil)

        let named =
            "The last versions of 6 files are in the zone alone, since their deletions have not gone out: "
            + "P/1.txt, P/2.txt, P/3.txt and 3 more."
        let folder = laptop.path + "/P"
        let place = world.place.appending(path: "then").path
        for (options, output) in [
            (["--to", place], "\(place)/P/0.txt is P/0.txt as it was until "),
            ([], "P/0.txt is back, as it was until "),
            ([], ""),
        ] as [([String], String)] {
            let outcome = try await RealProgram.run(arguments: ["restore", folder] + options)
            #expect(outcome.status == 1 && outcome.errors.hasPrefix("zonefolder: \(named) Once "), "\(outcome)")
            #expect(output.isEmpty ? outcome.output.isEmpty : outcome.output.hasPrefix(output), "\(outcome)")
        }
        let then = try await RealProgram.run("restore", folder, "--at", "1s")
        #expect(then.status == 1 && then.errors.hasPrefix("zonefolder: \(named) Once "), "\(then)")
        let one = try await RealProgram.run("restore", folder + "/1.txt", "--at", "1s")
        #expect(one.status == 1 && one.errors.contains("The last version of P/1.txt is in the zone alone"), "\(one)")
        let json = try await RealProgram.run("restore", folder, "--json")
        let lines = try JSONDecoder().decode([Line].self, from: Data(json.output.utf8))
        #expect(lines.map(\.path) == (1...6).map { "P/\($0).txt" } && lines.allSatisfy { $0.outcome == "failed" })

        try await sync(laptop)
        let back = try await RealProgram.run("restore", folder)
        #expect(back.status == 0 && back.output.split(separator: "\n").count == 6, "\(back)")
        #expect(laptop.read("P/6.txt") == "picture 6\n")
    }

    @Test("A file that a rule leaves out waits for no deletion: the rule is named, and without it the file is back")
    func leftOut() async throws {
        let world = try await RealWorld()
        let laptop = try await world.addFolder("laptop")
        for number in 0...6 { try laptop.write("\(number)", to: "X/\(number).txt") }
        #expect(try await RealProgram.run("sync", laptop.path).status == 0)
        try laptop.write("X/\n", to: ".zonefolderignore")
        #expect(try await RealProgram.run("sync", laptop.path).status == 0)
        try FileManager.default.removeItem(at: laptop.url.appending(path: "X"))
        #expect(try await RealProgram.run("sync", laptop.path).status == 0)
        let all = try await RealProgram.run("restore", laptop.path + "/X")
        #expect(all.status == 1 && all.output.isEmpty, "\(all)")
        #expect(all.errors.contains("7 files are in the zone, and stay there, as rules leave them out"), "\(all)")
        let since = try await RealProgram.run("restore", laptop.path, "--deleted-since", "1h")
        #expect(since.status == 1 && since.errors.contains("that was deleted since 20"), "none was: \(since)")
        let one = try await RealProgram.run("restore", laptop.path + "/X/1.txt")
        #expect(one.status == 1 && one.errors.contains("a rule leaves it out here, X/. Once the rule"), "\(one)")
        try laptop.write("", to: ".zonefolderignore")
        #expect(try await RealProgram.run("sync", laptop.path).status == 0)
        #expect(laptop.read("X/1.txt") == "1")
    }
}
