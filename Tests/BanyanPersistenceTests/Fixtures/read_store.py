"""Reads the envelopes of a store's files from what the page FileFormat.md says of them, and from nothing else.

    python3 read_store.py STORE-DIRECTORY | SNAPSHOT.bsn

It checks magics, versions, lengths, sequences, links from frame to frame, and that all parts adjoin; it decompresses journal
payloads, and with the lz4 tool in the PATH also the data of snapshots. It does not compute XXH3-64: Python's library has none.
Prints what it found as JSON. Ends with 1 and a sentence when something is not as the page says.
"""

import json, os, shutil, struct, subprocess, sys


class Wrong(Exception):
    pass


def check(holds, what):
    if not holds:
        raise Wrong(what)


class Fields:
    """Little-endian numbers, one after another."""

    def __init__(self, data, at=0):
        self.data, self.at = data, at

    def take(self, form):
        check(self.at + struct.calcsize("<" + form) <= len(self.data), "ends in the middle of a field")
        values = struct.unpack_from("<" + form, self.data, self.at)
        self.at += struct.calcsize("<" + form)
        return values[0] if len(values) == 1 else values

    def bytes(self, count):
        check(self.at + count <= len(self.data), "ends in the middle of a run of bytes")
        self.at += count
        return self.data[self.at - count : self.at]

    def store(self):
        return "%016X%016X" % self.take("QQ")


def read(path):
    with open(path, "rb") as file:
        return file.read()


def unblock(block, raw_length):
    """An LZ4 block: literals and copies of what came before."""
    out, at = bytearray(), 0

    def more(length):
        nonlocal at
        if length == 15:
            while True:
                at += 1
                length += block[at - 1]
                if block[at - 1] != 255:
                    break
        return length

    while at < len(block):
        token = block[at]
        at += 1
        literals = more(token >> 4)
        out += block[at : at + literals]
        at += literals
        if at >= len(block):
            break
        distance = block[at] | block[at + 1] << 8
        at += 2
        check(0 < distance <= len(out), "a block copies what is not there")
        for _ in range(more(token & 15) + 4):
            out.append(out[-distance])
    check(len(out) == raw_length, "a block holds another length than its frame says")


def manifest(data):
    fields = Fields(data)
    check(fields.bytes(8) == b"BANYANMF", "not a manifest")
    version, zero, length = fields.take("HHI")
    check((version, zero, length) == (1, 0, len(data)), "the manifest's version or length")
    found = {"store": fields.store(), "parent": fields.store()}
    found["parentSequence"], found["generation"], found["nextSegment"], found["durableSequence"], found["tailLink"] = fields.take("5Q")
    found["epoch"], snapshots, segments, zero = fields.take("4I")
    check(zero == 0, "the manifest's zero")
    names = ("sequence", "mark", "time", "length", "rootHash")
    found["snapshots"] = [dict(zip(names, fields.take("QQqQQ"))) for _ in range(snapshots)]
    names = ("number", "mark", "epoch", "sealed", "first", "last", "linkBefore", "link", "length")
    found["segments"] = [dict(zip(names, fields.take("QQIIQQQQQ"))) for _ in range(segments)]
    check(fields.at + 8 == len(data), "the manifest's hash is its end")
    for one, following in zip(found["segments"], found["segments"][1:]):
        check(one["sealed"] == 1 and following["first"] == one["last"] + 1, "segments follow one another")
        check(following["linkBefore"] == one["link"] and following["number"] > one["number"], "segments are linked")
    return found


def file_name(sequence, mark, suffix):
    return "%020d%s%s" % (sequence, "-%d" % mark if mark else "", suffix)


def segment(data, store, entry):
    fields = Fields(data)
    check(fields.bytes(8) == b"BANYANJL", "not a segment")
    version, zero, header_length = fields.take("HHI")
    check((version, zero) == (1, 0), "the segment's version")
    check(fields.store() == store, "the segment's store")
    number, first, link_before, epoch, schema_length = fields.take("QQQII")
    fields.bytes(schema_length)
    link = fields.take("Q")
    check(fields.at == header_length == 72 + schema_length, "the length of the segment's header")
    check((number, first, link_before, epoch) == tuple(entry[k] for k in ("number", "first", "linkBefore", "epoch")),
          "the segment is the one that is listed")
    last, durable, frames, is_sealed, goes_on = first - 1, 0, 0, False, False
    while fields.at < len(data):
        check(not is_sealed, "something follows the seal")
        hash, stored, kind, flags, version, sequence, own_epoch, raw, before, said, time = fields.take("QIBBHQIIQQq")
        check(version == 1 and kind in (1, 2) and flags < 4, "the frame's version, kind or flags")
        check(before == link, "the frame's link is the hash before it")
        check(own_epoch == epoch, "the frame's epoch")
        check(sequence == (last if kind == 2 else last + 1), "the frame's sequence")
        check(durable <= said <= sequence, "the frame's durable sequence")
        payload = fields.bytes(stored - 16)
        if flags & 1:
            unblock(payload, raw)
        else:
            check(len(payload) == raw, "the frame's lengths")
        goes_on = flags & 2 != 0
        if kind == 2:
            check(said == sequence and raw == 0, "the seal proves all before it")
            is_sealed = True
        elif not goes_on:
            last = sequence
        link, durable, frames = hash, said, frames + 1
    check(not goes_on, "the last record is whole")
    if entry["sealed"]:
        check((last, link, len(data)) == (entry["last"], entry["link"], entry["length"]), "the segment ends as listed")
    else:
        check(len(data) >= entry["length"], "the segment is as long as listed")
    return {"first": first, "last": last, "frames": frames, "isSealed": is_sealed}


