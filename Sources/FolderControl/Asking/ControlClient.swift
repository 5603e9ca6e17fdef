public import FolderSettings
import NIOCore
import NIOPosix
package import SyncModel
import SystemPackage

/// Asks the daemon of one folder.
///
/// Each method is one connection with one request. With the code `notRunning`, read the state from the disk instead or
/// start a daemon. With the code `io`, the daemon broke off or gave no answer in time, as one that was stopped (SIGSTOP).
public struct ControlClient: Sendable {
    private let folder: FilePath
    private let socket: ControlSocket

    /// Connects to nothing yet.
    /// - Throws: `StateError` where the folder has no state directory, or its pointer to the socket cannot be read.
    public init(for directory: StateDirectory) throws(StateError) {
        folder = directory.folder
        socket = try ControlSocket.find(for: directory)
    }

    /// How the folder stands now.
    /// - Parameters:
    ///   - isOfPath: Asks for ``StatusReport/isCurrent`` too, which can take two seconds.
    ///   - patience: How long to wait for the answer; half a minute where that is left out.
    public func status(
        isOfPath: Bool = false, within patience: Duration? = nil
    ) async throws(ControlError) -> StatusReport {
        try await report(.status(isOfPath: isOfPath), within: patience ?? Self.patience)
    }

    /// A daemon that is busy answers within a second.
    private static let patience = Duration.seconds(30)
    /// Where it brings something to its end first, tells of every file, or asks its server.
    private static let longPatience = Duration.seconds(300)

    /// How the folder stands once everything saved before this call is on both sides, or waits for a person.
    ///
    /// A daemon that meanwhile opens the folder anew, as with another configuration, is asked again.
    /// - Parameter timeout: Gives the report as it is after so long; `nil` waits for as long as it takes.
    public func settledStatus(timeout: Duration?) async throws(ControlError) -> StatusReport {
        let start = ContinuousClock.now
        var left = timeout
        while true {
            do throws(ControlError) {
                return try await report(
                    .settle(timeoutMilliseconds: left.map(Self.milliseconds)), within: left.map { $0 + Self.patience })
            } catch {
                guard error == .ended(socket.path), await isAnswering() else { throw error }
                left = timeout.map { max(.zero, $0 - start.duration(to: .now)) }
            }
        }
    }

    /// Whether a daemon answers within some seconds.
    private func isAnswering() async -> Bool {
        for _ in 0..<50 {
            if (try? await status()) != nil { return true }
            try? await Task.sleep(for: .milliseconds(100))
        }
        return false
    }

    /// What would be done now, without doing it.
    /// - Parameter asKnown: By what the daemon knows. Otherwise it looks first at what was saved before this call.
    public func plan(asKnown: Bool = false) async throws(ControlError) -> PlanReport {
        guard case .plan(let report) = try await ask(.plan(asKnown: asKnown), within: Self.longPatience) else {
            throw .unknownAnswer(socket.path)
        }
        return report
    }

    /// Lets the batch of deletions with this name pass; `false` where no such batch waits.
    public func approve(batch: String) async throws(ControlError) -> Bool {
        guard case .approved(let isApproved) = try await ask(.approve(batch: batch), within: Self.patience) else {
            throw .unknownAnswer(socket.path)
        }
        return isApproved
    }

    /// Lets the daemon do nothing but watch, until somebody says otherwise or for so long.
    package func pause(for length: Duration?) async throws(ControlError) -> PauseOutcome {
        let request = ControlRequest.pause(milliseconds: length.map(Self.milliseconds))
        guard case .paused(let outcome) = try await ask(request, within: Self.patience) else {
            throw .unknownAnswer(socket.path)
        }
        return outcome
    }

    /// Lets the daemon go on after a pause; `false` where there was none.
    package func resume() async throws(ControlError) -> Bool {
        guard case .resumed(let wasPaused) = try await ask(.resume, within: Self.patience) else {
            throw .unknownAnswer(socket.path)
        }
        return wasPaused
    }

    /// Puts back what the batch of deletions with this name would take; `false` where no such batch waits.
    public func reject(batch: String) async throws(ControlError) -> Bool {
        guard case .rejected(let isRejected) = try await ask(.reject(batch: batch), within: Self.longPatience) else {
            throw .unknownAnswer(socket.path)
        }
        return isRejected
    }

    /// Has files come from the zone once more that are gone from the folder, and that notes in it name; gives those that come.
    package func fetchAgain(_ paths: [FolderPath]) async throws(ControlError) -> [FolderPath] {
        guard case .fetching(let coming) = try await ask(.fetchAgain(paths), within: Self.longPatience) else {
            throw .unknownAnswer(socket.path)
        }
        return coming
    }

    /// Gives the daemon other credentials, or takes them away; they are durable when this returns.
    public func change(_ account: AccountChange) async throws(ControlError) {
        guard case .accountChanged = try await ask(.account(account), within: Self.longPatience) else {
            throw .unknownAnswer(socket.path)
        }
    }

