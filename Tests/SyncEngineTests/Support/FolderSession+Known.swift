import CloudKitClient
import FolderKnowledge
import RecordTrees
import RemoteZone
import StateRows
import StateStorage
import SyncModel
import SyncPlanning

@testable import FolderObserving
@testable import SessionCore
@testable import SyncActions
@testable import SyncEngine
@testable import ZoneFetching

/// What a session knows, for those who look at it from outside.
extension FolderSession {
    var trees: SyncTrees { knowledge.trees }
    var facts: FolderFacts { knowledge.facts }
    var zoneFacts: ZoneFacts { knowledge.zoneFacts }
    var isPlanEmpty: Bool { work.last.actions.isEmpty }
    var isOnline: Bool { setbacks.isOnline }
    var lastFetch: Int64? { lastTimes.fetch }

    var accountStatus: AccountStatus? { access.account.status }
    var isAccountUsable: Bool { access.account.isUsable }
    var feed: DatabaseFeed? { access.account.feed }

    var looks: OwedLooks { observer.looks }
    var hasLooked: Bool { looks.hasLooked }
    var isWholeLookOwed: Bool { looks.isWhole }
    var unread: Int? { looks.unread }
    var isAuditUnderWay: Bool { looks.audit != nil }

    func observe() async throws { try await observer.observe() }
    func oweDatabaseFetch() { access.oweDatabaseFetch() }
    func act() async throws { try await runner.run() }
}
