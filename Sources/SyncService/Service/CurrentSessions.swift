import SyncEngine
import Synchronization

/// The sessions of a daemon's folders, by the numbers of these: a folder that is opened again has another one.
final class CurrentSessions: Sendable {
    private let sessions: Mutex<[Int: FolderSession]>

    init(_ sessions: [Int: FolderSession]) {
        self.sessions = Mutex(sessions)
    }

    /// `nil` for a folder that has none any more.
    func set(_ session: FolderSession?, of folder: Int) {
        sessions.withLock { $0[folder] = session }
    }

    /// Returns as soon as a folder's session, if it has one, has nothing else in hand that it cannot put aside.
    func answer(for folder: Int) async {
        await sessions.withLock { $0[folder] }?.answer()
    }
}
