import CloudKitWire

/// How many bytes of records one answer may hold, so that no request, however small, takes all of the server's memory.
///
/// What counts is the JSON that is stored and has to be read, also where a request wants a part of it only. An answer adds
/// the links of assets, and quotes where numbers are wanted as strings: it is two or three times as long at most.
struct AnswerBudget {
    private let limit: Int
    private var used = 0

    /// - Parameter limit: In bytes; one record is admitted whatever its size, so that every answer brings something.
    init(limit: Int) {
        self.limit = limit
    }

    /// Whether there is room for a record; where there is, it is taken.
    mutating func admits(_ record: StoredRecord) -> Bool {
        let bytes = record.answerBytes
        guard used == 0 || bytes <= limit - used else { return false }
        used += bytes
        return true
    }
}

extension StoredRecord {
    /// About what a record adds to an answer: its fields' JSON, and as much as names, types and stamps take.
    var answerBytes: Int { (fields?.utf8.count ?? 0) + 512 }
}

extension ErrorDictionary {
    /// The item's turn comes as soon as fewer are asked for, so a client may ask for what is left at once.
    static func answerIsFull(_ things: String) -> Self {
        var error = Self(.tryAgainLater, reason: "the answer is full: ask for fewer \(things) at once")
        error.retryAfter = 0
        return error
    }

    static let atomicAnswerIsTooLarge = badRequest(
        "the answer would be larger than \(StoreLimits.answerBytes) bytes: send fewer operations at once")
}
