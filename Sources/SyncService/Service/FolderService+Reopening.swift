import CloudKitClient
import FolderSettings
import FolderWatching
import LocalFolder
import Logging
import RemoteZone
import ServiceLifecycle
import SessionCore
import StateStorage
import SyncTiming
import SystemPackage

/// Opening a folder again in the same daemon: by another configuration, with another state, or on a disk that was away and is
/// back.
extension FolderService {
    /// The folder again, by its configuration as it is now; nobody else gets its lock meanwhile. On a disk that was mounted anew
    /// it has another lock.
    func reopen(
        _ ended: OpenFolder, over transport: HTTPTransport, _ feeds: DatabaseFeeds, _ network: NetworkReach
    ) throws -> OpenFolder {
        if let error = Self.arrival(of: ended) { throw error }
        ended.watch?.stop()
        network.remove(ended.inbox.news)
        let (isInPlace, isStateReplaced) = (ended.lock.isInPlace, ended.store.isReplaced)
        // A disk that is gone has nothing to close.
        do { try ended.store.close() } catch { if isInPlace { throw error } }
        let anew = try OpenFolder(
            ended.directory.folder, transport: transport, watches: true, lock: isInPlace ? ended.lock : nil,
            // A disk that was mounted anew has other numbers for the same files.
            isStateReplaced: isInPlace && isStateReplaced, feeds: feeds, network: network, logger: logger)
        logger.notice(
            Self.reason(isInPlace: isInPlace, isStateReplaced: isStateReplaced),
            metadata: ["folder": "\(ended.directory.folder)"])
        return anew
    }

    private static func reason(isInPlace: Bool, isStateReplaced: Bool) -> Logger.Message {
        if !isInPlace { return "The folder is back on its disk, and is opened again" }
        return isStateReplaced
            ? "Another state was put in the place of the folder's, and is taken up" : "The configuration is read again"
    }

    /// How often it is looked whether the folder is still where it was opened, with its state. Nothing tells of a disk that is
    /// unmounted while it is in use, or of another one in its place.
    private static let diskInterval = Duration.seconds(10)

    /// Has the session look where the folder is away from its place, or its state is, until the task is cancelled.
    static func watchDisk(of folder: OpenFolder) async throws {
        let clock = SessionClock.system
        while true {
            try await clock.sleep(diskInterval)
            if !folder.lock.isInPlace || folder.store.isReplaced { folder.inbox.doorbell.ring() }
        }
    }

    /// Why a folder is not opened yet whose state is being put there still, by somebody else; `nil` where it is not.
    private static func arrival(of ended: OpenFolder) -> StateError? {
        guard ended.lock.isInPlace,
            case .arriving(let error) = ended.store.standing(nowMilliseconds: SessionClock.system.milliseconds)
        else { return nil }
        return error
    }

    /// Whether a folder that could not be opened again may be soon: its disk is away again or is not ready yet, or its state is
    /// not all there.
    static func isTriedAgain(_ ended: OpenFolder, after error: any Error) -> Bool {
        guard !Task.isShuttingDownGracefully else { return false }
        if arrival(of: ended) != nil { return true }
        guard !ended.lock.isInPlace else { return false }
        return (error as? StateError).map { [.missing, .io, .diskFull].contains($0.code) } ?? (error is FolderError)
    }

    /// Waits until a folder is to be opened again, or the daemon is to end.
    static func waitForDisk() async {
        await cancelWhenGracefulShutdown { try? await Task.sleep(for: .seconds(5)) }
    }
}
