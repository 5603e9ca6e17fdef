import Foundation
import Glibc
import SeededRandomness
import Synchronization

/// Carries packets between two devices on a thread of its own, as a good or a bad network does.
final class PacketCarrier: Sendable {
    /// What becomes of packets, in both directions.
    struct Weather: Sendable {
        /// Which part of them is lost.
        var loss = 0.0
        /// How long each takes.
        var delay = Duration.zero
        /// Whether none arrives.
        var isCut = false
    }

    private struct State {
        var weather = Weather()
        var carried = 0
        var lost = 0
        var isOver = false
    }

    /// A packet on its way to one of the devices.
    private struct Packet {
        var bytes: ArraySlice<UInt8>
        var device: Int
        var due: ContinuousClock.Instant
    }

    private let state: SharedState
    private let thread = DispatchSemaphore(value: 0)

    /// What the thread shares with others; it does not hold the carrier, whose end is its own.
    private final class SharedState: Sendable {
        let value = Mutex(State())
    }

    init(between near: TunnelDevice, and far: TunnelDevice, seed: UInt64) {
        state = SharedState()
        let (state, thread) = (state, thread)
        Thread.detachNewThread {
            Self.carry(between: [near, far], state, SeededGenerator(seed: seed))
            thread.signal()
        }
    }

    deinit {
        state.value.withLock { $0.isOver = true }
        thread.wait()
    }

    func set(_ weather: Weather) { state.value.withLock { $0.weather = weather } }

    /// How many packets arrived, and how many did not.
    var counts: (carried: Int, lost: Int) { state.value.withLock { ($0.carried, $0.lost) } }

    private static func carry(
        between devices: [TunnelDevice], _ state: SharedState, _ generator: SeededGenerator
    ) {
        var generator = generator
        var onTheWay: [Packet] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while !state.value.withLock(\.isOver) {
            var polls = devices.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
            let wait = onTheWay.first.map { ContinuousClock.now.duration(to: $0.due) } ?? .milliseconds(100)
            // Rounded up, lest it asks again and again in the last millisecond.
            poll(&polls, nfds_t(polls.count), Int32(clamping: Int64(max(.zero, wait) / .milliseconds(1)) + 1))
            for (number, device) in devices.enumerated() {
                while case let count = read(device.descriptor, &buffer, buffer.count), count > 0 {
                    let isLost = state.value.withLock { state in
                        let isLost =
                            state.weather.isCut || Double.random(in: 0..<1, using: &generator) < state.weather.loss
                        if isLost { state.lost += 1 }
                        return isLost
                    }
                    guard !isLost else { continue }
                    let due = ContinuousClock.now + state.value.withLock(\.weather.delay)
                    onTheWay.append(Packet(bytes: buffer[..<count], device: 1 - number, due: due))
                }
            }
            // In the order in which they were sent: the delay is the same for all, unless it is being changed.
            let now = ContinuousClock.now
            let arriving = onTheWay.prefix { $0.due <= now }
            for packet in arriving {
                // A device that is not up takes nothing.
                let count = packet.bytes.withUnsafeBytes {
                    write(devices[packet.device].descriptor, $0.baseAddress, $0.count)
                }
                state.value.withLock { if count > 0 { $0.carried += 1 } else { $0.lost += 1 } }
            }
            onTheWay.removeFirst(arriving.count)
        }
    }
}
