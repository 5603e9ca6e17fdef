import ArgumentParser
import Logging
import ServiceLifecycle
import SystemPackage
import UnixSignals

#if canImport(Glibc)
    import Glibc
#endif

struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Show it at work: a server, two folders, an edit in one that arrives in the other.",
        discussion: """
            Starts a real server and two real daemons on this machine, on a free port of the loopback. Needs no \
            account. Everything lies in one directory, which is removed at the end unless it is to be kept.
            """)

    @Argument(
        help: ArgumentHelp(
            "Where to work: an empty or new directory, which is kept. Where left out: a temporary one.",
            valueName: "dir"),
        completion: .directory)
    var path: String?

    @Flag(help: "Keep the files of a temporary directory.")
    var keep = false

    func run() async throws {
        let place = try makePlace()
        let outcome = DemoOutcome()
        let play = DemoPlay(place: place, isKept: keep || path != nil, outcome: outcome)
        // As a service, so that an interrupt also ends the processes that it started.
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [.init(service: play, successTerminationBehavior: .gracefullyShutdownGroup)],
                cancellationSignals: [.sigterm, .sigint], logger: ProgramLog.silent))
        do {
            try await group.run()
        } catch {
            throw await outcome.error ?? error
        }
        if let error = await outcome.error { throw error }
        guard await outcome.isComplete else { throw ExitStatus.error }
    }

    private func makePlace() throws -> FilePath {
        guard let path else {
            return try PlainFiles.makeTemporaryDirectory("zonefolder-demo")
        }
        let place = try AbsolutePath.of(path)
        try NewFolder.make(place)
        guard try PlainFiles.isEmpty(place) else { throw CommandFailure.notEmpty(place) }
        return place
    }
}

/// What became of the play: a service group does not hand out the error of a service that was cancelled.
actor DemoOutcome {
    private(set) var error: (any Error)?
    private(set) var isComplete = false

    func complete() { isComplete = true }
    func fail(_ error: any Error) { self.error = error }
}

/// Runs the play and clears the stage after it.
private struct DemoPlay: Service {
    let place: FilePath
    let isKept: Bool
    let outcome: DemoOutcome

    func run() async throws {
        let stage = DemoStage(place: place)
        // After a failure the logs are of use.
        var isWanted = isKept
        do {
            try await DemoScript(stage: stage, isKept: isKept).play()
            await outcome.complete()
        } catch {
            await outcome.fail(error)
            isWanted = isWanted || !(error is CancellationError)
        }
        await stage.clear(isKept: isWanted)
    }
}
