import FolderControl
import FolderSettings
import StateRows
import StateStorage
import SyncEngine
import SyncModel
import SyncService

/// What the state's file holds, and whether it is sound.
struct StateFacts: Hashable, Sendable {
    /// Why it cannot be used.
    struct Failure: Hashable, Sendable {
        var code: StateError.Code
        var message: String
    }

    /// `nil`: it is sound, and of this version.
    var failure: Failure?
    /// Whom the folder belongs to.
    var account: String?
    /// Record types without the reserved field `zonefolder`; `nil` where nothing was learnt yet.
    var typesWithoutHints: [String]?
    /// Held files, by the code of their problem.
    var held: [String: Int] = [:]
    var conflicts = 0

    /// What `status` shows in full.
    var findings: [Finding] { [stateFinding] + (failure == nil ? [schemaFinding, filesFinding] : []) }

    private var stateFinding: Finding {
        guard let failure else { return Finding(.state, .ok, "The state is sound, and of this version.") }
        let level: Finding.Level = failure.code == .missing ? .degraded : .problem
        return Finding(
            .state, level, failure.message, anonymous: "The state cannot be used: \(failure.code).")
    }

    private var schemaFinding: Finding {
        let missing = held["schemaMissing"] ?? 0
        if missing > 0 {
            return Finding(
                .schema, .problem,
                "The container's schema lacks what \(Amounts.count(missing, "file needs", "files need")).",
                remedy: "zonefolder status names each field, and how to add it")
        }
        guard let typesWithoutHints else {
            return Finding(.schema, .ok, "Nothing of the container's schema was learnt yet.")
        }
        guard typesWithoutHints.isEmpty else {
            let count = Amounts.count(typesWithoutHints.count, "record type lacks", "record types lack")
            return Finding(
                .schema, .degraded,
                "\(count) the reserved field 'zonefolder': \(typesWithoutHints.joined(separator: ", ")). What CloudKit has no "
                    + "type for cannot be kept there.",
                remedy: "Add the lines that `zonefolder schema template TYPE` prints to the container's schema.",
                anonymous: "\(count) the reserved field 'zonefolder'.")
        }
        return Finding(.schema, .ok, "No field that was needed is missing.")
    }

    private var filesFinding: Finding {
        let codes = held.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        let parts = codes + (conflicts > 0 ? ["conflicts \(conflicts)"] : [])
        guard !parts.isEmpty else {
            return Finding(.files, .ok, "No file waits for a person, and there is no conflict.")
        }
        return Finding(
            .files, .problem, "Files wait for a person: \(parts.joined(separator: ", ")).",
            remedy: "zonefolder status tells which, why, and what to do")
    }
}

extension StateFacts {
    /// Reads the file through, which takes seconds for a large one, and leaves no trace of that.
    /// - Parameter report: What the daemon told; `nil` where none answers.
    init(of directory: StateDirectory, _ report: StatusReport?) {
        do {
            let facts = try StateStore.look(at: directory) { store in
                try store.verify()
                return try store.facts()
            }
            account = facts.account
            typesWithoutHints = LearntSchema.typesWithoutHints(facts)
            let report = try report ?? StatusReport.stopped(folder: directory.folder)
            for held in report.held {
                let code = Problem.Code(rawValue: held.code)
                guard !Problem(code, message: held.message, remedy: held.remedy).isRemark else { continue }
                self.held[held.code, default: 0] += 1
            }
            conflicts = report.conflicts.count
        } catch let error as StateError {
            failure = Failure(code: error.code, message: error.message)
        } catch {
            failure = Failure(code: .io, message: "\(error)")
        }
    }
}
