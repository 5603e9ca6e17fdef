/// A promise that was not kept.
public struct Violation: Error, Hashable, Sendable, CustomStringConvertible {
    /// The promise.
    public enum Invariant: Int, Hashable, Sendable, CaseIterable {
        case noLostBytes = 1
        case noInventedBytes = 2
        case oldOrNew = 3
        case baseHonesty = 4
        case tokenHonesty = 5
        case deletesHaveProof = 6
        case convergence = 8
        case termination = 9
        case quietAtRest = 12
        case untouchedFields = 14
        case confinement = 18
        case statusTruth = 20
        case noAmplification = 22
        case storedReasons = 27
        case everyHoldEnds = 28
        case noSecretLeaves = 29
    }

    public var invariant: Invariant
    public var message: String

    public var description: String { "invariant \(invariant.rawValue) (\(invariant)): \(message)" }
}
