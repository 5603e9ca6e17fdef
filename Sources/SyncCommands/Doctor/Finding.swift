/// One thing that `doctor` looked at, with the way out where it is not well; its JSON form is in `doctor --json`.
struct Finding: Encodable, Hashable, Sendable {
    /// How a thing stands.
    enum Level: String, Encodable, Hashable, Sendable {
        case ok
        /// It works less well than it could, or could not be looked at.
        case degraded
        /// It keeps the folder, or a part of it, from being synced.
        case problem
    }

    /// What was looked at.
    enum Check: String, Encodable, Hashable, Sendable {
        case configuration, account, server, clock, watches, disk, space, permissions, state, schema, files, daemon
    }

    var check: Check
    var level: Level
    /// A sentence: what was seen.
    var message: String
    /// What a person can do about it.
    var remedy: String?
    /// The message for strangers: without a name of a file, a user, a host or a zone.
    var anonymous: String

    private enum CodingKeys: CodingKey {
        case check, level, message, remedy
    }

    /// - Parameter anonymous: Left out where the message holds no name.
    init(_ check: Check, _ level: Level, _ message: String, remedy: String? = nil, anonymous: String? = nil) {
        self.check = check
        self.level = level
        self.message = message
        self.remedy = remedy
        self.anonymous = anonymous ?? message
    }

    /// The finding as a stranger may see it: remedies name paths.
    var redacted: Finding {
        Finding(check, level, anonymous)
    }
}
