public import FolderSettings
import GRDB
import StateDatabase
public import StateRows
public import SyncModel

extension StateStore {
    /// All three trees, as they were at one moment.
    public func loadTrees() throws(StateError) -> StoredTrees {
        try read { db in
            var trees = StoredTrees(
                provenance: try ProvenanceTable.all(db), tombstones: try RemoteTable.tombstones(db),
                sent: try SentTable.all(db))
            try LocalTable.each(db) { trees.local.append($0) }
            try RemoteTable.each(db) { trees.remote.append($0) }
            try BaseTable.each(db) { trees.base.append($0) }
            return trees
        }
    }

    // MARK: A start reads row by row

    /// The files as last seen, in the order of their paths.
    public func eachFile(_ take: (LocalEntry) -> Void) throws(StateError) {
        try readAside { db in try LocalTable.each(db, take) }
    }

    /// The records of the zone, in no order.
    public func eachRecord(_ take: (RemoteEntry) -> Void) throws(StateError) {
        try readAside { db in try RemoteTable.each(db, take) }
    }

    /// What both sides last agreed on, in no order.
    public func eachAgreed(_ take: (BaseEntry) -> Void) throws(StateError) {
        try readAside { db in try BaseTable.each(db, take) }
    }

    /// What happened to files that no tree tells, where anything did.
    public func provenance() throws(StateError) -> [FolderPath: Provenance] {
        try read(ProvenanceTable.all)
    }

    /// What went out without a stored answer, for each record in the order of sending.
    public func sentVersions() throws(StateError) -> [SentVersion] {
        try read(SentTable.all)
    }

    // MARK: Questions that are answered without the trees

    /// How many records the zone has as far as known.
    public func recordCount() throws(StateError) -> Int {
        try read(RemoteTable.count)
    }

    /// The files that fit no structured record and that none names as its asset, in the order of their paths. Where there are
    /// some, all files are read.
    public func unfitFiles() throws(StateError) -> [(path: FolderPath, problem: Problem)] {
        try read { db in
            let unfit = try LocalTable.unfit(db)
            guard !unfit.isEmpty else { return [] }
            let attached = try LocalTable.attached(db)
            return unfit.filter { !attached.contains($0.path) }
        }
    }

    // MARK: Memory

    /// Gives back the memory of pages that were read or written and are kept for the next time; it is up to 8 MB. On the disk the
    /// log, which is up to 34 MB, is folded in, so that it begins anew, and short, with the next transaction that writes.
    public func releaseMemory() {
        queue.releaseMemory()
        // It waits for nobody: what is being read meanwhile is folded in after the next work.
        queue.writeWithoutTransaction { db in files?.foldIn(db) }
    }

    // MARK: Writing

    /// Takes over what a scan saw: files as they are, and files that are gone.
    public func commitLocal(upserts: [LocalEntry], removals: [FolderPath] = []) throws(StateError) {
        try write(.ordered) { db in
            try LocalTable.remove(removals, db)
            try LocalTable.put(upserts, db)
        }
    }

    /// Remembers versions that are about to be sent, until an outcome settles what both sides agree on.
    ///
    /// When the call returns, they survive a loss of power: only then may a request go out.
    public func noteSent(_ versions: [SentVersion]) throws(StateError) {
        guard !versions.isEmpty else { return }
        try write(.durable) { db in
            for version in versions {
                try SentTable.put(version, db)
                try SentTable.trim(version.entry.name, to: Self.keptSentVersions, db)
            }
        }
    }

    /// Forgets a version that the server refused.
    public func forgetSent(_ name: RecordName, hash: ContentHash) throws(StateError) {
        try write(.ordered) { db in try SentTable.remove(name, hash: hash, db) }
    }

    /// Of one record: more are under way only if answer after answer was lost.
    public static let keptSentVersions = 4

    /// Remembers the versions that are about to be written into the folder, in place of those before: durably, since a rename in the
    /// folder may survive a loss of power without it, and would be a person's.
    public func noteWritten(_ versions: [WrittenVersion]) throws(StateError) {
        try write(.durable) { db in
            try WrittenTable.removeAll(db)
            try WrittenTable.put(versions, db)
        }
    }

    /// What was about to be written when the last process ended, or what it wrote could not be stored.
    public func writtenVersions() throws(StateError) -> [WrittenVersion] { try read(WrittenTable.all) }

