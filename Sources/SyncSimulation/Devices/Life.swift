import CloudKitClient
import StateStorage
import SyncEngine
import Synchronization

/// One run of the product on a device, from its start to its end or its sudden death.
///
/// What the dead still do reaches nothing: their disk, their database and their credentials are taken from them.
final class Life: Sendable {
    private let dead = Mutex(false)

    var isDead: Bool { dead.withLock(\.self) }

    func die() {
        dead.withLock { $0 = true }
    }
}

/// A device's database in the hands of one life.
struct LifeMedium: StateMedium {
    let medium: SimulatedMedium
    let life: Life

    var image: [UInt8]? { medium.image }

    func willCommit() throws {
        if life.isDead { throw StoreFailure() }
        try medium.willCommit()
    }

    func didCommit(isDurable: Bool, image: () -> [UInt8]) {
        guard !life.isDead else { return }
        medium.didCommit(isDurable: isDurable, image: image)
    }
}

/// A device's web auth token in the hands of one life.
struct LifeTokens: WebAuthTokenStore {
    let tokens: SimulatedTokens
    let life: Life

    func current() async throws -> WebAuthToken? {
        if life.isDead { throw StoreFailure() }
        return try await tokens.current()
    }

    func store(_ token: WebAuthToken) async throws {
        if life.isDead { throw StoreFailure() }
        try await tokens.store(token)
    }
}
