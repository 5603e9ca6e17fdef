import CloudKitWire
import StateRows
import StateStorage
import SyncModel

/// Whether what a device has stored is true.
extension World {
    /// Checks a device's database as its next start will find it.
    func checkState(of device: SimulatedDevice) {
        guard violation == nil, let image = device.medium.image, let served = foreign.changes() else { return }
        do {
            let store = try StateStore(on: FrozenMedium(image: image))
            let facts = try store.zone(ZoneKey(name: Self.zone))
            let trees = try store.loadTrees()
            checkToken(facts, trees, served, device)
            checkBase(trees, served, device)
        } catch {
            fail(.tokenHonesty, "device\(device.number)'s state cannot be read: \(error)")
        }
    }

    /// Whether a device has stored whose folder it is.
    func knowsAccount(_ device: SimulatedDevice) -> Bool {
        guard let image = device.medium.image, let store = try? StateStore(on: FrozenMedium(image: image)) else {
            return false
        }
        return (try? store.facts().account) != nil
    }

    /// The rows and what the feed says after the token are all that the server has.
    private func checkToken(
        _ facts: ZoneFacts, _ trees: StoredTrees, _ served: [Record], _ device: SimulatedDevice
    ) {
        // A token of a zone that is gone covers nothing.
        guard let token = facts.token, let later = foreign.changes(since: token) else { return }
        let known = Dictionary(uniqueKeysWithValues: trees.remote.map { ($0.name.rawValue, $0.changeTag) })
        let stillToCome = Set(later.compactMap(\.recordName))
        for record in served where record.deleted != true {
            guard let name = record.recordName, !stillToCome.contains(name) else { continue }
            if known[name] != record.recordChangeTag {
                fail(
                    .tokenHonesty,
                    "device\(device.number) has a token that covers \(name) at \(record.recordChangeTag ?? "none"), "
                        + "but knows it at \(known[name] ?? "none")")
            }
        }
    }

    /// What both sides are said to have agreed on at the server's tag are the server's bytes.
    private func checkBase(_ trees: StoredTrees, _ served: [Record], _ device: SimulatedDevice) {
        let records = Dictionary(served.compactMap { record in record.recordName.map { ($0, record) } }) { $1 }
        for base in trees.base {
            guard let record = records[base.name.rawValue], record.recordChangeTag == base.changeTag else { continue }
            var isHonest = true
            if base.recordType == "File", case .string(let hash)? = record.fields["sha256"]?.value {
                isHonest = hash == base.hash.hex
            }
            for agreed in base.assets where base.recordType != "File" {
                guard case .asset(let asset)? = record.fields[agreed.field]?.value else {
                    isHonest = false
                    continue
                }
                if asset.fileChecksum != agreed.checksum { isHonest = false }
            }
            if !isHonest {
                fail(
                    .baseHonesty, "device\(device.number) takes other bytes of \(base.name) for agreed than the server")
            }
        }
    }
}

/// A database to look at.
private struct FrozenMedium: StateMedium {
    var image: [UInt8]?

    func willCommit() throws {}
    func didCommit(isDurable: Bool, image: () -> [UInt8]) {}
}
