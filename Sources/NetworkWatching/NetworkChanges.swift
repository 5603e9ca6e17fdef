import CNetlink

/// Tells from the kernel's messages whether the network came up: a link that carries, an address or a route that was not
/// there before.
///
/// A value without a socket: what is read of one (rtnetlink(7)) is handed in. What was said before is remembered, because
/// the kernel also repeats itself: it names a link whenever anything about it changes, and an IPv6 address whenever its
/// router renews it. What goes down is no news: whoever needs it finds out.
public struct NetworkChanges: Sendable {
    private struct Address: Hashable, Sendable {
        var link: UInt32
        var bytes: [UInt8]
    }

    /// Links that carry, by their numbers.
    private var links: Set<Int32> = []
    private var addresses: Set<Address> = []

    /// Nothing is known yet: the first word of a link or an address counts as its coming.
    public init() {}

    /// Takes in what one read gave, and says whether something came up. What is cut off or of no known kind is passed over.
    public mutating func cameUp(in bytes: [UInt8]) -> Bool {
        var isUp = false
        var rest = bytes[...]
        while let header = rest.value(as: nlmsghdr.self), header.nlmsg_len >= UInt32(MemoryLayout<nlmsghdr>.size),
            Int(header.nlmsg_len) <= rest.count
        {
            let body = rest.prefix(Int(header.nlmsg_len)).dropFirst(MemoryLayout<nlmsghdr>.size)
            if takes(Int(header.nlmsg_type), body) { isUp = true }
            rest = rest.dropFirst(Self.aligned(Int(header.nlmsg_len)))
        }
        return isUp
    }

    /// Some messages were lost: anything may have come up, and nothing is known any more.
    public mutating func forget() {
        self = Self()
    }

    private mutating func takes(_ type: Int, _ body: ArraySlice<UInt8>) -> Bool {
        switch type {
        case Int(RTM_NEWLINK), Int(RTM_DELLINK):
            guard let link = body.value(as: ifinfomsg.self), link.ifi_flags & Self.loopback == 0 else { return false }
            guard type == Int(RTM_NEWLINK), link.ifi_flags & Self.carrying == Self.carrying else {
                links.remove(link.ifi_index)
                return false
            }
            return links.insert(link.ifi_index).inserted
        case Int(RTM_NEWADDR), Int(RTM_DELADDR): return takesAddress(body, isThere: type == Int(RTM_NEWADDR))
        case Int(RTM_NEWROUTE): return takesRoute(body)
        default: return false
        }
    }

    private mutating func takesAddress(_ body: ArraySlice<UInt8>, isThere: Bool) -> Bool {
        guard let message = body.value(as: ifaddrmsg.self), message.ifa_scope < Self.linkScope else { return false }
        let attributes = Attributes(body.dropFirst(MemoryLayout<ifaddrmsg>.size))
        guard let bytes = attributes[Int(IFA_LOCAL)] ?? attributes[Int(IFA_ADDRESS)] else { return false }
        let address = Address(link: message.ifa_index, bytes: Array(bytes))
        let flags = attributes[Int(IFA_FLAGS)]?.value(as: UInt32.self) ?? UInt32(message.ifa_flags)
        // One that is still asked about, or that somebody else has, is of no use.
        guard isThere, flags & Self.unusable == 0 else {
            addresses.remove(address)
            return false
        }
        return addresses.insert(address).inserted
    }

    private func takesRoute(_ body: ArraySlice<UInt8>) -> Bool {
        guard let route = body.value(as: rtmsg.self), Int(route.rtm_type) == Int(RTN_UNICAST),
            route.rtm_flags & UInt32(RTM_F_CLONED) == 0
        else { return false }
        let attributes = Attributes(body.dropFirst(MemoryLayout<rtmsg>.size))
        let table = attributes[Int(RTA_TABLE.rawValue)]?.value(as: UInt32.self) ?? UInt32(route.rtm_table)
        guard table != UInt32(RT_TABLE_LOCAL.rawValue) else { return false }
        // fe80::/10 comes with every link, and leads nowhere.
        let target = attributes[Int(RTA_DST.rawValue)].map(Array.init) ?? []
        return !(target.count == 16 && target[0] == 0xFE && target[1] & 0xC0 == 0x80)
    }

    /// What of a link's flags says that packets go through: `IFF_UP`, `IFF_RUNNING` and `IFF_LOWER_UP` (linux/if.h, which a
    /// program cannot include beside the C library's net/if.h).
    private static let carrying: UInt32 = 0x1 | 0x40 | 0x1_0000
    /// `IFF_LOOPBACK`.
    private static let loopback: UInt32 = 0x8
    private static let linkScope = UInt8(RT_SCOPE_LINK.rawValue)
    private static let unusable = UInt32(IFA_F_TENTATIVE | IFA_F_DADFAILED)

    /// Messages and attributes begin at multiples of four bytes.
    fileprivate static func aligned(_ length: Int) -> Int { (length + 3) & ~3 }
}

/// The attributes after a message's fixed part, by their types.
private struct Attributes {
    private var values: [Int: ArraySlice<UInt8>] = [:]

    init(_ bytes: ArraySlice<UInt8>) {
        var rest = bytes
        while let header = rest.value(as: rtattr.self), header.rta_len >= UInt16(MemoryLayout<rtattr>.size),
            Int(header.rta_len) <= rest.count
        {
            values[Int(header.rta_type)] = rest.prefix(Int(header.rta_len)).dropFirst(MemoryLayout<rtattr>.size)
            rest = rest.dropFirst(NetworkChanges.aligned(Int(header.rta_len)))
        }
    }

    subscript(type: Int) -> ArraySlice<UInt8>? { values[type] }
}

extension ArraySlice<UInt8> {
    /// What its first bytes are as a value of C; `nil` where they are too few.
    fileprivate func value<Value: BitwiseCopyable>(as type: Value.Type) -> Value? {
        guard count >= MemoryLayout<Value>.size else { return nil }
        return withUnsafeBytes { $0.loadUnaligned(as: Value.self) }
    }
}
