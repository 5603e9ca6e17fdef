import Glibc
import Logging
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// The certificate that new connections are shown: that of two files, however often they are renewed.
///
/// A new connection has the files looked at where that was not done for a second; what they hold then is shown from then
/// on. Connections that are open stay as they are. Files that cannot be used, such as one whose other half is not there
/// yet, change nothing until they change again: what was shown before is shown on.
final class ServedCertificate: Sendable {
    private struct State {
        var stamps: [TLSFiles.Stamp?]
        var looked: NIODeadline
        /// Of the files that were read after the start.
        var override = NIOSSLContextConfigurationOverride.noChanges
    }

    private static let pause = TimeAmount.seconds(1)

    private let files: TLSFiles
    private let first: ServerIdentity
    private let logger: Logger
    private let state: Mutex<State>

    /// Reads the files.
    /// - Throws: ``ServerError`` where they cannot be used.
    init(_ files: TLSFiles, logger: Logger) throws {
        // Before the files are read: what changes meanwhile is looked at again.
        let stamps = files.stamps
        self.files = files
        self.logger = logger
        first = try ServerIdentity(reading: files)
        state = Mutex(State(stamps: stamps, looked: .now()))
        warn(of: first)
    }

    /// The TLS of all connections.
    /// - Parameter pool: Where the files are read.
    func configuration(reading pool: NIOThreadPool) -> TLSConfiguration {
        var configuration = first.configuration
        configuration.sslContextCallback = { [self] _, promise in
            let shown = state.withLock { state -> NIOSSLContextConfigurationOverride? in
                guard NIODeadline.now() - state.looked >= Self.pause else { return state.override }
                state.looked = .now()
                return nil
            }
            if let shown { return promise.succeed(shown) }
            pool.runIfActive(eventLoop: promise.futureResult.eventLoop) { self.look() }.cascade(to: promise)
        }
        return configuration
    }

    /// Reads the files anew where they were renewed; gives what is to be shown.
    @discardableResult
    func look() -> NIOSSLContextConfigurationOverride {
        let stamps = files.stamps
        let shown = state.withLock { state -> NIOSSLContextConfigurationOverride? in
            guard state.stamps == stamps else { return nil }
            return state.override
        }
        if let shown { return shown }
        do {
            let identity = try ServerIdentity(reading: files)
            logger.notice("The certificate was renewed", metadata: ["file": "\(files.certificate)"])
            warn(of: identity)
            return state.withLock { state in
                state.stamps = stamps
                state.override = identity.override
                return state.override
            }
        } catch {
            logger.error(
                "The renewed certificate cannot be used; the one before is shown", metadata: ["error": "\(error)"])
            return state.withLock { state in
                state.stamps = stamps
                return state.override
            }
        }
    }

    private func warn(of identity: ServerIdentity) {
        guard identity.end < time(nil) else { return }
        logger.warning("The certificate has expired; no client believes it", metadata: ["file": "\(files.certificate)"])
    }
}
