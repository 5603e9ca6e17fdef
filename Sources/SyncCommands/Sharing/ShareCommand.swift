import ArgumentParser
import CloudKitClient
import CloudKitWire
import RecordMapping
import RecordPaths
import SyncModel
import SyncService

struct ShareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "share",
        abstract: "Share a zone, or a record and all below it, with other people.",
        discussion: """
            Without options it shows who takes part. With any of them the share is made where there is none, and others \
            stay as they are. The last line on standard output is the short GUID: with it the others run \
            `zonefolder accept`. On a server of your own an address is a user's name.

                zonefolder share --invite ada@example.com --allow read-write
                zonefolder share --public read-only
                zonefolder share --remove ada@example.com
                zonefolder share --stop

            Who may change a record that you share alone may also add new ones below it, which are files anywhere in your \
            folder; no ignore rules come that way. Who may change a whole zone may change all of its files, \
            .zonefolderignore among them.

            In the folder of a zone that somebody else shares, --leave ends your part in it:

                zonefolder share --leave

            Nobody's files are deleted by --remove, --stop or --leave: they stay where they are and are no longer kept in \
            step. Whoever takes part again, with `zonefolder accept`, goes on from there.
            """)

    @Argument(
        help:
            "A record to share, or to leave, with everything whose parents lead to it. Where left out: the whole zone.")
    var record: String?

    @Option(
        help: ArgumentHelp("Somebody to invite, by address or name; may be given several times.", valueName: "address"))
    var invite: [String] = []

    @Option(help: ArgumentHelp("Somebody to take out; may be given several times.", valueName: "address"))
    var remove: [String] = []

    @Option(
        help: ArgumentHelp(
            "What those invited with this command may do: read-only (the default for new ones) or read-write.",
            valueName: "permission"))
    var allow: GivenPermission?

    @Option(
        help: ArgumentHelp(
            "What everyone may do who has the short GUID: none, read-only or read-write.", valueName: "permission"))
    var `public`: PublicPermission?

    @Flag(help: "Stop sharing.")
    var stop = false

    @Flag(help: "Take part no longer in what somebody else shares.")
    var leave = false

    @Option(help: "The zone. Where left out: the folder's zone.")
    var zone: String?

    @Option(
        help: ArgumentHelp("With --leave and --container: the zone's owner.", valueName: "user-record-name"))
    var owner: String?

    @OptionGroup var options: DatabaseOptions

    @Flag(help: "Print the protocol's JSON instead of text.")
    var json = false

    func validate() throws {
        guard allow == nil || !invite.isEmpty else { throw ValidationError("--allow goes with --invite.") }
        let isOtherChange = !invite.isEmpty || !remove.isEmpty || `public` != nil
        for address in invite where remove.contains(where: { $0.utf8.elementsEqual(address.utf8) }) {
            throw ValidationError("--invite and --remove both name \(address). Name them with one.")
        }
        guard !stop || !isOtherChange else { throw ValidationError("--stop goes with no other change.") }
        guard !leave || !isOtherChange && !stop else { throw ValidationError("--leave goes with no other change.") }
        guard owner == nil || leave else {
            throw ValidationError("--owner goes with --leave: the zones that you can share are your own.")
        }
        guard !leave else {
            guard options.database ?? .shared == .shared else {
                throw ValidationError("What somebody shares with you is in the shared database.")
            }
            guard options.container == nil || zone != nil && owner != nil else {
                throw ValidationError("With --container, --leave needs the zone's name and owner: --zone and --owner.")
            }
            return
        }
        guard options.database ?? .private == .private else {
            throw ValidationError("Only zones of one's own private database can be shared.")
        }
    }

    func run() async throws {
        var options = options
        if leave, options.container != nil { options.database = .shared }
        try await options.ask { console in leave ? try await leave(console) : try await run(console) }
    }

    private func run(_ console: DatabaseConsole) async throws {
        guard console.scope == .private else { throw CommandFailure.othersZone }
        let zoneID = console.zone(zone, owner: nil)
        guard zoneID.zoneName != ZoneID.defaultZoneName else { throw CommandFailure.defaultZoneIsNotShared }
        let existing = try await share(in: zoneID, console)
        let isChange = stop || !invite.isEmpty || !remove.isEmpty || `public` != nil
        guard isChange else { return show(existing) }
        guard existing != nil || !stop else { throw CommandFailure.notShared(record ?? zoneID.zoneName) }
        if existing == nil, let record { try await checkIsNoRules(record, zoneID, console) }
        let operation = try operation(on: existing)
        let request = RecordsModifyRequest(operations: [operation], zoneID: zoneID, atomic: false)
        let response: RecordsResponse = try await console.call(.recordsModify, request)
        try ItemFailures.check(response.records)
        guard !stop else { return StandardError.print("\(record ?? zoneID.zoneName) is shared no longer.") }
        show(response.records.successes().first)
        for address in await InvitedUsers.unknown(among: invite, to: console) {
            StandardError.print(InvitedUsers.remark(on: address, at: console.server ?? "this server"))
        }
        if let record, allow == .readWrite || `public` == .readWrite {
            StandardError.print(ShareText.addedFiles(besides: record))
        }
    }

    /// Shared alone, a file of ignore rules would hold no longer, not even for its owner.
    /// - Throws: ``CommandFailure``.
    private func checkIsNoRules(_ name: String, _ zoneID: ZoneID, _ console: DatabaseConsole) async throws {
        guard let root = try await look(name, zoneID, console), let type = root.recordType else { return }
        let path = PathMapping(fileType: type).path(
            ofFile: RecordName(name), attribute: FileRecord(fields: root.fields).path)
        guard path != .ignoreFile else { throw CommandFailure.rulesAreNotShared }
    }

    /// The share as it is now.
    private func share(in zoneID: ZoneID, _ console: DatabaseConsole) async throws -> Record? {
        guard let record else { return try await look(RecordSharing.zoneWideShareName, zoneID, console) }
        guard let root = try await look(record, zoneID, console) else { throw CommandFailure.noRecord(record) }
        return try await root.share.asyncMap { try await look($0.recordName, zoneID, console) } ?? nil
    }

    private func look(_ name: String, _ zoneID: ZoneID, _ console: DatabaseConsole) async throws -> Record? {
        let response: RecordsResponse = try await console.call(
            .recordsLookup, RecordsLookupRequest(recordNames: [name], zoneID: zoneID))
        switch response.records.first {
        case .success(let record)?: return record
        case .failure(let error)? where error.serverErrorCode == .notFound: return nil
        default:
            try ItemFailures.check(response.records)
            return nil
        }
    }

    // MARK: Leaving

    /// Who deletes a share in their shared database takes themselves out of it.
    private func leave(_ console: DatabaseConsole) async throws {
        guard console.scope == .shared else { throw CommandFailure.ownZone }
        let zoneID = console.zone(zone, owner: owner)
        let shares = try await sharesToLeave(in: zoneID, console)
        let operations = shares.map { name in
            RecordOperation(.forceDelete, Record(recordName: name, recordType: RecordSharing.recordType))
        }
        let request = RecordsModifyRequest(operations: operations, zoneID: zoneID, atomic: false)
        let response: RecordsResponse = try await console.call(.recordsModify, request)
        try ItemFailures.check(response.records)
        if record == nil { try await console.noteLeft(zoneID) }
        guard !json else { return StandardOutput.print(response.prettyJSON) }
        StandardError.print(
            "You take no part in \(record ?? zoneID.zoneName) any more. Its files stay; to take part again: zonefolder accept"
        )
    }

    /// - Throws: ``CommandFailure`` where there is none.
    private func sharesToLeave(in zoneID: ZoneID, _ console: DatabaseConsole) async throws -> [String] {
        guard record == nil else {
            guard let share = try await share(in: zoneID, console)?.recordName else {
                throw CommandFailure.notShared(record!)
            }
            return [share]
        }
        let known = try console.sharesKnown(of: zoneID)
        guard known.isEmpty else { return known }
        guard let share = try await share(in: zoneID, console)?.recordName else {
            throw CommandFailure.notShared(zoneID.zoneName)
        }
        return [share]
    }

    private func operation(on existing: Record?) throws -> RecordOperation {
        var share = Record(
            recordName: existing?.recordName ?? (record == nil ? RecordSharing.zoneWideShareName : nil),
            recordType: RecordSharing.recordType, recordChangeTag: existing?.recordChangeTag)
        if stop { return RecordOperation(.delete, share) }
        let change = ShareChange(
            invite: invite, allow: allow?.permission, remove: remove, open: `public`?.permission)
        share.sharing = try change.applied(to: existing?.sharing)
        share.sharing?.forRecord = existing == nil ? record.map { SharedRoot(recordName: $0) } : nil
        return RecordOperation(existing == nil ? .create : .update, share)
    }

    private func show(_ share: Record?) {
        guard let share else {
            return StandardError.print("\(record ?? "The zone") is not shared. To share it: zonefolder share --help")
        }
        guard !json else { return StandardOutput.print(share.prettyJSON) }
        ShareText.lines(of: share).forEach(StandardOutput.print)
        guard let guid = share.sharing?.shortGUID else { return }
        StandardOutput.print(guid)
        StandardError.print("\nFor the others, in the same container:\n  zonefolder accept \(guid)")
    }
}

extension Optional {
    fileprivate func asyncMap<Result>(_ transform: (Wrapped) async throws -> Result) async rethrows -> Result? {
        guard let self else { return nil }
        return try await transform(self)
    }
}
