/// Why something waits, and how it gets going again.
public enum Hold: Hashable, Sendable, CaseIterable {
    case noPermission
    case outOfStorage
    case tooLarge
    /// More records would refer to one with DELETE_SELF than the server takes (protocol §6).
    case tooManyReferences
    case missingFromSchema
    case notUnique
    case brokenReference
    /// What the record is called; a new name is all that helps.
    case nameRefused
    case assetGone
    case refused
    case misconfigured
    case serverFault
    /// The server that keeps the bytes is not the one that it says it is, or nobody vouches for it.
    case untrusted

    /// What was refused: what a person can do differs by it.
    public enum Subject: Hashable, Sendable, CaseIterable {
        /// A file that was to be sent.
        case file
        /// The deletion of a file's record.
        case deletion
        /// A record that was to come into the folder.
        case download
        /// A request that is about no file, such as for the zone's changes.
        case request
    }

    /// A sentence for `status`.
    public var reason: String {
        switch self {
        case .noPermission: "The account has no permission for this."
        case .outOfStorage: "The account's storage on the server is full."
        case .tooLarge: "This is larger than the server takes."
        case .tooManyReferences: "At most 750 records can refer to one record with DELETE_SELF."
        case .missingFromSchema: "The container's schema lacks this record type or field."
        case .notUnique: "Another record has the same value in a field that must be unique."
        case .brokenReference: "A reference points to a record that is not on the server, or that cannot go."
        case .nameRefused: "The server does not take the name of the file's record."
        case .assetGone: "The server no longer has this asset's bytes."
        case .refused: "The server does not accept this as it is."
        case .misconfigured: "The server does not know this address, container or operation."
        case .serverFault: "The server failed at this several times."
        case .untrusted: "The server that keeps the bytes is not trusted."
        }
    }

    /// What a person can do, as a sentence for `status`.
    public func remedy(for subject: Subject) -> String {
        switch (self, subject) {
        case (.noPermission, _): "Ask the owner for write access, or allow the app in the account's settings."
        case (.outOfStorage, _):
            "Free some, or get more: with Apple that is iCloud storage. Deletions and downloads go on meanwhile."
        case (.tooLarge, .file): "Make the file smaller, or move large values into files of their own."
        case (.tooManyReferences, _):
            "Let some of these files refer to another record, or give the reference the action NONE."
        case (.missingFromSchema, _):
            "Import the schema that comes with zonefolder, in the CloudKit console or with cktool."
        case (.notUnique, _): "Change the value in one of the records."
        case (.brokenReference, .deletion):
            "Delete the files that refer to it as well, or take the references out of them."
        case (.brokenReference, _): "Add the file that is referred to, or remove the reference."
        // A new file's record is called by its path, whatever is in the file.
        case (.nameRefused, _): "Rename the file, to a shorter or plainer name: its record is called by it."
        case (.assetGone, _): "Save the file on a device that has it."
        case (.refused, .file): "Mend the file; it goes through by itself then."
        case (.misconfigured, _): "Check container, environment and server in config.toml, and the API token."
        case (.untrusted, _): "See to its certificate, or to tls_ca in config.toml; it is tried again by itself."
        case (.serverFault, .file): "It is tried again with the file's next change; `zonefolder sync` tries now."
        case (.refused, .deletion), (.tooLarge, .deletion), (.serverFault, .deletion):
            "Its record stays in the zone. It is tried again by itself, with `zonefolder sync` at once; to keep the file, "
                + "put it back."
        case (.refused, .download), (.tooLarge, .download), (.serverFault, .download):
            "It is tried again by itself; if it stays so, save the file anew on a device that has it."
        case (.refused, .request), (.tooLarge, .request), (.serverFault, .request):
            "No file is to blame. It is tried again by itself, with `zonefolder sync` at once."
        }
    }
}
