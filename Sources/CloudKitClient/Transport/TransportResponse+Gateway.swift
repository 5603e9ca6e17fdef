extension TransportResponse {
    /// Whether somebody between here and the server answered, who did not reach it: a portal that wants to be logged in to
    /// redirects; a gateway says "bad gateway", "service unavailable" or "gateway timeout" (RFC 9110 §15.6), while the
    /// service itself gives its reasons as JSON.
    public var isOfGateway: Bool {
        if (300..<400).contains(status) { return true }
        return [502, 503, 504].contains(status) && retryAfterHeader == nil
            && body.first { $0 > 0x20 } != UInt8(ascii: "{")
    }
}
