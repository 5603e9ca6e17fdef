import SyncModel

/// What the folders hold, for whoever reads the whole trace.
extension World {
    /// Tells of each file that is not as it was told of last: a trace says what was done, and this what came of it.
    func remarkFolders() {
        guard trace.limit == nil else { return }
        for device in devices {
            let files = device.disk.files()
            let told = toldFolders.updateValue(files, forKey: device.number) ?? [:]
            for path in Set(files.keys).union(told.keys).sorted() where files[path] != told[path] {
                let text = files[path].map { "holds \(String(decoding: $0, as: UTF8.self))" } ?? "is gone"
                trace.remark("\(time.steady) device\(device.number) \(path) \(text)")
            }
        }
    }
}
