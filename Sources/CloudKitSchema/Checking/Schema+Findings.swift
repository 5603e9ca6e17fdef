/// Something wrong, at a thing of the schema.
struct SchemaFinding: Hashable {
    var place: SchemaPlace
    var message: String
}

extension Schema {
    /// What is wrong with the schema, a sentence each; empty where it is sound.
    public var problems: [SchemaProblem] { findings.map { SchemaProblem($0.message) } }

    /// - Throws: ``SchemaError`` `invalid`.
    public func check() throws(SchemaError) {
        let problems = problems
        guard problems.isEmpty else { throw SchemaError(.invalid, problems) }
    }

    var findings: [SchemaFinding] {
        var findings: [SchemaFinding] = []
        var seenRoles: Set<String> = []
        for (index, role) in roles.enumerated() {
            for message in problems(ofRole: role, isNew: seenRoles.insert(role).inserted) {
                findings.append(SchemaFinding(place: .role(index), message: message))
            }
        }
        var seenTypes: Set<String> = []
        for (index, type) in recordTypes.enumerated() {
            if let message = Self.problem(ofName: type.name, "record type") {
                findings.append(SchemaFinding(place: .recordType(index), message: message))
            }
            if !seenTypes.insert(type.name).inserted {
                findings.append(
                    SchemaFinding(place: .recordType(index), message: "The record type \(type.name) is there twice."))
            }
            findings += type.findings(index, roles: seenRoles.union(Role.system))
        }
        return findings
    }

    private func problems(ofRole role: String, isNew: Bool) -> [String] {
        if Role.system.contains(role) { return ["The role \(role) exists in every container and is not made."] }
        return [Self.problem(ofName: role, "role"), isNew ? nil : "The role \(role) is there twice."].compactMap(\.self)
    }

    static func problem(ofName name: String, _ what: String) -> String? {
        if SchemaName.isLegal(name) { return nil }
        return name.utf8.count > SchemaName.longest
            ? "The \(what) \(name.prefix(20))… has a name of \(name.utf8.count) bytes; the limit is \(SchemaName.longest)."
            : "\"\(name)\" cannot be the name of a \(what): it must begin with a letter and hold letters, digits and '_'."
    }
}

extension Schema.RecordType {
    fileprivate func findings(_ type: Int, roles: Set<String>) -> [SchemaFinding] {
        var findings: [SchemaFinding] = []
        var seen: Set<String> = []
        for (index, field) in fields.enumerated() {
            let isNew = seen.insert(field.name).inserted
            let twice = isNew ? [] : ["The field \(field.name) of \(name) is there twice."]
            for message in field.problems(in: name) + twice {
                findings.append(SchemaFinding(place: .field(index, of: type), message: message))
            }
        }
        var granted: [String: Set<Schema.Permission>] = [:]
        for (index, grant) in grants.enumerated() {
            var messages: [String] = []
            if !roles.contains(grant.role) {
                messages.append(
                    "\(name) grants to the role \(grant.role), which does not exist: make it with CREATE ROLE, or "
                        + "grant to \"_world\", \"_icloud\" or \"_creator\".")
            }
            for permission in grant.permissions
            where !granted[grant.role, default: []].insert(permission).inserted {
                messages.append("\(name) grants \(permission.rawValue) to \(grant.role) twice.")
            }
            if grant.permissions.isEmpty { messages.append("\(name) grants nothing to \(grant.role).") }
            findings += messages.map { SchemaFinding(place: .grant(index, of: type), message: $0) }
        }
        return findings
    }
}

extension Schema.Field {
    fileprivate func problems(in recordType: String) -> [String] {
        var messages: [String] = []
        if isSystem {
            guard let system = Schema.SystemField(rawValue: name) else {
                let known = Schema.SystemField.allCases.map(\.rawValue).joined(separator: ", ")
                return ["\(recordType) names \(name), which is no system field: they are \(known)."]
            }
            guard type == system.type else {
                return ["The system field \(name) of \(recordType) is \(system.type) and cannot be \(type)."]
            }
        } else if let message = Schema.problem(ofName: name, "field") {
            messages.append(message)
        }
        if type.isEncrypted, !type.element.canBeEncrypted {
            messages.append("The field \(name) of \(recordType) cannot be \(type): only values can be encrypted.")
        }
        let senseless = indexes.subtracting(possibleIndexes)
        if !senseless.isEmpty {
            let possible = possibleIndexes.texts
            messages.append(
                "The field \(name) of \(recordType) is \(type) and cannot be "
                    + senseless.texts.joined(separator: " or ")
                    + (possible.isEmpty
                        ? ": it can have no index." : ": it can be \(possible.joined(separator: " and "))."))
        }
        return messages
    }
}
