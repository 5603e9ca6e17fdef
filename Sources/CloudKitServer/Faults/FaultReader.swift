import CloudKitWire
import LosslessJSON
import WireCoding

/// An object of a fault's rule, read strictly.
struct FaultReader {
    private let node: JSONNode

    /// - Parameter place: What the object is, for the error.
    init(_ node: JSONNode, _ place: String, _ keys: Set<String>) throws(WireError) {
        guard node.kind == .object else { throw WireError("\(place) must be an object") }
        for member in node.members where !keys.contains(member.key) {
            throw WireError("\(place) has no '\(member.key)'; it takes \(keys.sorted().joined(separator: ", "))")
        }
        self.node = node
    }

    subscript(key: String) -> JSONNode? { node[key] }

    func string(_ key: String) throws(WireError) -> String? {
        guard let value = node[key] else { return nil }
        guard let string = value.string else { throw WireError("'\(key)' must be a string") }
        return string
    }

    func strings(_ key: String) throws(WireError) -> [String: String] {
        guard let value = node[key] else { return [:] }
        var strings: [String: String] = [:]
        guard value.kind == .object else { throw WireError("'\(key)' must be an object of strings") }
        for member in value.members {
            guard let string = member.value.string else { throw WireError("'\(key)' must be an object of strings") }
            strings[member.key] = string
        }
        return strings
    }

    func count(_ key: String) throws(WireError) -> Int? {
        guard let value = node[key] else { return nil }
        guard let count = value.int64, (0...1_000_000).contains(count) else {
            throw WireError("'\(key)' must be a count, up to a million")
        }
        return Int(count)
    }

    func status() throws(WireError) -> Int {
        guard let status = node["status"]?.int64, (200...599).contains(status) else {
            throw WireError("'status' must be an HTTP status from 200 to 599")
        }
        return Int(status)
    }

    func seconds() throws(WireError) -> Duration {
        guard let seconds = node["seconds"]?.double, (0...3600).contains(seconds) else {
            throw WireError("'seconds' must be a number from 0 to 3600")
        }
        return .milliseconds(Int(seconds * 1000))
    }

    func name<Name: RawRepresentable<String> & CaseIterable>(
        _ key: String, _ type: Name.Type = Name.self
    ) throws(WireError) -> Name {
        guard let name = try string(key).flatMap({ Name(rawValue: $0) }) else {
            throw WireError("'\(key)' must be one of \(Name.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return name
    }

    /// `code`, `reason`, `retryAfter` and `redirectURL` as an error dictionary.
    func error() throws(WireError) -> ErrorDictionary {
        guard let code = try string("code") else { throw WireError("'code' is missing") }
        var error = ErrorDictionary(
            ServerErrorCode(rawValue: code), reason: try string("reason") ?? "a fault on demand")
        if let value = node["retryAfter"] {
            guard let seconds = value.double, seconds >= 0 else { throw WireError("'retryAfter' must be seconds") }
            error.retryAfter = seconds
        }
        error.redirectURL = try string("redirectURL")
        return error
    }
}
