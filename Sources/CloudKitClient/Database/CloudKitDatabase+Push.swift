public import CloudKitWire
import HTTPTypes

extension CloudKitDatabase {
    /// A new push token with its courier, good for 12 hours (`tokens/create`).
    /// - Parameter clientID: A stable string for this device.
    public func createPushToken(clientID: String?) async throws(CloudKitError) -> PushTokenResponse {
        let request = PushTokenRequest(apnsEnvironment: address.environment.rawValue, clientId: clientID)
        return try await sender.call(.tokensCreate, request)
    }

    /// Registers a push token of another container for this one too (`tokens/register`).
    public func registerPushToken(
        _ token: String, clientID: String?
    ) async throws(CloudKitError) -> PushTokenResponse {
        let request = PushTokenRequest(
            apnsEnvironment: address.environment.rawValue, apnsToken: token, clientId: clientID)
        return try await sender.call(.tokensRegister, request)
    }

    /// Waits for the next push; `nil` when the courier only kept the connection alive: poll again.
    ///
    /// One at a time for each URL. A push is a hint and can be lost with its answer, so after an error also fetch. A
    /// timeout is an error here, and an ordinary one: poll again.
    /// - Parameter url: The courier's URL, as it came.
    public func pollCourier(_ url: String) async throws(CloudKitError) -> PushNotification? {
        let response = try await sender.observed(
            TransportRequest(lane: .courier, method: .get, url: url), as: .pollCourier)
        guard response.status == 200 else { throw .answer(response, to: .pollCourier) }
        if response.body.allSatisfy({ $0 == 0x20 || (0x09...0x0D).contains($0) }) { return nil }
        return try sender.decode(response, of: .pollCourier) as PushNotification
    }
}
