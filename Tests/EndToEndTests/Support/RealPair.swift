import Foundation
import Testing

/// Two folders of one zone with their daemons.
actor RealPair {
    /// What the daemons do while both sides change the same thing.
    enum Apartness: CaseIterable, Sendable {
        /// They were ended, and are started again afterwards.
        case stopped
        /// They are in the middle of their work, and see both changes at the same time afterwards.
        case frozen
    }

    nonisolated let world: RealWorld
    nonisolated let laptop: RealFolder
    nonisolated let desk: RealFolder
    private var daemons: [RunningProgram]

    /// Starts both daemons on empty folders.
    init() async throws {
        world = try await RealWorld()
        laptop = try await world.addFolder("laptop")
        desk = try await world.addFolder("desk")
        daemons = try [laptop.run(), desk.run()]
        try await laptop.untilDaemonAnswers(daemons[0])
        try await desk.untilDaemonAnswers(daemons[1])
    }

    /// Writes a file on the laptop, and waits until the desk has it.
    nonisolated func share(_ text: String, as name: String) async throws {
        try laptop.write(text, to: name)
        guard try await eventually(within: .seconds(120), { desk.read(name) == text }) else {
            throw TestFailure("\(name) does not come to the desk")
        }
    }

    /// Changes both folders while neither daemon looks, then lets them look until both folders have settled.
    func apart(_ apartness: Apartness, _ change: @Sendable (RealFolder, RealFolder) throws -> Void) async throws {
        try await settle()
        switch apartness {
        case .stopped:
            for daemon in daemons {
                daemon.terminate()
                guard try await daemon.ended(within: .seconds(120)) == 0 else { throw TestFailure(daemon.errors) }
            }
            try change(laptop, desk)
            daemons = try [laptop.run(), desk.run()]
            try await laptop.untilDaemonAnswers(daemons[0])
            try await desk.untilDaemonAnswers(daemons[1])
        case .frozen:
            for daemon in daemons { daemon.freeze() }
            try change(laptop, desk)
            for daemon in daemons { daemon.thaw() }
        }
        try await settle()
    }

    /// Waits until both have nothing left to do, and have the same files but for conflict copies.
    func settle() async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline {
            let verdicts = [try await laptop.settledVerdict(), try await desk.settledVerdict()]
            let isAtRest = verdicts.allSatisfy { ["in-sync", "attention"].contains($0) }
            if isAtRest, try laptop.sharedFiles() == desk.sharedFiles() { return }
        }
        throw TestFailure("the folders do not settle: \(try laptop.files().keys) \(try desk.files().keys)")
    }
}
