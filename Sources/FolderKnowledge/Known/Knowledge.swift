package import FolderSettings
package import RecordMapping
package import RecordPaths
package import RecordTrees
package import StateRows
package import StateStorage
package import SyncModel
package import SyncPlanning

/// What is known of one folder and its zone: the three trees, and what besides them tells what is to be done.
///
/// It is the one place that changes them. Each change is a transaction of the state store first, and is taken into memory
/// once that is done: what could not be stored is not known, and a start reads the same again. Nothing is decided here, and nothing
/// is asked of the folder or of the zone.
///
/// For one task at a time.
package final class Knowledge {
    package let configuration: FolderConfiguration
    package let paths: PathMapping
    let store: StateStore
    let zone: ZoneKey
    private let declared: ZoneSchema
    private let memory: any RowMemory

    package internal(set) var trees: SyncTrees
    /// What is known of the fields of the zone's record types.
    package internal(set) var schema: ZoneSchema
    package internal(set) var facts: FolderFacts
    package internal(set) var zoneFacts: ZoneFacts
    /// Who may write to the zone, where it is somebody else's.
    package internal(set) var sharing: ZoneSharing
    /// Files that refer to a record that is not there.
    package internal(set) var lackingTarget: Set<FolderPath> = []
    var unanswered: UnansweredSaves

    /// Knows what the store says of the folder as a whole; the rows come with ``load(filesAreThere:)``.
    /// - Parameters:
    ///   - declared: The types of fields as the schema file declares them that the configuration names.
    ///   - memory: Where the rows of the trees are.
    /// - Throws: `StateError`.
    package init(
        _ configuration: FolderConfiguration, declared: ZoneSchema, in store: StateStore, memory: any RowMemory
    ) throws {
        self.configuration = configuration
        self.store = store
        self.declared = declared
        self.memory = memory
        paths = PathMapping(fileType: configuration.fileRecordType)
        zone = ZoneKey(name: configuration.zone, owner: configuration.owner)
        facts = try store.facts()
        zoneFacts = try store.zone(zone)
        sharing = ZoneSharing(try store.shares())
        schema = facts.schema.flatMap { ZoneSchema(stored: $0) } ?? ZoneSchema()
        schema.declared = declared.types
        trees = SyncTrees(of: configuration, in: memory)
        unanswered = UnansweredSaves(stored: try store.sentVersions())
    }

    /// The record type of files that are not structured.
    package var fileType: String { paths.fileType }

    /// Whether the zone is somebody else's, who shares it.
    package var isShared: Bool { configuration.database == .shared }

    /// Whether the zone's owner lets the account look, and change nothing.
    package var isReadOnly: Bool { isShared && sharing.isReadOnly }

    /// Whether the folder's ignore rules are of this device alone.
    package var keepsRulesHere: Bool { RulesTrust.staysHere(isOthers: isShared, sharing) }

    /// Whether what is to be sent stays here for now: the zone is lost, or nothing in it may be changed.
    package var isSendingHeld: Bool { zoneFacts.loss != nil || isReadOnly }

    /// Whether a person is asked to let this folder fill the zone.
    package var isZoneInQuestion: Bool { zoneFacts.loss == .replaced || zoneFacts.loss == .reconfigured }

    /// Whether a person wants no syncing at a moment.
    /// - Parameter milliseconds: Since 1970.
    package func isPaused(at milliseconds: Int64) -> Bool { facts.pause?.isInForce(at: milliseconds) ?? false }

    /// Reads the rows.
    /// - Parameter filesAreThere: Called as soon as the folder's files are known, while the rest is still read.
    /// - Throws: `StateError`.
    package func load(filesAreThere: @Sendable (LocalTree) -> Void) throws -> Unfinished {
        let (rows, provenance) = (StartingRows(store), try store.provenance())
        try trees.load(rows, provenance: provenance, onFiles: filesAreThere)
        lackingTarget = rows.notes.lackingTarget
        try store.commitOutcomes(rows.notes.reserved.map { Outcome(base: .removed($0)) })
        try setAsideRules()
        trees.findFilesOfAssets()
        return Unfinished(
            unsettled: rows.notes.unsettled, arrived: provenance.filter { $0.value.arrived != nil }.keys.sorted())
    }

    /// What was under way when the state was last stored.
    package struct Unfinished {
        /// Files whose times could not tell a further write when they were last read.
        package let unsettled: Set<FolderPath>
        /// Files that came with a record while others name them too, in the order of their paths.
        package let arrived: [FolderPath]
    }

    /// Takes over that the store has forgotten all that was known of another zone.
    func forgetAll() throws {
        try readFacts()
        sharing = ZoneSharing()
        schema = ZoneSchema()
        schema.declared = declared.types
        trees = SyncTrees(of: configuration, in: memory)
        lackingTarget = []
        unanswered = UnansweredSaves()
    }

    // MARK: Facts

    /// Changes what is stored of the folder as a whole.
    package func updateFacts(_ change: (inout FolderFacts) -> Void) throws {
        facts = try store.updateFacts(change)
    }

    func readFacts() throws {
        facts = try store.facts()
        zoneFacts = try store.zone(zone)
    }

    // MARK: Planning

    /// What is to be done, by what is known now.
    package func plan(_ planner: Planner) -> Plan { planner.plan(&trees) }

    /// Has everything planned anew.
    package func markAll() { trees.markAllDirty() }

    /// Has a record planned anew.
    package func mark(_ name: RecordName) { trees.markDirty(record: name) }

    /// Has a path planned anew.
    package func mark(_ path: FolderPath) { trees.markDirty(path: path) }
}

extension SyncTrees {
    /// Trees of a folder of which nothing is known.
    package init(of configuration: FolderConfiguration, in memory: any RowMemory = ProcessMemory()) {
        self.init(
            fileRecordType: configuration.fileRecordType, holdsUnfitFiles: configuration.unfitFiles == .hold,
            memory: memory
        ) { path, name, attempt in
            PathMapping.displaced(path, recordName: name, attempt: attempt)
        }
    }
}
