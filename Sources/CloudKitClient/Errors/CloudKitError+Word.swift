import CloudKitWire

extension CloudKitError {
    /// The error in one word, to branch on in logs and events: the server's code, as it spells it, or one of `http503` (with
    /// the status), `unexpectedAnswer`, `unreachable`, `timedOut`, `connectionLost`, `cancelled`, `badURL`, `sourceFailed`,
    /// `sinkFailed` and `credentialsNotStored`.
    public var word: String {
        switch code {
        case .server(let code): code.rawValue
        case .http: "http\(status ?? 0)"
        case .unexpectedAnswer: "unexpectedAnswer"
        case .transport(let code): "\(code)"
        case .credentialsNotStored: "credentialsNotStored"
        }
    }
}