    /// Makes a request with the folder's credentials; gives the body of the server's 200.
    /// - Throws: With the code `refused` and the server's words where the request failed.
    public func call(_ call: DatabaseCall) async throws(ControlError) -> String {
        guard case .called(let body) = try await ask(.call(call), within: Self.longPatience) else {
            throw .unknownAnswer(socket.path)
        }
        return body
    }

    /// Tells the daemon that the account took itself out of the share of the folder's zone.
    package func noteLeft() async throws(ControlError) {
        guard case .left = try await ask(.left, within: Self.patience) else { throw .unknownAnswer(socket.path) }
    }

    /// Lets the daemon close the folder and open it again by its configuration as it is now; returns once it is closed.
    /// - Throws: With the code `refused` where the configuration is wrong, and nothing was closed.
    public func reload() async throws(ControlError) {
        guard case .reloading = try await ask(.reload, untilClosed: true, within: Self.longPatience) else {
            throw .unknownAnswer(socket.path)
        }
    }

    /// Stops the daemon, and returns once it has closed its socket.
    public func stop(within patience: Duration? = nil) async throws(ControlError) {
        guard case .stopping = try await ask(.stop, untilClosed: true, within: patience ?? Self.longPatience) else {
            throw .unknownAnswer(socket.path)
        }
    }

    private func report(
        _ request: ControlRequest, within patience: Duration?
    ) async throws(ControlError) -> StatusReport {
        guard case .status(var report) = try await ask(request, within: patience) else {
            throw .unknownAnswer(socket.path)
        }
        report.noteOtherProgram()
        return report
    }

    // MARK: One connection

    /// - Parameter patience: How long to wait for the answer; `nil`: for as long as it takes.
    private func ask(
        _ request: ControlRequest, untilClosed: Bool = false, within patience: Duration?
    ) async throws(ControlError) -> ControlAnswer {
        guard let patience else { return try await ask(request, untilClosed: untilClosed) }
        do {
            return try await withThrowingTaskGroup(of: ControlAnswer?.self) { group in
                defer { group.cancelAll() }
                group.addTask { try await ask(request, untilClosed: untilClosed) }
                group.addTask {
                    try await Task.sleep(for: patience)
                    return nil
                }
                guard let answer = try await group.next() ?? nil else { throw ControlError.silent(socket.path) }
                return answer
            }
        } catch let error as ControlError {
            throw error
        } catch {
            throw .system(error, socket.path)
        }
    }

    private func ask(_ request: ControlRequest, untilClosed: Bool) async throws(ControlError) -> ControlAnswer {
        for _ in 0..<Self.tries {
            do {
                let answer = try await exchange(request, untilClosed: untilClosed)
                if case .error(let message) = answer { throw ControlError.refused(message) }
                return answer
            } catch let error as ControlError {
                throw error
            } catch let error as IOError where [ECONNRESET, EPIPE].contains(error.errnoCode) {
                // The folder was closed before anybody read the request: it may be open again in a moment, or gone.
                try? await Task.sleep(for: .milliseconds(20))
            } catch {
                throw .system(error, socket.path)
            }
        }
        throw .ended(socket.path)
    }

    /// How often a request is sent of which nobody read anything.
    private static let tries = 10

    private func exchange(_ request: ControlRequest, untilClosed: Bool) async throws -> ControlAnswer {
        try await connect().executeThenClose { answers, requests in
            try await requests.write(ByteBuffer(bytes: ControlCoding.line(request)))
            return try await readAnswer(from: answers, untilClosed: untilClosed)
        }
    }

    private func connect() async throws -> NIOAsyncChannel<ByteBuffer, ByteBuffer> {
        do {
            return try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(unixDomainSocketPath: socket.path.string) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                    }
                }
        } catch let error as IOError where [ENOENT, ECONNREFUSED].contains(error.errnoCode) {
            throw ControlError.notRunning(folder)
        }
    }

    private func readAnswer(
        from answers: NIOAsyncChannelInboundStream<ByteBuffer>, untilClosed: Bool
    ) async throws -> ControlAnswer {
        var lines = LineBuffer(limit: ControlAnswer.longestLine)
        var answer: ControlAnswer?
        for try await bytes in answers where answer == nil {
            lines.append(bytes)
            guard let line = try lines.next() else { continue }
            do {
                answer = try ControlCoding.message(ControlAnswer.self, in: line)
            } catch {
                throw ControlError.unknownAnswer(socket.path)
            }
            // What is refused ends nothing.
            if case .error? = answer { break }
            if !untilClosed { break }
        }
        guard let answer else { throw ControlError.ended(socket.path) }
        return answer
    }

    private static func milliseconds(_ duration: Duration) -> Int64 {
        let (seconds, attoseconds) = duration.components
        return seconds * 1000 + attoseconds / 1_000_000_000_000_000
    }
}
