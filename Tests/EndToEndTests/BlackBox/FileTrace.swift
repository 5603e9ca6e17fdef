/// What was seen of one file from outside: all that the check of ``SyncModelOfOneFile`` is given.
///
/// After "Mysteries of Dropbox: Property-Based Testing of a Distributed Synchronization Service" (Hughes, Pierce, Arts,
/// Norell, 2016): what a service does between two looks at it cannot be seen, so that a trace is right where some
/// placement of uploads and downloads explains it.
enum Observation: Hashable, CustomStringConvertible {
    /// A node's file held a text, or was not there.
    case read(node: Int, String?)
    /// A node's file was given a text, or deleted (`nil`), in one step that also told what it held before.
    case write(node: Int, String?, over: String?)
    /// Everything came to rest: every node's file held a text, and these were the conflict copies.
    case rest(String?, copies: Set<String>)

    var description: String {
        switch self {
        case .read(let node, let value): "\(node) reads \(value ?? "nothing")"
        case .write(let node, let value, let old):
            value.map { "\(node) writes \($0) over \(old ?? "nothing")" } ?? "\(node) deletes \(old ?? "nothing")"
        case .rest(let value, let copies): "at rest: \(value ?? "nothing"), copies \(copies.sorted())"
        }
    }
}
