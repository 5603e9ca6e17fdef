import Testing

@testable import NetworkWatching

/// Messages as the kernel writes them (rtnetlink(7)), little-endian, made field by field.
private struct Message {
    var bytes: [UInt8]

    /// A header and a body: `nlmsg_len`, `nlmsg_type`, `nlmsg_flags`, `nlmsg_seq`, `nlmsg_pid`.
    init(_ type: UInt16, _ body: [UInt8]) {
        bytes = Self.u32(UInt32(16 + body.count)) + Self.u16(type) + Self.u16(0) + Self.u32(0) + Self.u32(0) + body
        while bytes.count % 4 != 0 { bytes.append(0) }
    }

    /// `RTM_NEWLINK` (16): `ifi_family`, a pad, `ifi_type`, `ifi_index`, `ifi_flags`, `ifi_change`, then a name.
    static func link(_ index: UInt32, flags: UInt32, type: UInt16 = 16) -> Self {
        Self(type, [0, 0] + u16(1) + u32(index) + u32(flags) + u32(0) + attribute(3, Array("wlan0".utf8) + [0]))
    }

    /// `RTM_NEWADDR` (20): `ifa_family`, `ifa_prefixlen`, `ifa_flags`, `ifa_scope`, `ifa_index`, then `IFA_ADDRESS` (1).
    static func address(
        _ bytes: [UInt8], scope: UInt8 = 0, flags: UInt32 = 0x80, type: UInt16 = 20, link: UInt32 = 2
    ) -> Self {
        let family: UInt8 = bytes.count == 4 ? 2 : 10
        return Self(
            type,
            [family, 24, UInt8(truncatingIfNeeded: flags), scope] + u32(link) + attribute(1, bytes)
                + attribute(8, u32(flags)))
    }

    /// `RTM_NEWROUTE` (24): `rtm_family`, `rtm_dst_len`, `rtm_src_len`, `rtm_tos`, `rtm_table`, `rtm_protocol`,
    /// `rtm_scope`, `rtm_type`, `rtm_flags`, then `RTA_DST` (1), `RTA_OIF` (4) and `RTA_TABLE` (15).
    static func route(
        to target: [UInt8] = [], table: UInt8 = 254, kind: UInt8 = 1, flags: UInt32 = 0, type: UInt16 = 24
    ) -> Self {
        Self(
            type,
            [2, UInt8(target.count * 8), 0, 0, table, 3, 0, kind] + u32(flags)
                + (target.isEmpty ? [] : attribute(1, target)) + attribute(4, u32(2))
                + attribute(15, u32(UInt32(table))))
    }

    private static func attribute(_ type: UInt16, _ value: [UInt8]) -> [UInt8] {
        var bytes = u16(UInt16(4 + value.count)) + u16(type) + value
        while bytes.count % 4 != 0 { bytes.append(0) }
        return bytes
    }

    private static func u16(_ value: UInt16) -> [UInt8] { withUnsafeBytes(of: value.littleEndian, Array.init) }
    private static func u32(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value.littleEndian, Array.init) }
}

