package import SyncModel

extension [Action] {
    /// The actions of which something holds. Where it holds of all they are not copied, for there may be as many as files.
    package func only(_ isMeant: (Action) throws -> Bool) rethrows -> [Action] {
        guard let first = try firstIndex(where: { try !isMeant($0) }) else { return self }
        return try Array(self[..<first]) + self[(first + 1)...].filter(isMeant)
    }
}
