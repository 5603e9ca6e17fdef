extension FolderConfiguration {
    /// Checks what was set in code, such as from the arguments of `init`, by the rules of the file.
    /// - Throws: ``StateError`` with the code `configuration`, which names the setting.
    public func check() throws(StateError) {
        if let (key, reason) = firstFault { throw .configuration(key, reason) }
    }

    /// The first setting that is wrong, and why.
    var firstFault: (key: String, reason: String)? {
        for (key, reason) in [
            ("server", serverFault), ("tls_ca", authorityFault), ("container", containerFault), ("zone", zoneFault),
            ("owner", ownerFault),
            ("device", deviceFault), ("records.file_type", typeFault(fileRecordType)),
        ] + types.keys.sorted().map({ ("types.\($0)", typeFault($0)) }) {
            if let reason { return (key, reason) }
        }
        return nil
    }

    private var serverFault: String? {
        guard let url = ServerURL(server) else {
            return "must be a URL such as \"https://api.apple-cloudkit.com\", with no path."
        }
        guard url.isExposed, !allowsPlainHTTP else { return nil }
        return
            "is \"\(server)\", which has no TLS: whoever sees the traffic could read its tokens and files. Use an https "
            + "URL, or allow it with: plain_http = true"
    }

    private var authorityFault: String? {
        guard let authorityFile, authorityFile.utf8.first != UInt8(ascii: "/") else { return nil }
        return "must be the absolute path of a file in PEM, not \"\(authorityFile)\"."
    }

    private var containerFault: String? {
        let prefix = "iCloud."
        guard container.utf8.starts(with: prefix.utf8), container.utf8.count > prefix.utf8.count else {
            return "must begin with \"iCloud.\", such as \"iCloud.com.example.notes\"."
        }
        guard container.utf8.count <= 255, container.utf8.dropFirst(prefix.utf8.count).allSatisfy(Self.isIDByte) else {
            return "may have letters, digits, '.' and '-' only."
        }
        return nil
    }

    private var zoneFault: String? {
        if zone == "_defaultZone" {
            return "is \"_defaultZone\", which keeps no list of changes: name a zone of its own, which is made then."
        }
        guard !zone.isEmpty, zone.utf8.count <= 255, zone.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else {
            return "must be 1 to 255 ASCII characters."
        }
        return zone.utf8.first == UInt8(ascii: "_")
            ? "must not begin with '_', which the server keeps for itself." : nil
    }

    private var ownerFault: String? {
        guard let owner else {
            return database == .shared
                ? "is missing: in the shared database a zone is named by its owner's user record name, too." : nil
        }
        guard !owner.isEmpty, owner.utf8.count <= 255, owner.utf8.allSatisfy({ (0x21..<0x7F).contains($0) }) else {
            return "must be a user record name; leave it out for a zone of your own."
        }
        return nil
    }

    /// The name becomes part of file names.
    private var deviceFault: String? {
        let isFine = { (byte: UInt8) in byte > 0x20 && byte != 0x7F && byte != UInt8(ascii: "/") }
        guard !device.isEmpty, device.utf8.count <= 63, device.utf8.allSatisfy(isFine), device.utf8.first != 0x2E else {
            return "must be 1 to 63 bytes with no space, no '/' and no '.' at the beginning."
        }
        return nil
    }

    private func typeFault(_ name: String) -> String? {
        let isLetter = { (byte: UInt8) in (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) }
        let isFine = { (byte: UInt8) in isLetter(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "_") }
        guard let first = name.utf8.first, isLetter(first), name.utf8.allSatisfy(isFine), name.utf8.count <= 255 else {
            return "must be a letter, then letters, digits and '_', not \"\(name)\"."
        }
        return nil
    }

    private static func isIDByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "."), UInt8(ascii: "-"): true
        default: false
        }
    }
}
