import CloudKitWire
import GRDB
import SeededRandomness
import Testing

@testable import CloudKitServer

/// The protocol's record; GRDB has a class of the same name.
private typealias Record = CloudKitWire.Record

/// One owner whose zone holds a forest of records, and people with whom parts of it are shared and unshared.
private final class ForestWorld {
    let store: RecordStore
    let owner: Caller
    var people: [Person] = []
    var random: SeededGenerator
    let zone = ZoneID(zoneName: "Forest")
    let names = (0..<10).map { "n\($0)" }

    /// Somebody with a copy of what the feed of the shared database told.
    struct Person {
        var caller: Caller
        var databaseToken: String?
        var zoneToken: String?
        var hasZone = false
        var known: [String: Record] = [:]
    }

    init(seed: UInt64) throws {
        random = SeededGenerator(seed: seed)
        let store = try RecordStore(writer: DatabaseQueue(), surroundings: ManualClock(seed: seed).surroundings)
        self.store = store
        func caller(_ name: String, _ scope: DatabaseScope) throws -> Caller {
            let user = try store.addUser(name: name, container: "iCloud.example", environment: "development")
            return try store.caller(
                userRecordName: user.userRecordName, container: "iCloud.example", environment: "development",
                scope: scope)!
        }
        owner = try caller("ada", .private)
        people = [
            Person(caller: try caller("bob@example.com", .shared)), Person(caller: try caller("cleo", .shared)),
        ]
        _ = try store.modifyZones(ZonesModifyRequest(operations: [ZoneOperation(.create, zone)]), as: owner)
    }

    var sharedZone: ZoneID { ZoneID(zoneName: zone.zoneName, ownerRecordName: owner.userRecordName) }

    func pick<Element>(_ elements: [Element]) -> Element? { elements.randomElement(using: &random) }

    /// Everything in the owner's zone, as its feed tells it.
    func truth() throws -> [String: Record] {
        var records: [String: Record] = [:]
        let query = ZoneChangesQuery(zoneID: zone, syncToken: nil, resultsLimit: 200)
        let zones = try store.zoneChanges(ZoneChangesRequest(zones: [query]), as: owner).zones
        guard case .success(let page) = zones[0] else { return records }
        for case .success(let record) in page.records where record.deleted != true {
            records[record.recordName!] = record
        }
        return records
    }

    /// One thing that somebody does, and may be refused.
    func step() throws {
        let records = try truth()
        let plain = records.values.filter { $0.recordType == "Note" }.map { $0.recordName! }.sorted()
        let shares = records.values.filter { $0.recordType == RecordSharing.recordType }.sorted {
            $0.recordName! < $1.recordName!
        }
        switch Int.random(in: 0..<14, using: &random) {
        case 0..<4:
            var record = Record(recordName: pick(names)!, recordType: "Note")
            record.parent = Bool.random(using: &random) ? pick(plain) : nil
            modify(RecordOperation(.forceUpdate, record), as: owner)
        case 4..<6:
            var record = Record(recordName: pick(names)!, recordType: "Note")
            record.parent = pick(plain)
            modify(RecordOperation(.forceReplace, record), as: owner)
        case 6: modify(RecordOperation(.forceDelete, Record(recordName: pick(names)!)), as: owner)
        case 7:
            var record = Record(recordName: "share\(Int.random(in: 0..<3, using: &random))")
            record.recordType = RecordSharing.recordType
            record.sharing = RecordSharing()
            record.sharing?.forRecord = pick(plain).map { SharedRoot(recordName: $0) }
            record.sharing?.publicPermission = pick([SharePermission.readOnly, .readWrite])
            modify(RecordOperation(.create, record), as: owner)
        case 8:
            var record = Record(
                recordName: RecordSharing.zoneWideShareName, recordType: RecordSharing.recordType)
            record.sharing = RecordSharing()
            record.sharing?.publicPermission = .readWrite
            modify(RecordOperation(.create, record), as: owner)
        case 9:
            if let share = pick(shares) { modify(RecordOperation(.forceDelete, share), as: owner) }
        case 10..<12:
            guard let guid = pick(shares)?.sharing?.shortGUID, var caller = pick(people)?.caller else { return }
            caller.scope = .public
            _ = try store.acceptShares(SharesRequest(shortGUIDs: [ShortGUID(guid)]), as: caller)
        case 12:
            guard let share = pick(shares), let caller = pick(people)?.caller else { return }
            modify(RecordOperation(.forceDelete, Record(recordName: share.recordName)), as: caller)
        default:
            guard let caller = pick(people)?.caller else { return }
            var record = Record(recordName: pick(names)!, recordType: "Note")
            record.parent = pick(plain)
            modify(RecordOperation(pick([.forceUpdate, .forceReplace, .forceDelete])!, record), as: caller)
        }
    }