@Suite("What the kernel says of the network")
struct NetworkChangesTests {
    private static let carrying: UInt32 = 0x1_1043  // up, broadcast, running, multicast, lower up

    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        fileprivate var messages: [Message]
        var cameUp: [Bool]
    }

    private static let home: [UInt8] = [192, 168, 1, 7]
    private static let public6: [UInt8] = [0x20, 1, 0xD, 0xB8] + [UInt8](repeating: 0, count: 11) + [1]
    private static let near6: [UInt8] = [0xFE, 0x80] + [UInt8](repeating: 0, count: 13) + [1]

    private static let rows = [
        Row(
            testDescription: "a link that gets its carrier comes up once, however often it is named",
            messages: [
                .link(2, flags: 0x1003), .link(2, flags: carrying), .link(2, flags: carrying),
                .link(2, flags: 0x1003), .link(2, flags: carrying),
            ],
            cameUp: [false, true, false, false, true]),
        Row(
            testDescription: "a link that was taken out and put in again comes up again",
            messages: [.link(3, flags: carrying), .link(3, flags: carrying, type: 17), .link(3, flags: carrying)],
            cameUp: [true, false, true]),
        Row(testDescription: "loopback leads nowhere", messages: [.link(1, flags: 0x1_0049)], cameUp: [false]),
        Row(
            testDescription: "a new address is news, one whose lifetime is renewed is not",
            messages: [.address(home), .address(home), .address(home, type: 21), .address(home)],
            cameUp: [true, false, false, true]),
        Row(
            testDescription: "an IPv6 address counts once it was found to be nobody else's",
            messages: [.address(public6, flags: 0x40), .address(public6, flags: 0), .address(public6, flags: 0)],
            cameUp: [false, true, false]),
        Row(
            testDescription: "an address that somebody else has is of no use",
            messages: [.address(public6, flags: 0x48)], cameUp: [false]),
        Row(
            testDescription: "addresses of the link and of this machine lead nowhere",
            messages: [.address(near6, scope: 253), .address([127, 0, 0, 1], scope: 254)], cameUp: [false, false]),
        Row(
            testDescription: "a default route and one to a network are news",
            messages: [.route(), .route(to: [10, 0, 0, 0]), .route(to: [10, 0, 0, 0], table: 100)],
            cameUp: [true, true, true]),
        Row(
            testDescription: "what goes is no news, nor are local, broadcast, cached and link-local routes",
            messages: [
                .route(type: 25), .route(to: home, table: 255, kind: 2), .route(to: home, table: 255),
                .route(kind: 3), .route(flags: 0x200), .route(to: near6),
            ],
            cameUp: [false, false, false, false, false, false]),
        Row(
            testDescription: "another kind of message is passed over", messages: [Message(28, [1, 2, 3])],
            cameUp: [false]),
    ]

    @Test("One message after another", arguments: rows)
    func messages(_ row: Row) {
        var changes = NetworkChanges()
        var cameUp: [Bool] = []
        for message in row.messages { cameUp.append(changes.cameUp(in: message.bytes)) }
        #expect(cameUp == row.cameUp)
    }

    @Test("Several messages of one read are all taken in")
    func together() {
        var changes = NetworkChanges()
        let first =
            Message.link(2, flags: 0x1003).bytes + Message.address(Self.home).bytes + Message.route(type: 25).bytes
        var isUp = changes.cameUp(in: first)
        #expect(isUp)
        isUp = changes.cameUp(in: Message.address(Self.home).bytes)
        #expect(!isUp)
    }

    @Test("A message that is cut off anywhere, or whose lengths lie, brings nothing down")
    func broken() {
        for message in [Message.link(2, flags: Self.carrying), .address(Self.home), .route(to: [10, 0, 0, 0])] {
            for count in 0..<message.bytes.count {
                var changes = NetworkChanges()
                let isUp = changes.cameUp(in: Array(message.bytes.prefix(count)))
                #expect(!isUp)
            }
            for place in message.bytes.indices {
                for value: UInt8 in [0, 1, 3, 255] {
                    var bytes = message.bytes
                    bytes[place] = value
                    var changes = NetworkChanges()
                    _ = changes.cameUp(in: bytes + bytes)
                }
            }
        }
    }

    @Test("After lost messages, all that is named counts as new")
    func lost() {
        var changes = NetworkChanges()
        var isUp = changes.cameUp(in: Message.address(Self.home).bytes)
        #expect(isUp)
        changes.forget()
        isUp = changes.cameUp(in: Message.address(Self.home).bytes)
        #expect(isUp)
    }

    @Test("The system gives a socket, and the stream ends with the watcher")
    func socket() async throws {
        var watcher: NetworkWatcher? = try NetworkWatcher()
        let arrivals = try #require(watcher?.arrivals)
        watcher = nil
        for await _ in arrivals {}
    }
}
