package import BanyanCore

extension GraphRecovery {
    /// Verifies files and then what they add up to: every hash and every link of the chain, and, where those are sound, the
    /// graph of the newest commit, held against its own rules. What proves wrong in making it is a finding like any other.
    ///
    /// - Returns: the findings, and the graph when it could be made.
    /// - Throws: only what keeps it from looking at all: `notAStore`, `permission`, `io`.
    package static func verify(
        _ path: String, on disk: any Disk, filesProgress: ((StoreProgress) -> Void)? = nil, progress: Progress? = nil
    ) throws -> (report: VerifyReport, version: Version?) {
        var report = try StoreVerification.verify(path, on: disk, progress: filesProgress)
        guard report.isSound else { return (report, nil) }
        do {
            let kind = try onDisk { () throws(DiskFault) in try disk.kind(of: path) }
            if kind == .file {
                if case .segment = FileNames.kind(of: DiskPath.split(path).name) { return (report, nil) }
                return (report, try checked(read(SnapshotReader.open(path, on: disk), progress: progress), path))
            }
            let (version, recovery) = try read(StoreInspection.open(path, on: disk), progress: progress)
            for skipped in recovery.skippedSnapshots {
                report.findings.append(.init(severity: .damaged, file: skipped.file, message: skipped.reason))
            }
            return (report, try checked(version, path))
        } catch let error as BanyanError where [.damaged, .unsupportedFormat, .schemaMismatch].contains(error.code) {
            report.findings.append(
                .init(
                    severity: error.code == .unsupportedFormat ? .unsupported : .damaged,
                    file: error.location.file ?? path,
                    offset: error.location.offset,
                    message: error.cause.map { "\(error.message): \($0)" } ?? error.message,
                    lastGoodSequence: error.location.sequence.map { $0 - min($0, 1) }))
            return (report, nil)
        }
    }

    private static func checked(_ version: Version, _ path: String) throws(BanyanError) -> Version {
        let problems = version.view._invariantCheck()
        if problems.isEmpty { return version }
        throw BanyanError(
            .damaged, "The files are sound, and the graph they make is not", at: .init(file: path),
            cause: problems.prefix(3).joined(separator: "; "))
    }
}
