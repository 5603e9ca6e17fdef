import Foundation
import Testing

@Suite("All folders, and what was done to each file", .timeLimit(.minutes(30)))
struct OverviewTests {
    /// Runs the program with a list of folders of its own.
    private func run(_ words: [String], listIn place: String, shell: String? = nil) async throws -> RealProgram.Outcome
    {
        let program = [RealProgram.executable.path] + words
        let command = shell.map { ["/bin/sh", "-c", "exec \"$@\" \($0)", "sh"] + program } ?? program
        let process = try RunningProgram(
            arguments: ["XDG_STATE_HOME=\(place)"] + command, directory: "/", executable: URL(filePath: "/usr/bin/env"))
        let status = try #require(try await process.ended(within: .seconds(120)))
        return .init(status: status, output: process.output, errors: process.errors)
    }

    @Test(
        "Outside of any folder `status` has a line for each folder that was started, and the most urgent one's exit status"
    )
    func overview() async throws {
        let world = try await RealWorld()
        let folders = [try await world.addFolder("laptop"), try await world.addFolder("desk")]
        let place = world.place.appending(path: "state").path
        let nothing = try await run(["status"], listIn: place)
        #expect(nothing.status == 78 && nothing.errors.contains("zonefolder init"), "\(nothing.errors)")

        for folder in folders { #expect(try await run(["start", folder.path], listIn: place).status == 0) }
        let all = try await run(["status", "--wait"], listIn: place)
        #expect(all.status == 0, "\(all.output)\(all.errors)")
        #expect(all.output == folders.map { "in-sync    \($0.path)\n" }.joined(), "\(all.output)")
        for words in [["status"], ["status", "--json"], ["status", folders[0].path], ["events", folders[0].path]] {
            let full = try await run(words, listIn: place, shell: "> /dev/full")
            #expect(full.status == 1, "\(words)")
            #expect(full.errors.contains("standard output cannot be written: No space left"), "\(full.errors)")
        }
        for words in [["status", "--wait", folders[0].path], ["status", folders[0].path, "--wait"]] {
            #expect(try await run(words, listIn: place).output.hasPrefix("in-sync: "), "\(words)")
        }

        #expect(try await run(["stop", folders[1].path], listIn: place).status == 0)
        let half = try await run(["status"], listIn: place)
        #expect(half.status == 5 && half.output.contains("→ zonefolder start \(folders[1].path)"), "\(half.output)")
        #expect(try await run(["stop", folders[0].path], listIn: place).status == 0)
        try FileManager.default.removeItem(atPath: folders[1].path)
        let gone = try await run(["status", "--json"], listIn: place)
        #expect(gone.status == 6 && gone.output.contains(#""verdict" : "gone""#), "\(gone.output)")
        let way = try await run(["status"], listIn: place)
        #expect(way.output.contains("forget it: zonefolder remove \(folders[1].path)"), "\(way.output)")
        let removed = try await run(["remove", folders[1].path], listIn: place)
        #expect(removed.status == 0 && removed.output.contains("is not there any more"), "\(removed)")
        let rest = try await run(["status"], listIn: place)
        #expect(rest.status == 5 && !rest.output.contains(folders[1].path), "\(rest.output)")
        #expect(try await run(["remove", folders[1].path], listIn: place).status == 78)
    }

    @Test("`events` has a line for each file: what was done and by whom, of a path and since a time")
    func events() async throws {
        let world = try await RealWorld()
        let (laptop, desk) = (try await world.addFolder("laptop"), try await world.addFolder("desk"))
        for number in 1...5 { try laptop.write("\(number)", to: "notes/\(number).txt") }
        try laptop.write("other", to: "other.txt")
        for folder in [laptop, desk] { #expect(try await RealProgram.run("sync", folder.path).status == 0) }
        try FileManager.default.removeItem(atPath: desk.path + "/notes/5.txt")
        for folder in [desk, laptop] { #expect(try await RealProgram.run("sync", folder.path).status == 0) }

        let here = try await RealProgram.run("events", laptop.path)
        #expect(here.status == 0)
        for number in 1...5 { #expect(here.output.contains("  sent           notes/\(number).txt  (you)\n")) }
        #expect(here.output.contains("  deleted here   notes/5.txt  ("), "\(here.output)")
        #expect(here.output.contains("  setup          account, zone and subscription are ready\n"))
        let there = try await RealProgram.run("events", desk.path + "/notes", "--since", "1h")
        #expect(there.output.split(separator: "\n").count == 6, "\(there.output)")
        #expect(there.output.contains("  received       notes/1.txt  ("))
        #expect(there.output.hasSuffix("  deleted there  notes/5.txt  (you)\n"), "\(there.output)")
        let json = try await RealProgram.run("events", "notes/5.txt", "--json", in: laptop.path)
        #expect(json.output.split(separator: "\n").count == 2 && json.output.contains(#""action":"delete-file""#))
        #expect(try await RealProgram.run("events", laptop.path, "--since", "2036-01-01").output.isEmpty)
        let slip = try await RealProgram.run("events", laptop.path, "--since", "tomorrow")
        #expect(slip.status == 2 && slip.output.isEmpty && slip.errors.contains("'tomorrow' is no time"))
    }
}
