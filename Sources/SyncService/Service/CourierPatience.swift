/// How long a courier may hold its answer back before it hangs.
///
/// A courier that has nothing to tell answers so after a while, to keep the connection alive: the service's after 30 to 60 s
/// (protocol §3.11, §10.11). One of which nothing is heard for a minute more is not waited for: a router in between may have
/// forgotten the connection, and nobody would ever say so.
struct CourierPatience: Sendable {
    /// The longest that it took for an answer without a push.
    private var longest: Duration?

    private static let usual = Duration.seconds(60)
    /// An answer that came sooner, as when the server stops, says nothing of the next one.
    private static let least = Duration.seconds(30)
    private static let margin = Duration.seconds(60)

    /// After which to ask anew.
    var bound: Duration { (longest ?? Self.usual) + Self.margin }

    /// Learns from an answer without a push.
    mutating func heard(after wait: Duration) {
        longest = max(longest ?? Self.least, wait)
    }
}
