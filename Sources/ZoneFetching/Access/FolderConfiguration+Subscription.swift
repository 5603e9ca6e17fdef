package import CloudKitQueries
import FolderKnowledge
package import FolderSettings

extension FolderConfiguration {
    /// What tells of changes in the folder's zone: a subscription to the zone, in the shared database to all zones.
    ///
    /// Its ID is the same for every start and device of the account, so creating it twice is harmless (S0.9).
    package var subscription: Subscription {
        var subscription =
            switch database {
            case .private:
                Subscription(
                    subscriptionID: "zonefolder-private-changes-" + zone, subscriptionType: "zone", zoneID: zoneID)
            case .shared: Subscription(subscriptionID: "zonefolder-shared-changes", subscriptionType: "database")
            }
        subscription.notificationInfo = .silent
        return subscription
    }
}