def skippable(data, at, magic, signature):
    fields = Fields(data, at)
    found, length = fields.take("II")
    check(found == magic and fields.bytes(8) == signature, "the frame %s" % signature.decode())
    return fields, 8 + length


def snapshot(data):
    header, header_length = skippable(data, 0, 0x184D2A50, b"BANYANSN")
    version, zero, epoch = header.take("HHI")
    store, sequence, time = header.store(), header.take("Q"), header.take("q")
    header.bytes(header.take("I"))
    header_hash = header.take("Q")
    check((version, zero) == (1, 0) and header.at == header_length, "the snapshot's header")

    footer, footer_length = skippable(data, len(data) - 136, 0x184D2A52, b"BANYANFT")
    check(footer_length == 136, "the footer's length")
    check(footer.take("HHI") == (version, zero, epoch) and footer.store() == store, "the footer's store and epoch")
    check((footer.take("Q"), footer.take("q")) == (sequence, time), "the footer's sequence and time")
    offset, length, table_hash, said_hash, root_hash, count, rows, raw_bytes, file_length = footer.take("9Q")
    check(said_hash == header_hash and file_length == len(data), "the footer is of this file")
    check(offset + length == len(data) - 136, "table and footer adjoin")

    table, table_length = skippable(data, offset, 0x184D2A51, b"BANYANTC")
    check(table_length == length == 24 + 56 * count, "the table's length")
    names = ("kind", "table", "rows", "offset", "stored", "raw", "rawHash", "storedHash")
    frames = [dict(zip(names, table.take("IIQQQQQQ"))) for _ in range(count)]
    check(table.take("Q") == table_hash and table.at == offset + length, "the table's hash")
    check(sum(f["rows"] for f in frames) == rows and sum(f["raw"] for f in frames) == raw_bytes, "the footer's sums")
    at = header_length
    for frame in frames:
        check(frame["offset"] == at, "frames adjoin")
        check(data[at : at + 4] == b"\x04\x22\x4d\x18", "each is an LZ4 frame")
        stored = data[at : at + frame["stored"]]
        at += frame["stored"]
        if shutil.which("lz4"):
            done = subprocess.run(["lz4", "-dc"], input=stored, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            check(done.returncode == 0 and len(done.stdout) == frame["raw"], "a frame unpacks to its raw length")
    check(at == offset, "frames and table adjoin")
    check(frames[0]["kind"] == 1 and {f["kind"] for f in frames[1:]} <= {2, 3}, "the kinds of frames")
    return {"store": store, "sequence": sequence, "frames": count, "rows": rows, "rootHash": root_hash}


def directory(path):
    found = manifest(read(os.path.join(path, "MANIFEST")))
    snapshots, segments = [], []
    for entry in found["snapshots"]:
        data = read(os.path.join(path, file_name(entry["sequence"], entry["mark"], ".bsn")))
        known = snapshot(data)
        check(known["store"] == found["store"] and len(data) == entry["length"], "the snapshot is the one that is listed")
        check((known["sequence"], known["rootHash"]) == (entry["sequence"], entry["rootHash"]), "the snapshot's root hash")
        snapshots.append(known)
    for entry in found["segments"]:
        data = read(os.path.join(path, file_name(entry["first"], entry["mark"], ".bjl")))
        segments.append(segment(data, found["store"], entry))
    return {"store": found["store"], "epoch": found["epoch"], "snapshots": snapshots, "segments": segments}


try:
    path = sys.argv[1]
    print(json.dumps(directory(path) if os.path.isdir(path) else {"snapshots": [snapshot(read(path))], "segments": []}))
except Wrong as error:
    sys.exit("%s: not as described: %s" % (sys.argv[1], error))
