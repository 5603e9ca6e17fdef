/// A moment of ``SessionClock/steady``.
package struct SteadyInstant: InstantProtocol, Sendable {
    package var offset: Duration

    /// A moment by how long it is after the clock's origin.
    package init(offset: Duration) { self.offset = offset }

    package func advanced(by duration: Duration) -> Self { Self(offset: offset + duration) }

    package func duration(to other: Self) -> Duration { other.offset - offset }

    package static func < (left: Self, right: Self) -> Bool { left.offset < right.offset }
}
