import BanyanCore

/// Makes the end of an open segment final. A torn tail is copied aside and cut off, the rest is flushed, and the manifest
/// records where the segment ends. Nothing is ever appended behind such an end.
struct TailRepair {
    let directory: any DiskDirectory
    let end: JournalReader.OpenEnd

    /// Returns where the cut bytes were put; nil when there were none, or only zeros.
    func run(_ manifest: inout Manifest) throws(BanyanError) -> String? {
        guard let index = manifest.segments.indices.last else { return nil }
        let entry = manifest.segments[index]
        let copy = try onDisk { () throws(DiskFault) -> String? in
            let file = try directory.open(entry.name, .readWrite)
            defer { file.close() }
            var copy: String?
            if end.isTorn {
                copy = try quarantine(file, "\(entry.name).\(manifest.epoch + 1).tail")
                try file.truncate(to: end.end)
            }
            // The process that wrote these bytes may not have flushed them.
            try file.sync()
            return copy
        }
        if end.last < entry.first {
            // Nothing in it: its name is free for the next one.
            manifest.segments.removeLast()
            manifest.tailLink = entry.previousLink
        } else {
            manifest.segments[index].sealed = true
            manifest.segments[index].last = end.last
            manifest.segments[index].link = end.link
            manifest.segments[index].length = end.end
            manifest.tailLink = end.link
        }
        return copy
    }

    private func quarantine(_ file: any DiskFile, _ name: String) throws(DiskFault) -> String? {
        var bytes: [UInt8] = []
        var at = end.end
        while at < end.fileEnd {
            let part = try file.readUpTo(Int(min(end.fileEnd - at, 1 << 20)), at: at)
            if part.isEmpty { break }
            bytes += part
            at += UInt64(part.count)
        }
        guard bytes.contains(where: { $0 != 0 }) else { return nil }
        let place = try directory.subdirectory(FileNames.quarantine, createIfMissing: true)
        try place.replace(name, with: bytes)
        return place.pathOf(name)
    }
}
