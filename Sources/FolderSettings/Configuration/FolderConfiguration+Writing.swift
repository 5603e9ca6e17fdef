import SyncModel

extension FolderConfiguration {
    /// The text of `config.toml`: every key with a comment that explains it.
    ///
    /// For `init` only: a file that a person has edited is read, and never written again.
    public var tomlText: String {
        """
        # What this folder is synced with. Change it with `zonefolder config`, or with any editor; then run
        # `zonefolder config reload`.
        # Secrets are not here but in the file `credentials`.
        #
        # Where it comes to name another zone than before, no file is deleted on either side, and nothing is sent there
        # before `zonefolder approve zone`. Another name of the same server is no other zone.

        # The server: Apple's, or one of your own (`zonefolder serve`).
        server = \(Self.quoted(server))

        # A file in PEM with the certificate of an authority of your own that vouches for the server; those of the system
        # are trusted besides.
        \(Self.line("tls_ca", authorityFile, example: "/etc/ssl/private-ca.pem"))

        # Whether a server on another machine may be spoken to without TLS (http): whoever sees the traffic can read the
        # tokens and files in it.
        plain_http = \(allowsPlainHTTP)

        # The container of the app, as in its entitlements, and which of its two environments: development or production.
        container = \(Self.quoted(container))
        environment = \(Self.quoted(environment.rawValue))

        # The database: private, or shared for a zone that somebody else shares with this account.
        database = \(Self.quoted(database.rawValue))

        # The record zone that this folder is. In the private database it is made where it does not exist.
        zone = \(Self.quoted(zone))

        # The user record name of the zone's owner; needed in the shared database.
        \(Self.line("owner", owner, example: "_0123456789abcdef0123456789abcdef"))

        # The name of this device, as it stands in the names of conflict copies.
        device = \(Self.quoted(device))

        # Seconds between two looks at the server where no push arrives.
        poll_seconds = \(pollingInterval.components.seconds)

        # Minutes between two looks at the whole folder, a little at a time, for what nobody tells of: writes through a
        # hard link from elsewhere, through a memory map or another mount.
        audit_minutes = \(auditInterval.components.seconds / 60)

        # A deletion of more files than `deletion_limit`, and of more than `deletion_percent` of all of them, waits
        # for `zonefolder approve`; in both directions.
        deletion_limit = \(deletionLimit)
        deletion_percent = \(deletionShare)

        # Days for which overwritten and deleted versions can be restored, and how many bytes all of them may have: the
        # oldest go first; 0 is no limit.
        history_days = \(historyDays)
        history_bytes = \(historyLimit)

        # Bytes of the versions that are kept of what is edited and deleted here: each JSON text, and of other files the
        # last one, fetched from the zone before its deletion goes there. For JSON and for other files each; 0 keeps none.
        history_own_bytes = \(ownHistoryLimit)

        # Larger files stay where they are and are named in `zonefolder status`. In bytes.
        asset_limit_bytes = \(assetLimit)

        # Nothing more is received while the disk has fewer bytes left than this, or than a twentieth of the disk,
        # whichever is less. It goes on by itself once there is room.
        disk_reserve_bytes = \(diskReserve)

        # What becomes of a JSON file below a record type's folder that is broken or does not fit the types of the
        # zone's fields, as long as no record has its path: "file" syncs it as a plain file, "hold" waits until it is
        # mended.
        unfit_json = \(Self.quoted(unfitFiles.rawValue))

        # The container's schema as text, relative to this folder: the types of fields are taken from it where no
        # record of the zone has told them yet.
        \(Self.line("schema", schemaFile, example: "schema.ckdb"))

        # A command that the shell runs where this folder comes to need a person: a conflict, a held file, a sign-in. It has
        # ZONEFOLDER_FOLDER, ZONEFOLDER_VERDICT and ZONEFOLDER_MESSAGE, and half a minute.
        \(Self.line("on_attention", attentionCommand, example: "notify-send \"$ZONEFOLDER_MESSAGE\""))

        [records]
        # The record type of files that are not JSON objects below a folder named like a record type.
        file_type = \(Self.quoted(fileRecordType))

        # For one record type: keys without which a file is not sent, and files that a new record gets where its own
        # file names none.
        # [types.Note]
        # required = ["title", "text"]
        # default_asset = { image = "defaults/note.png" }
        \(typeRules)
        [limits]
        # How fast this folder may use the network, in bytes a second, from \(TransferLimits.slowest) on, and in requests
        # a second.
        \(Self.line("upload_bytes_per_second", limits.uploadBytes, example: 500_000))
        \(Self.line("download_bytes_per_second", limits.downloadBytes, example: 2_000_000))
        \(Self.line("requests_per_second", limits.requests, example: 10))

        [merge]
        # Which side wins where both changed the same field: remote, local or newest. The other value is kept in a
        # conflict copy.
        default = \(Self.quoted(merge.standard.rawValue))

        # Exceptions, for a record type or for one field of it. A field can also have counter, max, min or union:
        # [merge.types]
        # Note = "newest"
        # [merge.fields.Note]
        # visits = "counter"
        \(exceptions)
        """
    }

    private var typeRules: String {
        types.sorted { $0.key < $1.key }.map { type, rules in
            var text = "[types.\(type)]\n"
            if !rules.required.isEmpty {
                text += "required = [\(rules.required.map(Self.quoted).joined(separator: ", "))]\n"
            }
            if !rules.defaultAssets.isEmpty {
                let files = rules.defaultAssets.sorted { $0.key < $1.key }.map {
                    "\(Self.quoted($0.key)) = \(Self.quoted($0.value.description))"
                }
                text += "default_asset = { \(files.joined(separator: ", ")) }\n"
            }
            return text
        }.joined()
    }

    private var exceptions: String {
        var text = ""
        if !merge.types.isEmpty {
            text += "[merge.types]\n" + Self.lines(merge.types)
        }
        for (type, fields) in merge.fields.sorted(by: { $0.key < $1.key }) {
            text += "[merge.fields.\(type)]\n" + Self.lines(fields)
        }
        return text
    }

    private static func lines(_ policies: [String: MergePolicies.Policy]) -> String {
        policies.sorted { $0.key < $1.key }.map { "\($0.key) = \(quoted($0.value.rawValue))\n" }.joined()
    }

    private static func line(_ key: String, _ value: String?, example: String) -> String {
        value.map { "\(key) = \(quoted($0))" } ?? "# \(key) = \(quoted(example))"
    }

    private static func line(_ key: String, _ value: Int?, example: Int) -> String {
        value.map { "\(key) = \($0)" } ?? "# \(key) = \(example)"
    }

    /// A basic string of TOML.
    static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                let digits = String(scalar.value, radix: 16, uppercase: true)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
