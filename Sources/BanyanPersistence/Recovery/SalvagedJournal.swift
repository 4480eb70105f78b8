import BanyanCore

// The segments of a directory, with or without a manifest that says which of them count and how they follow one another.
//
// They say that themselves: each carries the link at the end of what it follows. In a store that one process at a time has
// written there is one way to go from each commit. Where there are two, two processes wrote at once, or the files of two
// copies were mixed. Then the segment that the manifest lists is followed; without that, the one whose link proves that it
// belongs behind what was followed so far; of two that both do, the one of the later opening (a higher epoch), because
// the process that opened the store later had read it to its end first. The commits on the other way are told, and not mixed in.

struct SalvagedJournal: Sendable {
    /// A piece of a segment that belongs to the history.
    struct Run {
        var path: String
        /// The last commit to take from it.
        var last: UInt64
    }

    struct History {
        var runs: [Run] = []
        var lastSequence: UInt64
        var highestSeen: UInt64
        var stopped: BanyanError?
        var forks: [StoreSalvage.Fork] = []
        var endIsSealed = true
    }

    /// In the order in which they were begun.
    private let segments: [SurveyedSegment]
    private let directory: String
    private let manifest: Manifest?
    private let newestSnapshot: UInt64

    /// Reads all segments.
    init(
        _ files: [(name: String, header: SegmentHeader)], in directory: any DiskDirectory, manifest: Manifest?,
        newestSnapshot: UInt64
    ) throws(BanyanError) {
        let starts = Set(files.map(\.header.firstSequence))
        var segments: [SurveyedSegment] = []
        for file in files {
            guard let reader = try DirectoryContents.segment(file.name, in: directory) else { continue }
            segments.append(try SurveyedSegment(reader, starts: starts))
        }
        self.directory = directory.path
        self.segments = segments.sorted { $0.rank < $1.rank }
        self.manifest = manifest
        self.newestSnapshot = newestSnapshot
    }

    /// The one history behind a commit that can be followed without a gap.
    func history(after base: UInt64) -> History {
        var history = History(lastSequence: base, highestSeen: base)
        var followed: [(segment: Int, range: ClosedRange<UInt64>)] = []
        var current: Int?
        while let next = successor(of: history.lastSequence, current) {
            let first = history.lastSequence + 1
            // As far as no other segment begins: there is something to decide.
            let start = segments.map(\.first).filter { $0 > first && $0 <= segments[next].last }.min()
            history.lastSequence = start.map { $0 - 1 } ?? segments[next].last
            if next == current, let last = followed.indices.last {
                followed[last].range = followed[last].range.lowerBound...history.lastSequence
            } else {
                followed.append((next, first...history.lastSequence))
            }
            current = next
        }
        history.runs = followed.map { Run(path: segments[$0.segment].path, last: $0.range.upperBound) }
        let apart = findForks(followed, &history)
        findLosses(besides: apart, &history)
        history.endIsSealed = isSealed(history.lastSequence, current)
        return history
    }

    /// Whether something says that the history ends with a commit, the last of a segment or of the snapshot.
    private func isSealed(_ last: UInt64, _ current: Int?) -> Bool {
        if let current {
            let end = segments[current]
            let entry = listing(of: current)
            let isClosed = end.isSealed || (entry?.sealed == true && entry?.last == end.last)
            if last != end.last || !isClosed { return false }
        }
        // A segment that was begun behind it may have had commits, and says nothing of where it ends.
        let links = current.map { segments[$0].links(after: last) }
        return !segments.contains { segment in
            segment.first == last + 1 && segment.isEmpty && !segment.isSealed
                && (links?.contains(segment.previousLink) ?? true)
        }
    }

    /// The segment that has the commit behind `sequence`.
    private func successor(of sequence: UInt64, _ current: Int?) -> Int? {
        let next = sequence + 1
        let links = current.map { segments[$0].links(after: sequence) }
        let candidates = segments.indices.filter { index in
            // Nobody knows what a history is based on that is entered in its middle, unless it is entered from a snapshot.
            segments[index].has(next) && (index == current || segments[index].first == next || current == nil)
        }
        return candidates.max { one, other in
            func merits(_ index: Int) -> (Int, Int, Int) {
                let isProven = index == current || (links?.contains(segments[index].previousLink) ?? false)
                return (isListed(index, next) ? 1 : 0, isProven ? 1 : 0, index)
            }
            return merits(one) < merits(other)
        }
    }

    /// Whether the manifest says that a commit is to be found in a segment.
    private func isListed(_ index: Int, _ sequence: UInt64) -> Bool {
        listing(of: index).map { !$0.sealed || sequence <= $0.last } ?? false
    }

    private func listing(of index: Int) -> Manifest.Segment? {
        let segment = segments[index]
        let name = DiskPath.split(segment.path).name
        return manifest?.segments.first {
            $0.name == name && $0.number == segment.number && $0.epoch == segment.epoch
        }
    }

