import Foundation
import Testing

@Suite("Status that is watched", .timeLimit(.minutes(30)))
struct StatusWatchTests {
    @Test("`status --watch` shows each change by itself, and nothing while nothing changes (S3.23)")
    func watched() async throws {
        let world = try await RealWorld()
        let folder = try await world.addFolder("laptop")
        let daemon = try folder.run()
        try await folder.untilDaemonAnswers(daemon)
        #expect(try await folder.settledVerdict() == "in-sync")
        let watching = try RunningProgram(arguments: ["status", folder.path, "--watch", "--json"])
        _ = try await watching.firstLine()
        for number in 1...3 {
            try folder.write(#"{"number": \#(number)}"#, to: "Note/\(number).json")
            let isShown = try await eventually {
                watching.output.split(separator: "\n").last.map {
                    $0.contains(#""records":\#(number),"#) && $0.contains(#""verdict":"in-sync""#)
                } ?? false
            }
            #expect(isShown, "\(watching.output)")
        }
        let lines = watching.output.split(separator: "\n")
        for (line, next) in zip(lines, lines.dropFirst()) { #expect(line != next) }
        watching.terminate()
        daemon.terminate()
        #expect(try await daemon.ended(within: .seconds(120)) == 0)
    }
}
