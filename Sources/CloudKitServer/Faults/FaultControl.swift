import CloudKitWire
import LosslessJSON
import WireCoding

/// The endpoint that faults are asked for at, `/faults/<secret>`: POST a rule or a list of rules, GET what is in force,
/// DELETE all or, with `/<id>`, one.
struct FaultControl: Sendable {
    let secret: String
    let board: FaultBoard

    private static let largestRequest = 1_048_576

    /// Whether a path is the endpoint's; every other path leads to the protocol or nowhere.
    func owns(_ path: String) -> Bool { id(in: path) != nil }

    /// - Returns: `nil` inside: the path has no ID. `nil`: not the endpoint's path.
    private func id(in path: String) -> Int?? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: true)
        guard parts.count == 2 || parts.count == 3, parts[0] == "faults",
            constantTimeEqual(Array(parts[1].utf8), Array(secret.utf8))
        else { return nil }
        guard parts.count == 3 else { return .some(nil) }
        return Int(parts[2]).map { .some($0) }
    }

    func answer(_ method: String, _ path: String, _ body: [UInt8], uuid: String) -> Answer {
        guard let id = id(in: path) else { return .error(.noHandler(path), uuid: uuid) }
        switch (method, id) {
        case ("GET", _): return Answer(status: 200, body: listing(only: id))
        case ("DELETE", let id?):
            guard board.remove(id) else {
                return .error(ErrorDictionary(.notFound, reason: "no rule has the id \(id)"), uuid: uuid)
            }
            return Answer(status: 200, body: listing(only: nil))
        case ("DELETE", nil):
            board.removeAll()
            return Answer(status: 200, body: listing(only: nil))
        case ("POST", nil):
            do {
                let ids = try rules(in: body).map(board.add)
                return Answer(status: 200, body: listing(only: nil, of: Set(ids)))
            } catch {
                return .error(.malformed(error.message), uuid: uuid)
            }
        default: return .error(.badRequest("the endpoint takes GET, POST and DELETE"), uuid: uuid, status: 405)
        }
    }

    /// All rules of a request, or none: one that is wrong puts no other in force.
    private func rules(in body: [UInt8]) throws(WireError) -> [FaultRule] {
        let root: JSONNode
        do { root = try JSONDocument(parsing: body).root } catch { throw WireError("the body is no JSON (\(error))") }
        guard root.kind == .array else { return [try FaultRule(json: root)] }
        var rules: [FaultRule] = []
        for node in root.elements { rules.append(try FaultRule(json: node)) }
        return rules
    }

    private func listing(only id: Int?, of ids: Set<Int>? = nil) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.key("rules")
        json.beginArray()
        for standing in board.rules where id ?? standing.id == standing.id && ids?.contains(standing.id) != false {
            json.beginObject()
            json.key("id")
            json.int64(Int64(standing.id))
            json.key("seen")
            json.int64(Int64(standing.seen))
            json.key("hits")
            json.int64(Int64(standing.hits))
            json.key("rule")
            json.raw(standing.rule.source)
            json.endObject()
        }
        json.endArray()
        json.endObject()
        return json.bytes
    }
}