    private func modify(_ operation: RecordOperation, as caller: Caller) {
        let zone = caller.scope == .shared ? sharedZone : zone
        _ = try? store.modify(RecordsModifyRequest(operations: [operation], zoneID: zone), as: caller)
    }

    /// What somebody ought to see, worked out from the owner's records and the shares' participants alone.
    func visible(to caller: Caller) throws -> [String: Record] {
        let records = try truth()
        let own = records.values.filter { record in
            record.sharing?.participants?.contains {
                $0.userRecordName == caller.userRecordName && $0.acceptance == .accepted
            } ?? false
        }
        if own.contains(where: { $0.recordName == RecordSharing.zoneWideShareName }) { return records }
        let roots = Set(own.compactMap { $0.sharing?.forRecord?.recordName })
        let shares = Set(own.map { $0.recordName! })
        return records.filter { name, record in
            var next: String? = name
            while let current = next, let living = records[current] {
                if roots.contains(current) { return true }
                next = living.parent
            }
            return shares.contains(name)
        }
    }

    /// Follows the feeds of somebody's shared database from where they were.
    func follow(_ person: inout Person, pageLimit: Int) throws {
        var isChanged = false
        while true {
            let page = try store.databaseChanges(
                DatabaseChangesRequest(syncToken: person.databaseToken), as: person.caller)
            for zone in page.zones {
                isChanged = true
                person.hasZone = zone.deleted != true
                if zone.deleted == true { (person.zoneToken, person.known) = (nil, [:]) }
            }
            person.databaseToken = page.syncToken
            if !page.moreComing { break }
        }
        guard isChanged, person.hasZone else { return }
        while true {
            let query = ZoneChangesQuery(
                zoneID: sharedZone, syncToken: person.zoneToken, resultsLimit: pageLimit)
            switch try store.zoneChanges(ZoneChangesRequest(zones: [query]), as: person.caller).zones[0] {
            case .failure(let error):
                // Something went out of sight: from the beginning.
                #expect(error.reason == "Unknown sync continuation type")
                try #require(person.zoneToken != nil)
                (person.zoneToken, person.known) = (nil, [:])
            case .success(let page):
                for case .success(let record) in page.records {
                    person.known[record.recordName!] = record.deleted == true ? nil : record
                }
                person.zoneToken = page.syncToken
                if !page.moreComing { return }
            }
        }
    }
}

@Suite("The feeds of the shared database")
struct SharedFeedTests {
    @Test(
        "Whoever follows them knows exactly what is shared with them, whatever is moved, shared, left and deleted",
        arguments: 0..<UInt64(24))
    func feedIsTheTruth(seed: UInt64) throws {
        let world = try ForestWorld(seed: seed)
        for step in 0..<80 {
            try world.step()
            for index in world.people.indices where Bool.random(using: &world.random) || step == 79 {
                let caller = world.people[index].caller
                let limit = Int.random(in: 1...5, using: &world.random)
                try world.follow(&world.people[index], pageLimit: limit)
                let expected = try world.visible(to: caller)
                let known = world.people[index].known
                let place = "seed \(seed), step \(step), person \(index)"
                try #require(known.keys.sorted() == expected.keys.sorted(), "\(place)")
                for (name, record) in expected {
                    #expect(known[name]?.recordChangeTag == record.recordChangeTag, "\(place): \(name)")
                    // What is above a root stays with its owner.
                    let parent = record.share == nil ? record.parent : nil
                    #expect(known[name]?.parent == parent, "\(place): \(name)")
                }
                try check(world, caller, sees: expected, place)
            }
        }
    }

    /// Lookups and queries tell the same.
    private func check(
        _ world: ForestWorld, _ caller: Caller, sees expected: [String: CloudKitWire.Record], _ place: String
    ) throws {
        guard !expected.isEmpty else {
            #expect(throws: ErrorDictionary.self) {
                try world.store.lookup(
                    RecordsLookupRequest(recordNames: world.names, zoneID: world.sharedZone), as: caller)
            }
            return
        }
        let found = try world.store.lookup(
            RecordsLookupRequest(recordNames: world.names, zoneID: world.sharedZone), as: caller)
        let names = found.records.compactMap { if case .success(let record) = $0 { record.recordName } else { nil } }
        let notes = expected.values.filter { $0.recordType == "Note" }.map { $0.recordName! }.sorted()
        #expect(names == notes, "\(place)")
    }
}
