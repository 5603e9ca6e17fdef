import NIOCore

extension WebServicesServer {
    /// What the server bears from its connections, so that no client takes it from the others.
    public struct ConnectionLimits: Sendable {
        /// A connection on which no request is under way is closed after this long. Longer than clients keep theirs for the next request, which is a minute mostly.
        public var idle: Duration = .seconds(75)
        /// From the first byte of a request's head to its last.
        public var head: Duration = .seconds(20)
        /// Connections at a time. Further ones wait in the system's queue until one closes.
        public var count = 4096
        /// Bytes of a request's head; a larger one is answered with 431.
        public var headBytes = 65_536
        /// Bytes a second that a request's body must come with on the average, after the grace.
        public var leastBodyRate: Int64 = 1024
        /// The time in which a body may come as slowly as it likes.
        public var bodyGrace: Duration = .seconds(20)
        /// How long a client may take nothing at all of what is written for it, as far as is seen: what counts is what the
        /// system takes off the server's hands, by pieces as large as it likes. Of a steady client that takes 2 KB/s of a
        /// large answer, it was seen to take none for 223 s. One that takes less than about 1 KB/s may be cut off.
        public var untaken: Duration = .seconds(600)
        /// Bytes of a body that are still read once its request was answered, and the time for them.
        public var unwantedBytes = 1_048_576
        /// How long unwanted bytes are read.
        public var unwantedTime: Duration = .seconds(10)
        /// Requests of one user that may wait while two of theirs are carried out, once for reading and once for writing; a
        /// further one is answered with `THROTTLED`.
        public var waitingRequests = 256
        /// How long requests under way may still take once the server is told to stop, and their clients to take the answers;
        /// then their connections are closed.
        public var farewell: Duration = .seconds(10)

        /// The defaults.
        public init() {}
    }
}
