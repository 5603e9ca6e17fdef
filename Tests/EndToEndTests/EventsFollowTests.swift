import Foundation
import Glibc
import Testing

@Suite("Events that are followed", .timeLimit(.minutes(30)))
struct EventsFollowTests {
    @Test("`events --follow` has a line for each file as it moves; a signal ends it, and that nobody reads on")
    func followed() async throws {
        let world = try await RealWorld()
        let (laptop, desk) = (try await world.addFolder("laptop"), try await world.addFolder("desk"))
        let daemons = [try laptop.run(), try desk.run()]
        for (folder, daemon) in zip([laptop, desk], daemons) {
            try await folder.untilDaemonAnswers(daemon)
            #expect(try await folder.settledVerdict() == "in-sync")
        }
        // Where the tests run in the background, SIGINT is ignored, which is inherited.
        let here = try RunningProgram(
            arguments: ["--default-signal=INT", RealProgram.executable.path, "events", laptop.path, "--follow"],
            executable: URL(filePath: "/usr/bin/env"))
        let there = try RunningProgram(arguments: ["events", desk.path + "/notes", "--follow", "--json"])
        // Its reader takes one line and goes; nothing more has to happen for it to notice.
        let ending = world.place.appending(path: "ending")
        let piped = try RunningProgram(
            arguments: [
                "-c", #"{ "$1" events "$2" --follow; echo $? >"$3"; } | head -n 1"#, "sh",
                RealProgram.executable.path, laptop.path, ending.path,
            ], executable: URL(filePath: "/bin/sh"))
        #expect(try await piped.ended(within: .seconds(120)) == 0)
        #expect(piped.output.hasSuffix("account, zone and subscription are ready\n"), "\(piped.output)")
        #expect(try String(contentsOf: ending, encoding: .utf8) == "0\n")
        #expect(try await here.firstLine().hasSuffix("account, zone and subscription are ready"))

        for number in 1...3 {
            try laptop.write("\(number)", to: "notes/\(number).txt")
            #expect(
                try await eventually { here.output.contains("  sent           notes/\(number).txt  (you)\n") },
                "\(here.output)\(here.errors)")
            #expect(
                try await eventually { there.output.contains("notes/\(number).txt") },
                "\(there.output)\(there.errors)")
        }
        try desk.delete("notes/2.txt")
        #expect(
            try await eventually { here.output.contains("  deleted here   notes/2.txt  (") },
            "\(here.output)\(here.errors)")
        #expect(try await eventually { there.output.contains("\"delete-record\"") }, "\(there.output)\(there.errors)")
        for line in there.output.split(separator: "\n") {
            #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(line.utf8)) }
        }

        // As of any program that is told to end, the shell sees the signal.
        #expect(here.isRunning && there.isRunning, "\(here.errors)\(there.errors)")
        kill(here.pid, SIGINT)
        there.terminate()
        #expect(try await here.ended(within: .seconds(120)) == -SIGINT)
        #expect(try await there.ended(within: .seconds(120)) == -SIGTERM)
        #expect(here.output.hasSuffix("\n") && there.output.hasSuffix("\n"))
        #expect(here.errors.isEmpty && there.errors.isEmpty && piped.errors.isEmpty)
        for daemon in daemons { daemon.terminate() }
        for daemon in daemons { #expect(try await daemon.ended(within: .seconds(120)) == 0) }
    }
}
