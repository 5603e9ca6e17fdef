/// Changes of the credentials, to tell answers to replaced ones.
struct CredentialChanges: Sendable {
    /// Counts the beginnings and the ends of changes: between two questions with the same number nothing changed.
    private(set) var generation = 0
    private var underWay = 0

    mutating func begin() {
        generation += 1
        underWay += 1
    }

    /// Ends a change; one that was given up leaves the credentials as they were.
    mutating func end(isGivenUp: Bool) {
        if !isGivenUp { generation += 1 }
        underWay -= 1
    }

    /// Whether an answer says nothing of the credentials of now, or there are none for certain.
    /// - Parameter generation: That of the question.
    func isStale(_ generation: Int) -> Bool { generation != self.generation || underWay > 0 }
}
