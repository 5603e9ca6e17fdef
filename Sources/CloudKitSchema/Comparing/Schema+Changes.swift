extension Schema {
    /// What turns this schema into the other, in an order that does not depend on either's: roles, then type by type.
    ///
    /// A type or field that comes or goes is followed by its fields, indexes and grants, so that the list tells all.
    public func changes(to other: Schema) -> [SchemaChange] {
        let old = sorted()
        let new = other.sorted()
        var changes: [SchemaChange] = []
        changes += Set(old.roles).subtracting(new.roles).sorted().map(SchemaChange.removeRole)
        changes += Set(new.roles).subtracting(old.roles).sorted().map(SchemaChange.addRole)
        let oldTypes = Dictionary(old.recordTypes.map { ($0.name, $0) }) { first, _ in first }
        let newTypes = Dictionary(new.recordTypes.map { ($0.name, $0) }) { first, _ in first }
        for name in Set(oldTypes.keys).union(newTypes.keys).sorted() {
            if newTypes[name] == nil { changes.append(.removeRecordType(name)) }
            if oldTypes[name] == nil { changes.append(.addRecordType(name)) }
            let none = RecordType(name, grants: [])
            changes += (oldTypes[name] ?? none).changes(to: newTypes[name] ?? none)
        }
        return changes
    }
}

extension Schema.RecordType {
    fileprivate func changes(to other: Self) -> [SchemaChange] {
        var changes: [SchemaChange] = []
        let old = Dictionary(fields.map { ($0.name, $0) }) { first, _ in first }
        let new = Dictionary(other.fields.map { ($0.name, $0) }) { first, _ in first }
        for field in Set(old.keys).union(new.keys).sorted() {
            let (before, after) = (old[field], new[field])
            switch (before?.type, after?.type) {
            // A system field is always there: only its indexes come and go.
            case _ where (before ?? after)?.isSystem == true: break
            case (let before?, let after?) where before != after:
                changes.append(.retypeField(field, of: name, from: before, to: after))
            case (let type?, nil): changes.append(.removeField(field, of: name, type: type))
            case (nil, let type?): changes.append(.addField(field, of: name, type: type))
            default: break
            }
            for (index, _) in Schema.Indexes.keywords {
                switch (before?.indexes.contains(index) ?? false, after?.indexes.contains(index) ?? false) {
                case (true, false): changes.append(.removeIndex(index, field: field, of: name))
                case (false, true): changes.append(.addIndex(index, field: field, of: name))
                default: break
                }
            }
        }
        let (before, after) = (permissions, other.permissions)
        for role in Set(before.keys).union(after.keys).sorted() {
            for permission in Schema.Permission.allCases {
                switch (before[role]?.contains(permission) ?? false, after[role]?.contains(permission) ?? false) {
                case (true, false): changes.append(.removeGrant(permission, role: role, of: name))
                case (false, true): changes.append(.addGrant(permission, role: role, of: name))
                default: break
                }
            }
        }
        return changes
    }

    /// What each role may do.
    public var permissions: [String: Set<Schema.Permission>] {
        grants.reduce(into: [:]) { permissions, grant in
            permissions[grant.role, default: []].formUnion(grant.permissions)
        }
    }
}
