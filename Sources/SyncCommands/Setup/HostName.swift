#if canImport(Glibc)
    import Glibc
#endif

/// The machine's name, as far as it can stand in a file name.
enum HostName {
    static var current: String {
        var name = utsname()
        guard uname(&name) == 0 else { return "this-device" }
        let text = withUnsafeBytes(of: &name.nodename) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        let isFine = { (byte: UInt8) in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
        }
        let first = String(
            decoding: text.utf8.prefix { $0 != UInt8(ascii: ".") }.filter(isFine).prefix(63), as: UTF8.self)
        return first.isEmpty ? "this-device" : first
    }
}
