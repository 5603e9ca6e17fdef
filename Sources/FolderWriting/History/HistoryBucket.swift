import LocalFolder
import SyncModel

/// A directory of the history: what left the folder in one second for one reason.
struct HistoryBucket {
    let name: String
    /// In seconds since 1970.
    let time: Int64
    let reason: KeptReason?

    /// Reads a name, or gives `nil` for one that this program did not give.
    init?(_ bytes: [UInt8]) {
        guard let time = CivilTime.parse(bytes.prefix(16)), bytes.dropFirst(16).first == UInt8(ascii: "-") else {
            return nil
        }
        name = String(decoding: bytes, as: UTF8.self)
        self.time = time.seconds
        let parts = name.dropFirst(17).split(separator: "-", maxSplits: 1)
        reason = parts.count == 2 ? KeptReason(rawValue: String(parts[1])) : nil
    }

    /// The names that a directory of this time and reason may have, until one is free.
    static func names(time seconds: Int64, _ reason: KeptReason?) -> some Sequence<String> {
        let time = CivilTime(seconds: seconds).text
        return (0..<10_000).lazy.map { "\(time)-\($0)\(reason.map { "-\($0.rawValue)" } ?? "")" }
    }

    /// The name as a system call takes it.
    var terminatedName: [UInt8] { Array(name.utf8) + [0] }
}
