import FolderControl
import SyncEngine
import SyncModel

/// Whether the product says the truth about itself.
extension World {
    /// Asks how the folder stands, as `zonefolder status` does, and checks the answer when it comes.
    func askStatus(of device: SimulatedDevice) {
        // What nobody told the product, it cannot know.
        guard let session = device.session, let life = device.life, !device.hasLostEvents else { return }
        let saved = savedWords(on: device)
        let served = servedWords()
        let number = device.number
        let daemon = StatusReport.Daemon(pid: 1, startedMilliseconds: 0)
        Task(executorPreference: executor) {
            let report = await session.currentReport(daemon: daemon, watch: { nil })
            let device = self.devices[number]
            self.trace.note("\(self.time.steady) device\(number) answers \(report.verdict)")
            guard report.verdict == .inSync, !life.isDead, !device.hasLostEvents else { return }
            self.checkInSync(device, saved: saved, served: served)
        }
    }

    /// - Parameters:
    ///   - saved: What the folder held when the question was asked.
    ///   - served: What the zone held then.
    private func checkInSync(_ device: SimulatedDevice, saved: Set<String>, served: Set<String>) {
        let nowServed = servedWords()
        let unsent = saved.filter { word in
            ledger.words[word] == .live && !served.contains(word) && !nowServed.contains(word)
                && !device.sentWords.contains(word)
        }
        // It may be gone from the folder again: into the history, by a deletion elsewhere.
        let here = savedWords(on: device)
        for word in unsent.sorted() where here.contains(word) {
            fail(.statusTruth, "device\(device.number) says that it is in sync, and \(word) is in its folder only")
        }
        let all = device.disk.files().values.reduce(into: Set<String>()) { $0.formUnion(Ledger.words(in: $1)) }
        let missed = served.intersection(nowServed).filter { ledger.words[$0] == .live && !all.contains($0) }
        if let word = missed.min(), !ignoresAnything(device) {
            fail(.statusTruth, "device\(device.number) says that it is in sync, and \(word) is in its zone only")
        }
    }

    /// The words of all files that are to be synced and are not being written to.
    private func savedWords(on device: SimulatedDevice) -> Set<String> {
        guard device.unmountedUntil == nil, !ignoresAnything(device) else { return [] }
        let resting = device.disk.act { state in
            state.tree.files(below: DiskTree.root, skipping: SimulatedDisk.stateName) { $0.writers == 0 }
        }
        return shared(resting).values.reduce(into: Set<String>()) { $0.formUnion(Ledger.words(in: $1)) }
    }

    func servedWords() -> Set<String> {
        (foreign.changes() ?? []).reduce(into: Set<String>()) { words, record in
            for text in foreign.texts(of: record).values { words.formUnion(Ledger.words(in: text)) }
        }
    }

    private func ignoresAnything(_ device: SimulatedDevice) -> Bool {
        device.disk.files()[Person.ignoreFile].map { !$0.isEmpty } ?? false
    }
}
