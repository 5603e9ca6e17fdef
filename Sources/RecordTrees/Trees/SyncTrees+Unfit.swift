public import SyncModel

/// Files that cannot be versions of the records that they may belong to.
extension SyncTrees {
    /// Whether a file of this form says nothing of that record, whose file it is all the same: no proof that it is gone.
    package func isMute(_ form: FileForm, of base: BaseEntry) -> Bool {
        isMute(form, ofRecordOf: base.recordType) && (isHeld(form) || remote[base.name] != nil)
    }

    /// The same for whatever record of that type is known to have the file.
    package func isMute(_ form: FileForm, ofRecordOf recordType: String?) -> Bool {
        switch form {
        case .held: true
        case .unfit: recordType.map { $0 != fileRecordType } ?? false
        case .file, .structured: false
        }
    }

    private func isHeld(_ form: FileForm) -> Bool {
        if case .held = form { true } else { false }
    }

    /// Why a file has to be held, as far as its path alone tells; `nil` where it can be synced. One that fits no structured
    /// record is held where such a record has its path, and where a person wants so and no file record has it.
    public func problem(holding entry: LocalEntry) -> Problem? {
        switch entry.form {
        case .file, .structured: nil
        case .held(let problem): problem
        case .unfit(let problem): isHeldUnfit(at: entry.path) ? problem : nil
        }
    }

    private func isHeldUnfit(at path: FolderPath) -> Bool {
        let owners = baseRecords(at: path).filter { remote[$0.name] != nil }
        if owners.contains(where: { $0.recordType != fileRecordType }) { return true }
        if !owners.isEmpty { return false }
        let newcomer = claims.claimants(of: path).first { self.path(of: $0) == path }.flatMap { remote[$0]?.recordType }
        return newcomer.map { $0 != fileRecordType } ?? holdsUnfitFiles
    }

    /// The files that are carried although they fit no record where they lie, with the reasons; those that are held or are
    /// assets of other files are not among them.
    public var carriedUnfitFiles: [(path: FolderPath, problem: Problem)] {
        unfitFiles.sorted().compactMap { path in
            guard let entry = local[path], case .unfit(let problem) = entry.form, self.problem(holding: entry) == nil,
                !isAttached(path)
            else { return nil }
            return (path, problem)
        }
    }
}
