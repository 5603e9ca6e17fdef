import FolderControl
import SyncService
import SystemPackage

/// What happens in the demo, in its order.
struct DemoScript {
    let stage: DemoStage
    let isKept: Bool

    private static let patience = Duration.seconds(60)

    func play() async throws {
        say("A server, two folders and a daemon for each, in \(stage.place).")
        let url = try await stage.startServer()
        say("1. The server listens at \(url); no Apple account is involved.")

        let laptop = try await stage.addDevice("laptop")
        let desk = try await stage.addDevice("desk")
        try DemoFiles.write(to: laptop)
        say("2. Ada has two folders, laptop and desk. In laptop there are \(DemoFiles.names.count) files:")
        for name in DemoFiles.names { say("     \(name)") }

        let began = ContinuousClock.now
        try await stage.startDaemon(for: laptop)
        try await stage.startDaemon(for: desk)
        for name in DemoFiles.names {
            let bytes = try PlainFiles.read(laptop.appending(relative: name))
            try await stage.wait(for: "\(name) to arrive in desk", patience: Self.patience) {
                (try? PlainFiles.read(desk.appending(relative: name))) == bytes
            }
        }
        say(
            "3. Both daemons run. All files are in desk, byte by byte, \(milliseconds(since: began)) after the first start."
        )

        try await settle(laptop, desk)
        let text = try DemoFiles.edit(in: laptop)
        let edited = ContinuousClock.now
        try await stage.wait(for: "the edit to arrive in desk", patience: Self.patience) {
            (try? PlainFiles.read(desk.appending(relative: DemoFiles.note))) == text
        }
        say("4. A line was changed in laptop/\(DemoFiles.note); desk had it \(milliseconds(since: edited)) later:")
        say("")
        for line in String(decoding: text, as: UTF8.self).split(separator: "\n") { say("     \(line)") }

        try PlainFiles.delete(desk.appending(relative: DemoFiles.picture))
        let deleted = ContinuousClock.now
        try await stage.wait(for: "the deletion to arrive in laptop", patience: Self.patience) {
            !PlainFiles.exists(laptop.appending(relative: DemoFiles.picture))
        }
        say("")
        say("5. desk/\(DemoFiles.picture) was deleted; it was gone from laptop \(milliseconds(since: deleted)) later.")

        try await settle(laptop, desk)
        say("6. zonefolder status says of both:")
        for folder in [laptop, desk] {
            let report = try await stage.settledReport(of: folder)
            say("     \(folder.lastComponent?.string ?? ""): \(StatusText.line(of: report))")
        }
        say("")
        say(next(laptop: laptop, url: url))
    }

    private func settle(_ folders: FilePath...) async throws {
        for folder in folders {
            let report = try await stage.settledReport(of: folder)
            guard report.verdict == .inSync else {
                throw CommandFailure(
                    status: .error,
                    message: "\(folder) is not in sync:\n" + StatusText.text(of: report, now: WallClock.now))
            }
        }
    }

    private func next(laptop: FilePath, url: String) -> String {
        guard isKept else {
            return """
                The two folders are in sync. The processes are ended and the files removed now.

                What to do next:
                  zonefolder demo ~/zonefolder-demo    the same, and the files stay for you to look at
                  zonefolder serve --help              a server of your own
                  zonefolder init --help               a folder of your own, with your server or with Apple's
                """
        }
        let port = url.split(separator: ":").last.map(String.init) ?? "8080"
        return """
            The two folders are in sync. The processes are ended now; the files stay in \(stage.place).

            What to do next:
              zonefolder serve --data \(ShellWord.quoted(stage.data.string)) --listen 127.0.0.1:\(port)    (in a terminal of its own)
              zonefolder start \(ShellWord.quoted(laptop.string))
              zonefolder start \(ShellWord.quoted(laptop.removingLastComponent().appending("desk").string))
            Then edit a file in one of them and look into the other. To be rid of it all, stop both and remove \
            \(stage.place).
            """
    }

    private func milliseconds(since start: ContinuousClock.Instant) -> String {
        let elapsed = ContinuousClock.now - start
        return "\(elapsed.components.seconds * 1000 + elapsed.components.attoseconds / 1_000_000_000_000_000) ms"
    }

    private func say(_ line: String) {
        StandardOutput.print(line)
    }
}

extension FilePath {
    /// A path below this one; `/` separates names.
    func appending(relative text: String) -> FilePath {
        pushing(FilePath(text))
    }
}
