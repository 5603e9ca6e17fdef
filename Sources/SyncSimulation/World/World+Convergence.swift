import FolderControl
import LosslessJSON
import SyncEngine
import SyncModel

/// Whether all devices become equal.
extension World {
    /// What of a folder has to be the same everywhere.
    private func shared(_ device: SimulatedDevice) -> [FolderPath: [UInt8]] {
        shared(device.disk.files())
    }

    func shared(_ files: [FolderPath: [UInt8]]) -> [FolderPath: [UInt8]] {
        var shared: [FolderPath: [UInt8]] = [:]
        for (path, bytes) in files {
            let name = String(decoding: path.leaf, as: UTF8.self)
            guard !path.isConflictCopy, !path.isReserved, !name.hasSuffix("~"), !name.hasPrefix(".goutputstream") else {
                continue
            }
            shared[path] = isLayoutFree ? Self.values(bytes, at: path) : bytes
        }
        return shared
    }

    /// The members of a JSON file in the order of their keys; any other file as it is.
    private static func values(_ bytes: [UInt8], at path: FolderPath) -> [UInt8] {
        guard path.isJSON, let document = try? JSONDocument(parsing: bytes) else { return bytes }
        var members = document.root.members.filter { $0.key != AttachedFile.field }
            .map { "\($0.key): \(String(decoding: $0.value.text, as: UTF8.self))" }
        // An asset may be named in two ways.
        if let attached = AttachedFile.path(in: bytes, at: path) { members.append("attached: \(attached)") }
        return Array(members.sorted().joined(separator: "\n").utf8)
    }

    /// Which of the files that have to be the same everywhere can be executed; a structured file has no such mark, and
    /// what it names neither.
    func executables(_ device: SimulatedDevice) -> Set<FolderPath> {
        let attached = device.disk.files().filter { !$0.key.isConflictCopy }
            .compactMap { AttachedFile.path(in: $1, at: $0) }
        return Set(shared(device.disk.executables()).keys.filter { !$0.isJSON }).subtracting(attached)
    }

    var isEqualEverywhere: Bool {
        let first = (shared(devices[0]), executables(devices[0]))
        return devices.dropFirst().allSatisfy { (shared($0), executables($0)) == first }
    }

    func checkConvergence() {
        let first = shared(devices[0])
        for device in devices.dropFirst() {
            if let difference = Self.difference(first, shared(device)) {
                return fail(
                    .convergence, "device0 and device\(device.number) do not become equal: \(difference)\(standings())")
            }
        }
        for device in devices.dropFirst() {
            guard let path = executables(devices[0]).symmetricDifference(executables(device)).min() else { continue }
            return fail(
                .convergence, "\(path) can be executed on one of device0 and device\(device.number)\(standings())")
        }
        for device in devices {
            guard let session = device.session,
                let report = ask({ try? await session.report(daemon: nil, watch: nil) }) ?? nil
            else { return fail(.convergence, "device\(device.number) does not run") }
            guard [.inSync, .attention].contains(report.verdict) else {
                return fail(
                    .convergence, "device\(device.number) never comes to rest: \(report.verdict), \(report.reason)")
            }
        }
    }

    /// How every device sees itself, for the message.
    private func standings() -> String {
        devices.map { device in
            guard let session = device.session,
                let report = ask({ try? await session.report(daemon: nil, watch: nil) }) ?? nil
            else { return "; device\(device.number) does not run" }
            let held = report.held.map { "\($0)" }.joined(separator: ", ")
            return "; device\(device.number) says \(report.verdict): \(report.reason) [\(held)]"
        }.joined()
    }

    static func difference(_ first: [FolderPath: [UInt8]], _ second: [FolderPath: [UInt8]]) -> String? {
        for path in Set(first.keys).union(second.keys).sorted() where first[path] != second[path] {
            let texts = [first[path], second[path]].map { bytes in
                bytes.map { String(decoding: $0, as: UTF8.self).replacing("\n", with: "|") }
                    ?? "none"
            }
            return "\(path) is \(texts[0]) and \(texts[1])"
        }
        return nil
    }

    /// A device that comes new sees the same: what all have is what the server has.
    func checkWitness() {
        guard violation == nil else { return }
        let before = shared(devices[0])
        do { try addDevice() } catch { return fail(.convergence, "A new device cannot be set up: \(error)") }
        let witness = devices[devices.count - 1]
        for _ in 0..<20 where violation == nil {
            run(until: time.steady + .seconds(65))
            if isSettled(witness), shared(witness) == before { break }
        }
        if let difference = Self.difference(before, shared(witness)) {
            fail(.convergence, "A new device sees something else than the others: \(difference)\(standings())")
        } else if let difference = Self.difference(before, shared(devices[0])) {
            fail(.convergence, "A new device changed the others: \(difference)")
        }
    }
}

extension FolderPath {
    var isConflictCopy: Bool { String(decoding: leaf, as: UTF8.self).contains(".conflict-") }
}
