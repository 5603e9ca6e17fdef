import Foundation
import Glibc

/// A network namespace whose only way out is a link that loses, delays or swallows packets.
///
/// Each end is a TUN device, this process carries the packets between them: so no queueing discipline of the kernel is
/// needed that many kernels lack. All of it is gone with the value, or with this process.
final class PoorLink: Sendable {
    /// The address at which the namespace reaches this machine, and the machine the namespace.
    let here: String
    let there: String
    private let holder: RunningProgram
    /// The device inside.
    private let farName: String
    private let carrier: PacketCarrier

    /// Whether this user may have one here.
    static let isPossible: Bool = {
        guard let device = try? TunnelDevice("zf-probe-\(getpid() % 10_000)") else {
            print("no TUN devices here, or no right to one")
            return false
        }
        let words = ["-n", "ip", "link", "set", "dev", "lo", "up"]
        guard let probe = try? RunningProgram(arguments: words, executable: URL(filePath: "/usr/bin/unshare")) else {
            return false
        }
        for _ in 0..<1000 where probe.isRunning { usleep(10_000) }
        let isPossible = !probe.isRunning && probe.hasSucceeded
        if !isPossible { print("no network namespaces here, or no `ip` (iproute2): \(probe.errors)") }
        withExtendedLifetime(device) {}
        return isPossible
    }()

    /// - Parameter seed: Tells which packets are lost.
    init(seed: UInt64) async throws {
        // Addresses for tests of networks, RFC 2544: two tests at the same time, or two checkouts, do not meet.
        var system = SystemRandomNumberGenerator()
        let number = UInt32.random(in: 0..<(1 << 15), using: &system) << 2
        func address(_ last: UInt32) -> String {
            let whole = (198 << 24 | 18 << 16) + number + last
            return "\(whole >> 24).\(whole >> 16 & 255).\(whole >> 8 & 255).\(whole & 255)"
        }
        (here, there) = (address(1), address(2))
        let holder = try RunningProgram(
            // No test lasts so long; should the runner be killed, this goes by itself.
            arguments: ["-n", "sh", "-c", "echo ready; exec sleep 1800"], executable: URL(filePath: "/usr/bin/unshare"))
        _ = try await holder.firstLine()
        let names = ["zf\(number)a", "zf\(number)b"]
        farName = names[1]
        let (near, far) = (try TunnelDevice(names[0]), try TunnelDevice(names[1]))
        try await Self.must("ip", "link", "set", "dev", names[1], "netns", "\(holder.pid)")
        try await Self.must("ip", "addr", "add", here, "peer", there, "dev", names[0])
        try await Self.must("ip", "link", "set", "dev", names[0], "up")
        for words in [["addr", "add", there, "peer", here, "dev", names[1]], ["link", "set", "dev", names[1], "up"]] {
            try await Self.must(words: Self.words(["ip"] + words, inside: holder))
        }
        self.holder = holder
        carrier = PacketCarrier(between: near, and: far, seed: seed)
    }

    /// What becomes of packets from now on.
    func set(_ weather: PacketCarrier.Weather) { carrier.set(weather) }

    /// Takes the namespace's link down or up, as a cable that is pulled and put in; with it go the routes.
    func setLink(isUp: Bool) async throws {
        try await Self.must(
            words: Self.words(["ip", "link", "set", "dev", farName, isUp ? "up" : "down"], inside: holder))
    }

    /// How many packets arrived, and how many did not.
    var counts: (carried: Int, lost: Int) { carrier.counts }

    /// Starts a program in the namespace.
    func start(_ words: [String]) throws -> RunningProgram {
        try RunningProgram(arguments: Self.words(words, inside: holder), executable: URL(filePath: "/usr/bin/env"))
    }

    private static func words(_ words: [String], inside holder: RunningProgram) -> [String] {
        ["nsenter", "-n", "-t", "\(holder.pid)", "--"] + words
    }

    private static func must(_ words: String...) async throws { try await must(words: words) }

    private static func must(words: [String]) async throws {
        let process = try RunningProgram(arguments: words, executable: URL(filePath: "/usr/bin/env"))
        guard try await process.ended(within: .seconds(60)) == 0 else {
            throw TestFailure("\(words.joined(separator: " ")): \(process.errors)")
        }
    }
}

/// A network device whose other end is a file descriptor: a read gives a packet, a write sends one.
final class TunnelDevice: Sendable {
    let descriptor: Int32

    /// Makes a device of this name, of at most 15 bytes; it goes with the descriptor.
    init(_ name: String) throws {
        // linux/if_tun.h; an ifreq is the name in 16 bytes, then the flags.
        let (setInterface, tunnel, noHeader): (UInt, UInt16, UInt16) = (0x4004_54CA, 0x0001, 0x1000)
        descriptor = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw TestFailure("/dev/net/tun cannot be opened: \(errno)") }
        precondition(name.utf8.count < 16, "a device's name has at most 15 bytes")
        var request = [UInt8](repeating: 0, count: 40)
        request.replaceSubrange(0..<name.utf8.count, with: name.utf8)
        withUnsafeBytes(of: tunnel | noHeader) { request.replaceSubrange(16..<18, with: $0) }
        let result = request.withUnsafeMutableBytes { ioctl(descriptor, setInterface, $0.baseAddress!) }
        guard result == 0 else {
            let error = errno
            close(descriptor)
            throw TestFailure("the device \(name) cannot be made: \(error)")
        }
    }

    deinit {
        close(descriptor)
    }
}
