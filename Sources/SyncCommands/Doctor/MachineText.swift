import SystemPackage

#if canImport(Glibc)
    import Glibc
#endif

/// The machine for strangers: kernel, processor and distribution, without its name.
enum MachineText {
    static var current: String {
        var name = utsname()
        guard uname(&name) == 0 else { return "unknown" }
        let parts = [text(name.sysname), text(name.release), text(name.machine)]
        let release = (try? PlainFiles.read("/etc/os-release")) ?? []
        let distribution = distribution(in: String(decoding: release, as: UTF8.self))
        return ([parts.joined(separator: " ")] + [distribution].compactMap(\.self)).joined(separator: ", ")
    }

    /// The value of `PRETTY_NAME` in os-release(5).
    static func distribution(in text: String) -> String? {
        let line = text.split(separator: "\n").first { $0.hasPrefix("PRETTY_NAME=") }
        let value = line?.dropFirst("PRETTY_NAME=".count).filter { $0 != "\"" && $0 != "'" }
        return value.flatMap { $0.isEmpty ? nil : String($0) }
    }

    private static func text<Field>(_ field: Field) -> String {
        withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
