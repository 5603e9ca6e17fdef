/// One source of chance for all parts of a session: what one takes, no other gets.
package final class SharedRandomness: RandomNumberGenerator {
    private var generator: any RandomNumberGenerator & Sendable

    /// Takes over a source.
    package init(_ generator: any RandomNumberGenerator & Sendable) { self.generator = generator }

    package func next() -> UInt64 { generator.next() }
}
