package import CloudKitWire
import RecordTrees
package import StateRows
import StateStorage
package import SyncModel

/// What a page of the zone's changes says, by what is known already.
extension Knowledge {
    /// A page as it is to be stored.
    package struct Page {
        /// Records that are new, changed, or to be marked by a whole listing.
        package fileprivate(set) var records: [RemoteRow] = []
        /// Records that the page names as they are known already.
        package fileprivate(set) var known: [RecordName] = []
        package fileprivate(set) var tombstones: [RecordName] = []
        package fileprivate(set) var shares: [ZoneShare] = []
        /// Records that may tell something of the schema.
        package fileprivate(set) var learnt: [Record] = []
        package let token: String?
        package let moreComing: Bool
    }

    package enum ReadPage {
        case page(Page)
        /// A record came with an error, or lacks what every record has: the page must not be consumed.
        case unusable(ItemResult<Record>)
    }

    /// Reads a page; takes nothing in.
    /// - Throws: `StateError`.
    package func read(_ answer: ZoneChanges) throws -> ReadPage {
        let trees = trees
        var page = Page(token: answer.syncToken, moreComing: answer.moreComing)
        for item in answer.records {
            guard case .success(let record) = item, let text = record.recordName else { return .unusable(item) }
            let name = RecordName(text)
            if record.deleted != true, let share = ZoneShare(learntFrom: record) { page.shares.append(share) }
            if record.deleted == true {
                page.tombstones.append(name)
            } else if record.isShare {
                continue
            } else if trees.remote[name]?.changeTag != record.recordChangeTag {
                guard let row = row(for: record) else { return .unusable(item) }
                page.records.append(row)
                page.learnt.append(record)
            } else if zoneFacts.listing {
                // Nothing new, but a listing has to mark what it names, and the links to assets are good for a while only.
                if let row = try row(for: record) ?? store.remoteRow(name) { page.records.append(row) }
            } else {
                page.known.append(name)
            }
        }
        return .page(page)
    }

    /// How many records of a page changed, and which that were known are deleted by it, before it is taken in.
    package func news(in page: Page) -> (changed: Int, deleted: [RecordName]) {
        let trees = trees
        let changed = page.records.count { trees.remote[$0.entry.name]?.changeTag != $0.entry.changeTag }
        return (changed, page.tombstones.filter { trees.remote[$0] != nil || trees.base[$0] != nil })
    }
}
