public import SystemPackage

extension WebServicesServer {
    /// Where a server keeps its data, where it listens, and its limits.
    public struct Configuration: Sendable {
        /// Made where it does not exist, for this account alone. One server uses it at a time.
        public var dataDirectory: FilePath
        /// The address to listen on.
        public var host = "127.0.0.1"
        /// Zero: any that is free; ``WebServicesServer/boundPort()`` tells which.
        public var port = 8080
        /// The certificate to speak TLS with; `nil`: plain HTTP.
        public var tls: TLSFiles?
        /// What links in answers begin with; `nil`: `https://` or `http://`, and the request's `Host`.
        public var baseURL: String?
        /// How the store behaves where the real service leaves it open.
        public var store = RecordStore.Settings()
        /// In bytes; a larger one gets a plain 413 at its upload URL.
        public var largestAsset: Int64 = 50 << 20
        /// In bytes, without assets.
        public var largestRequest = 2_097_152
        /// What the server bears from its connections.
        public var connections = ConnectionLimits()
        /// How long a courier hangs before its empty answer; the service's take 30 to 60 seconds.
        public var courierTimeout: Duration = .seconds(45)
        /// Where the server takes its time and its randomness from.
        public var surroundings = StoreSurroundings.system
        /// Sees every request, for tests and measurements; `nil`: nobody does.
        public var observe: (@Sendable (RequestEvent) async -> Void)?
        /// The secret part of the path at which faults can be asked for, see <doc:Faults>; `nil`: there is no such path.
        public var faultSecret: String?
        /// Makes requests fail instead of what is asked for there, for tests.
        package var faults: (any FaultInterceptor)?

        /// The defaults, for one data directory.
        public init(dataDirectory: FilePath) {
            self.dataDirectory = dataDirectory
        }
    }
}

/// A request as it comes, or its answer as it goes.
public enum RequestEvent: Sendable {
    case received(ObservedRequest)
    case answered(ObservedRequest, status: Int)
}

/// What an observer sees of a request: never its credentials.
public struct ObservedRequest: Hashable, Sendable {
    /// `GET` or `POST`, mostly.
    public var method: String
    /// The operation, such as `records/modify`; for other paths `assets/upload-bytes`, `assets/download`, `courier`,
    /// `sign-in`, `invite`, else `unknown`.
    public var operation: String
    /// Where the path names one.
    public var container: String?
    /// Where the path names one.
    public var database: DatabaseScope?
    /// Of the request's body; an asset's are known once it is answered.
    public var bodyBytes: Int
    /// Operations, names, zones or tokens in the request; known once it is answered, zero where it has none.
    public var items: Int
}
