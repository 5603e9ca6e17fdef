import CloudKitWire

/// Gives each requested record its own result, also where an answer is out of order or incomplete: a result that is
/// taken for another record's would move the wrong base.
enum ResultOrder {
    /// - Parameter names: The requested names, each once; `nil` where the server was to choose one.
    static func restore(_ results: [ItemResult<Record>], to names: [String?]) -> [ItemResult<Record>] {
        if results.count == names.count,
            zip(results, names).allSatisfy({ $1 == nil || isNamed($0, $1!) || isNameless($0) })
        {
            return results
        }
        var byName: [[UInt8]: ItemResult<Record>] = [:]
        for result in results {
            if let name = name(of: result) { byName[Array(name.utf8)] = result }
        }
        return names.map { name in
            if let name, let result = byName[Array(name.utf8)] { return result }
            var error = ErrorDictionary(.unexpectedServerResponse, reason: "The answer lacks this record")
            error.recordName = name
            return .failure(error)
        }
    }

    private static func name(of result: ItemResult<Record>) -> String? {
        switch result {
        case .success(let record): record.recordName
        case .failure(let error): error.recordName
        }
    }

    private static func isNamed(_ result: ItemResult<Record>, _ expected: String) -> Bool {
        name(of: result)?.utf8.elementsEqual(expected.utf8) == true
    }

    /// An error without a name belongs to its place.
    private static func isNameless(_ result: ItemResult<Record>) -> Bool {
        if case .failure(let error) = result { error.recordName == nil } else { false }
    }
}
