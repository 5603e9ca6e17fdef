import CloudKitClient
import FolderHistory
import FolderKnowledge
import FolderSettings
import RecordTrees
import RemoteZone
import StateRows
import StateStorage
import SyncModel
import SyncPlanning
import SyncTiming

@testable import FolderObserving
@testable import SessionCore
@testable import SyncActions
@testable import SyncEngine
@testable import ZoneFetching

/// What a session knows, for those who look at it from outside.
extension FolderSession {
    var environment: SessionEnvironment { inside.environment }
    var inbox: Inbox { inside.inbox }
    var server: ServerOrigin? { ServerOrigin(of: environment.configuration.server) }
    var knowledge: Knowledge { inside.knowledge }
    var setbacks: Setbacks { inside.setbacks }
    var observer: FolderObserver { inside.observer }
    var fetches: OwedFetches { inside.fetches }
    var access: ZoneAccess { inside.access }
    var work: PlannedWork { inside.work }
    var history: HistoryCare { inside.history }

    var now: SteadyInstant { environment.clock.now }
    var isQuiet: Bool { inside.next.isQuiet }
    func timeUntilNextWork() -> Duration? { inside.next.wait() }

    var trees: SyncTrees { knowledge.trees }
    var facts: FolderFacts { knowledge.facts }
    var zoneFacts: ZoneFacts { knowledge.zoneFacts }
    var isPlanEmpty: Bool { work.last.actions.isEmpty }
    var isOnline: Bool { setbacks.isOnline }
    var lastFetch: Int64? { inside.lastTimes.fetch }

    var accountStatus: AccountStatus? { access.account.status }
    var isAccountUsable: Bool { access.account.isUsable }
    var feed: DatabaseFeed? { access.account.feed }

    var looks: OwedLooks { observer.looks }
    var hasLooked: Bool { looks.hasLooked }
    var isWholeLookOwed: Bool { looks.isWhole }
    var unread: Int? { looks.unread }
    var isAuditUnderWay: Bool { looks.audit != nil }

    func oweEverything() {
        looks.oweAll()
        fetches.oweAll()
    }
    func observe() async throws { try await observer.observe() }
    func oweDatabaseFetch() { access.oweDatabaseFetch() }
    func act() async throws { try await inside.runner.run() }
}
