import NIOCore

/// Whether a client takes what is written for it, however slowly: something of it in each stretch of time is enough.
///
/// All that is seen of the client is what the system takes off the server's hands. It does so by pieces, hundreds of kilobytes
/// large where it has much in store: for as long as a slow client takes what is there, nothing seems to be taken.
struct TakingPace: Hashable {
    /// For how long nothing at all may be taken.
    var patience: TimeAmount

    private var written: Int64 = 0
    private var taken: Int64 = 0
    private var waitingSince: NIODeadline?

    init(patience: TimeAmount) {
        self.patience = patience
    }

    /// More is written.
    mutating func write(_ count: Int) {
        written += Int64(count)
    }

    /// So many bytes of all that was written are not taken yet.
    mutating func look(untaken: Int, at now: NIODeadline) {
        let takenNow = written - Int64(untaken)
        if untaken == 0 {
            waitingSince = nil
        } else if waitingSince == nil || takenNow > taken {
            waitingSince = now
        }
        taken = takenNow
    }

    /// When the client will have taken nothing for too long, unless it does; `nil` while nothing waits for it.
    var deadline: NIODeadline? { waitingSince.map { $0 + patience } }
}
