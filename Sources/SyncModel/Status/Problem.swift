/// Why something is held: it stays as it is, blocks nothing else, and goes through by itself once it is mended.
public struct Problem: Hashable, Sendable {
    /// A stable word for the kind of problem; open, since a server may refuse for a reason of its own.
    public struct Code: RawRepresentable, Hashable, Sendable {
        public var rawValue: String

        /// Takes the stable word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        public static let brokenJSON = Self(rawValue: "brokenJSON")
        public static let duplicateKey = Self(rawValue: "duplicateKey")
        public static let numberOutOfRange = Self(rawValue: "numberOutOfRange")
        public static let wrongType = Self(rawValue: "wrongType")
        /// It fits a structured record, and is a file record in the zone all the same.
        public static let plainInZone = Self(rawValue: "plainInZone")
        public static let requiredFieldMissing = Self(rawValue: "requiredFieldMissing")
        public static let tooLarge = Self(rawValue: "tooLarge")
        public static let limitExceeded = Self(rawValue: "limitExceeded")
        public static let unreadable = Self(rawValue: "unreadable")
        public static let nameIllegal = Self(rawValue: "nameIllegal")
        public static let pathBlocked = Self(rawValue: "pathBlocked")
        public static let skippedSpecialFile = Self(rawValue: "skippedSpecialFile")
        public static let wrongBytes = Self(rawValue: "wrongBytes")
        public static let leftOut = Self(rawValue: "leftOut")
        public static let invalidRule = Self(rawValue: "invalidRule")
        /// Ignore rules that nobody obeys, since they came through the share of a single record.
        public static let foreignRules = Self(rawValue: "foreignRules")
        public static let nameTaken = Self(rawValue: "nameTaken")
        public static let missingAsset = Self(rawValue: "missingAsset")
        /// Only files name it that are assets of others themselves.
        public static let assetOfAsset = Self(rawValue: "assetOfAsset")
        public static let schemaMissing = Self(rawValue: "schemaMissing")
        public static let referenceRefused = Self(rawValue: "referenceRefused")
        public static let permissionDenied = Self(rawValue: "permissionDenied")
        public static let quotaExceeded = Self(rawValue: "quotaExceeded")
        public static let serverRefused = Self(rawValue: "serverRefused")
        public static let serverUntrusted = Self(rawValue: "serverUntrusted")
        public static let massDeletion = Self(rawValue: "massDeletion")
        public static let zoneVanished = Self(rawValue: "zoneVanished")
        public static let zoneLeft = Self(rawValue: "zoneLeft")
        public static let zoneChanged = Self(rawValue: "zoneChanged")
        public static let standingToken = Self(rawValue: "standingToken")
        public static let erroredRecord = Self(rawValue: "erroredRecord")
        public static let noPushes = Self(rawValue: "noPushes")
        public static let diskFull = Self(rawValue: "diskFull")
    }

    public var code: Code
    /// Names the thing and what is wrong with it, with the line or the limit.
    public var message: String
    /// What a person should do.
    public var remedy: String
    /// The line of the file, from 1, where one is to blame.
    public var line: Int?

    /// Whether a person is told of it and nothing is asked of them: what was never to be synced is not.
    public var isRemark: Bool { code == .skippedSpecialFile || code == .leftOut }

    /// A problem with its message and its remedy, both whole sentences.
    public init(_ code: Code, message: String, remedy: String, line: Int? = nil) {
        self.code = code
        self.message = message
        self.remedy = remedy
        self.line = line
    }
}
