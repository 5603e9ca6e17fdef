public import FolderControl
public import FolderSettings
import StateRows
import StateStorage
import SyncTiming

/// A folder was left alone, since a person paused it.
public struct FolderIsPaused: Error {
    /// When the pause ends by itself; `nil`: only `zonefolder resume` ends it.
    public var untilMilliseconds: Int64?
}

/// Pauses a folder and lets it go on: through its daemon, or for the next one where none runs.
public enum FolderPausing {
    /// Begins a pause, or gives the one that goes on another end; durable when it returns.
    /// - Parameter length: Until it ends by itself, also in a daemon that is started meanwhile; `nil`: only ``resume(_:)``
    ///   ends it.
    /// - Throws: An error whose description tells a person why there is none.
    public static func pause(_ directory: StateDirectory, for length: Duration?) async throws -> PauseOutcome {
        do {
            var outcome = try await ControlClient(for: directory).pause(for: length)
            outcome.isWatched = true
            return outcome
        } catch let error as ControlError where error.code == .notRunning {
            let pause = try alone(with: directory) { facts in
                let pause = FolderPause(at: SessionClock.system.milliseconds, for: length, after: facts.pause)
                facts.pause = pause
                return pause
            }
            var outcome = PauseOutcome(
                sinceMilliseconds: pause.sinceMilliseconds, untilMilliseconds: pause.untilMilliseconds, isAtRest: true)
            outcome.isWatched = false
            return outcome
        }
    }

    /// Ends a pause; `false` where none went on.
    /// - Throws: An error whose description tells a person why it goes on.
    public static func resume(_ directory: StateDirectory) async throws -> Bool {
        do {
            return try await ControlClient(for: directory).resume()
        } catch let error as ControlError where error.code == .notRunning {
            return try alone(with: directory) { facts in
                defer { facts.pause = nil }
                return facts.pause?.isInForce(at: SessionClock.system.milliseconds) ?? false
            }
        }
    }

    /// Looks whether a folder is paused of which a daemon runs, which has brought the state up to date.
    /// - Throws: ``FolderIsPaused`` where it is.
    public static func check(_ directory: StateDirectory) throws {
        try check(try StateStore.look(at: directory) { try $0.facts().pause })
    }

    /// - Throws: ``FolderIsPaused`` where a pause goes on now.
    static func check(_ pause: FolderPause?) throws {
        guard let pause, pause.isInForce(at: SessionClock.system.milliseconds) else { return }
        throw FolderIsPaused(untilMilliseconds: pause.untilMilliseconds)
    }

    /// Changes the facts of a folder of which no daemon runs.
    private static func alone<Value>(
        with directory: StateDirectory, _ change: (inout FolderFacts) -> Value
    ) throws -> Value {
        try directory.prepare()
        let lock = try FolderLock(of: directory)
        let store = try StateStore(of: directory)
        var value: Value?
        try store.updateFacts { value = change(&$0) }
        try store.close()
        withExtendedLifetime(lock) {}
        return value!
    }
}
