public import CloudKitQueries
public import CloudKitWire

extension CloudKitDatabase {
    /// Some subscriptions, in order (`subscriptions/lookup`). A missing one is an item's `NOT_FOUND`.
    public func lookUpSubscriptions(_ ids: [String]) async throws(CloudKitError) -> [ItemResult<Subscription>] {
        let request = SubscriptionsLookupRequest(subscriptionIDs: ids)
        return try await sender.call(.subscriptionsLookup, request, as: SubscriptionsResponse.self).subscriptions
    }

    /// Creates, updates and deletes subscriptions, each by itself (`subscriptions/modify`). Creating one that exists
    /// succeeds, or is an item error to which the reaction is ``ErrorReaction/done``.
    public func modifySubscriptions(
        _ operations: [SubscriptionOperation]
    ) async throws(CloudKitError) -> [ItemResult<Subscription>] {
        let request = SubscriptionsModifyRequest(operations: operations)
        return try await sender.call(.subscriptionsModify, request, as: SubscriptionsResponse.self).subscriptions
    }
}