    /// Finds commits that were not followed although they differ from those that were, and what was made on top of them.
    ///
    /// - Returns: from which commit on each segment belongs to another history.
    private func findForks(
        _ followed: [(segment: Int, range: ClosedRange<UInt64>)], _ history: inout History
    ) -> [Int: UInt64] {
        func taken(_ sequence: UInt64) -> Int? { followed.first { $0.range.contains(sequence) }?.segment }
        var apart: [Int: UInt64] = [:]
        for (index, segment) in segments.enumerated() where !segment.isEmpty {
            for (other, range) in followed where other != index && range.overlaps(segment.first...segment.last) {
                let difference = range.clamped(to: segment.first...segment.last).first { sequence in
                    segments[other].digest(of: sequence) != segment.digest(of: sequence)
                }
                guard let difference else { continue }
                apart[index] = difference
                break
            }
        }
        // What follows a segment of the other history belongs to that, however far behind the end of this one.
        var found = true
        while found {
            found = false
            for (index, segment) in segments.enumerated() where apart[index] == nil && !segment.isEmpty {
                let parent = apart.first { other, first in
                    first < segment.first && segments[other].last + 1 == segment.first
                        && segments[other].links(after: segments[other].last).contains(segment.previousLink)
                }
                guard parent != nil, !followed.contains(where: { $0.segment == index }) else { continue }
                apart[index] = segment.first
                found = true
            }
        }
        for (index, first) in apart.sorted(by: { ($0.value, $0.key) < ($1.value, $1.key) }) {
            let other = taken(first) ?? followed.last?.segment ?? index
            history.forks.append(
                .init(
                    file: segments[index].path, first: first, last: segments[index].last, epoch: segments[index].epoch,
                    followed: segments[other].path))
        }
        return apart
    }

    /// Finds signs of commits behind the last one that was reached.
    private func findLosses(
        besides apart: [Int: UInt64], _ history: inout History
    ) {
        let last = history.lastSequence
        var highest = max(last, newestSnapshot, manifest?.durableSequence ?? 0, manifest?.segments.last?.last ?? 0)
        for (index, segment) in segments.enumerated() where apart[index] == nil {
            highest = max(highest, segment.highestSeen)
        }
        history.highestSeen = highest
        guard highest > last else { return }
        let broken = segments.enumerated().first {
            apart[$0.offset] == nil && $0.element.last == last && $0.element.damage != nil
        }
        if let damage = broken?.element.damage {
            history.stopped = damage
            return
        }
        let behind = segments.enumerated().filter { apart[$0.offset] == nil && $0.element.first > last + 1 }
            .min { $0.element.first < $1.element.first }?.element
        history.stopped = BanyanError(
            .damaged,
            "Commit \(last + 1) is nowhere"
                + (behind.map { "; the next segment begins with commit \($0.first)" }
                    ?? ", but commit \(highest) had been on disk"),
            at: .init(file: behind?.path ?? directory, sequence: last + 1))
    }
}

/// What a segment holds, without its contents.
struct SurveyedSegment: Sendable {
    let path: String
    let number: UInt64
    let epoch: UInt32
    let first: UInt64
    /// The last whole record that can be followed from the start; one less than `first` without one.
    let last: UInt64
    let previousLink: UInt64
    let isSealed: Bool
    /// The highest commit of which it gives any sign.
    let highestSeen: UInt64
    let damage: BanyanError?
    /// For each record, what it says.
    private let digests: [UInt64]
    /// The links before the records with which some segment begins.
    private let links: [UInt64: UInt64]
    /// Behind the last record, and behind the seal.
    private let endLinks: [UInt64]

    init(_ reader: SegmentReader, starts: Set<UInt64>) throws(BanyanError) {
        var reader = reader
        let header = reader.header
        var digests: [UInt64] = []
        var links: [UInt64: UInt64] = [:]
        var endLinks = [reader.link]
        var highest = header.firstSequence - 1
        var damage: BanyanError?
        var digest: UInt64 = 0
        var isWithin = false
        reading: while true {
            switch try reader.next() {
            case .frame(let frame, let payload, _):
                if !isWithin, starts.contains(frame.sequence) { links[frame.sequence] = frame.previousLink }
                digest = Checksum.hash(payload, seed: isWithin ? digest : UInt64(bitPattern: frame.time))
                isWithin = frame.hasMore
                if isWithin { continue }
                digests.append(digest)
                endLinks = [frame.link]
            // Only where payloads are left in the file.
            case .large: continue
            case .sealed:
                endLinks.append(reader.link)
                break reading
            case .end: break reading
            case .broken(let found):
                damage = JournalReader.damaged(
                    reader.path, found, missing: reader.expected, last: reader.lastSequence)
                var search = SoundFrameSearch(in: reader, from: found.offset + 1, lowest: 0)
                while let (_, frame) = try search.next() { highest = max(highest, frame.sequence) }
                break reading
            }
        }
        path = reader.path
        number = header.number
        epoch = header.epoch
        first = header.firstSequence
        last = reader.lastSequence
        previousLink = header.previousLink
        isSealed = reader.isSealed
        highestSeen = max(highest, reader.lastSequence)
        self.damage = damage
        self.digests = digests
        self.links = links
        self.endLinks = endLinks
    }

    /// Later ones were begun later.
    var rank: (UInt32, UInt64, String) { (epoch, number, path) }

    var isEmpty: Bool { last < first }

    func has(_ sequence: UInt64) -> Bool { first <= sequence && sequence <= last }

    func digest(of sequence: UInt64) -> UInt64 { digests[Int(sequence - first)] }

    /// What a segment that goes on behind a commit of this one carries as its link.
    func links(after sequence: UInt64) -> [UInt64] {
        if sequence == last { return endLinks }
        return links[sequence + 1].map { [$0] } ?? []
    }
}