    /// Forgets what was about to be written: it is stored what became of it.
    public func forgetWritten() throws(StateError) { try write(.ordered) { db in try WrittenTable.removeAll(db) } }

    /// Notes how records stand, such as that their files count as edited whatever their bytes, until they are agreed on anew.
    public func note(_ standings: [RecordName: BaseEntry.Standing]) throws(StateError) {
        try write(.ordered) { db in try BaseTable.note(standings, db) }
    }

    /// Takes over what happened to files that no tree tells, and which files records have since: another record may have one
    /// now, or one was touched. Nothing is agreed on by that.
    ///
    /// When the call returns, what happened survives a loss of power: what is remembered for too long decides as well.
    public func note(
        _ provenance: [FolderPath: Provenance] = [:], files entries: [BaseEntry] = []
    ) throws(StateError) {
        guard !provenance.isEmpty || !entries.isEmpty else { return }
        try write(provenance.isEmpty ? .ordered : .durable) { db in
            try ProvenanceTable.put(provenance, db)
            try BaseTable.noteFiles(entries, db)
        }
    }

    /// Takes over what finished actions made true, all of them or none.
    ///
    /// When the call returns, they survive a loss of power.
    /// - Parameters:
    ///   - provenance: What changed of it with them.
    ///   - pushed: When the server accepted them, in milliseconds since 1970, where it did.
    public func commitOutcomes(
        _ outcomes: [Outcome], provenance: [FolderPath: Provenance] = [:], pushed: Int64? = nil
    ) throws(StateError) {
        guard !outcomes.isEmpty else { return }
        try write(.durable) { db in
            let listing = try ZoneTable.latestListing(db)
            for outcome in outcomes {
                if let keeping = outcome.keeping, let name = outcome.base.name {
                    try VersionTable.keep(name, keeping, db)
                }
                switch outcome.remote {
                case .unchanged, .recognized: break
                case .saved(let row): try RemoteTable.put([row], listing: listing, confirmed: false, db)
                case .deleted(let name): try RemoteTable.bury([name], db)
                }
                switch outcome.base {
                case .unchanged: break
                case .agreed(let entry, let document):
                    try BaseTable.put(entry, document: document, db)
                    try SentTable.remove(entry.name, db)
                case .partial(let name): try BaseTable.notePartial(name, db)
                case .removed(let name):
                    try BaseTable.remove(name, db)
                    try SentTable.remove(name, db)
                }
                try LocalTable.remove(outcome.removedLocal, db)
                try LocalTable.put(outcome.local, db)
            }
            try ProvenanceTable.put(provenance, db)
            try JournalTable.append(outcomes.compactMap(\.change), keeping: Self.keptChanges, db)
            if let pushed { try FolderTable.update(db) { $0.pushedMilliseconds = pushed } }
        }
    }

    /// The whole record dictionary as last fetched, JSON; `nil` for a record that the remote tree lacks.
    public func remoteRecord(_ name: RecordName) throws(StateError) -> [UInt8]? {
        try read { db in try RemoteTable.record(name, db) }
    }

    /// A record with all its columns.
    public func remoteRow(_ name: RecordName) throws(StateError) -> RemoteRow? {
        try read { db in try RemoteTable.row(name, db) }
    }

    /// The record dictionaries, as JSON, of those that may keep others from being deleted: with a VALIDATE reference somewhere
    /// in them, or a parent. Of all records it reads the whole zone.
    /// - Parameter names: The records to look at; `nil` for all.
    public func recordsThatMayKeepOthers(
        _ names: [RecordName]?
    ) throws(StateError) -> [(name: RecordName, record: [UInt8])] {
        try read { db in try RemoteTable.keepers(names, db) }
    }

    /// The record dictionaries, as JSON, of those that may refer to others: with a reference somewhere in them. Reads the whole
    /// zone.
    public func recordsThatMayRefer() throws(StateError) -> [(name: RecordName, record: [UInt8])] {
        try read { db in try RemoteTable.referrers(db) }
    }

    /// The JSON text on which both sides last agreed; `nil` for file records and unknown ones.
    public func baseDocument(_ name: RecordName) throws(StateError) -> [UInt8]? {
        try read { db in try BaseTable.document(name, db) }
    }
}
