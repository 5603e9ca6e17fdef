import Synchronization

/// Repeatable bytes for those who share a generator.
final class SharedRandom: Sendable {
    private let random: Mutex<SeededRandom>

    init(_ random: SeededRandom) {
        self.random = Mutex(random)
    }

    func next(_ count: Int) -> [UInt8] {
        random.withLock { random in
            var bytes: [UInt8] = []
            while bytes.count < count {
                let number = random.next()
                for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
            }
            return Array(bytes.prefix(count))
        }
    }
}
