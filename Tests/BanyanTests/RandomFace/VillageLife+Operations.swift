import Banyan

// One operation, on the graph through a kept handle, and on the oracle.

extension VillageLife {
    func operate(on graph: Graph) throws {
        guard let id = ids.randomElement(using: &random), let villager = live(id), random.chance(90) else {
            return try create(in: graph)
        }
        guard var naive = village.villagers[id] else { return }
        let ids = ids
        switch random.draw(16) {
        case 0: return try create(in: graph)
        case 1: return try upsert(id, in: graph)
        case 2: return delete(id, villager, in: graph)
        case 3:
            naive.name = random.chance(20) ? naive.name : random.word()
            log.append("\(id).name = '\(naive.name)'")
            villager.name = naive.name
        case 4:
            naive.age = random.int()
            log.append("\(id).age = \(naive.age)")
            villager.age = naive.age
        case 5:
            naive.friend = random.one(of: ids)
            log.append("\(id).friend = \(naive.friend.map(String.init) ?? "nil")")
            villager.friend = naive.friend.flatMap(live)
        case 6...14: collections(&naive, villager, id)
        default:
            guard let elder = villager as? Elder else { return }
            naive.wisdom += 0.5
            naive.pupil = random.one(of: ids)
            log.append("\(id).wisdom, .pupil = \(naive.wisdom), \(naive.pupil.map(String.init) ?? "nil")")
            elder.wisdom = naive.wisdom
            elder.pupil = naive.pupil.flatMap(live)
        }
        village.villagers[id] = naive
    }

    private func collections(_ naive: inout NaiveVillager, _ villager: Villager, _ id: Int) {
        touched.insert(id)
        switch random.draw(9) {
        case 0: pals(&naive, villager, id)
        case 1: kinAndHelpers(&naive, villager, id)
        case 2, 3: numbers(&naive, villager, id)
        case 4: tagsAndScores(&naive, villager, id)
        case 5, 6: homes(&naive, villager, id)
        case 7: keepsake(&naive, villager, id)
        default: memories(&naive, villager, id)
        }
    }

    /// Takes down what an operation does to a list; nil where that is not known exactly.
    private func note(_ list: String, _ id: Int, _ edit: ToldPositions?) {
        edits["\(list) \(id)", default: []].append(edit)
    }

    /// All that a villager has is given anew.
    private func noteAll(_ id: Int) {
        touched.insert(id)
        for list in ["numbers", "pals"] { note(list, id, nil) }
    }

    // MARK: Objects

    private func create(in graph: Graph) throws {
        let id = random.draw(60)
        guard village.villagers[id] == nil else { return }
        guard ids.count < 30 || random.chance(20) else { return }
        let naive = random.villager(isElder: random.chance(30), linkingTo: ids)
        log.append("add \(id): \(naive)")
        let villager = naive.unmanaged(id, live)
        try graph.add(villager)
        village.villagers[id] = naive
        handles[id] = [villager]
    }

    /// Updates a villager, and one that it links to, from unmanaged objects or from a dictionary.
    private func upsert(_ id: Int, in graph: Graph) throws {
        guard let old = village.villagers[id] else { return }
        if random.chance(40) { return try update(id, old, in: graph) }
        let other = 60 + random.draw(10)
        var naive = random.villager(isElder: old.isElder, linkingTo: ids.filter { $0 != other })
        naive.friend = other
        var friend = random.villager(
            isElder: village.villagers[other]?.isElder ?? random.chance(30), linkingTo: ids)
        friend.friend = id
        let policy: UpdatePolicy = random.chance(50) ? .modified : .all
        log.append("add \(id), updating (\(policy)): \(naive)\n    its friend \(other): \(friend)")
        let made = naive.unmanaged(id) { $0 == other ? nil : self.live($0) }
        let madeFriend = friend.unmanaged(other) { $0 == id ? made : self.live($0) }
        made.friend = madeFriend
        try graph.add(made, update: policy)
        for changed in [id, other] { noteAll(changed) }
        village.villagers[id] = naive
        village.villagers[other] = friend
        remember(made, id)
        remember(madeFriend, other)
    }

    private func remember(_ villager: Villager, _ id: Int) {
        handles[id, default: []].append(villager)
        if handles[id, default: []].count > 3 { handles[id]?.remove(at: 1) }
    }

    /// Only what the dictionary gives.
    private func update(_ id: Int, _ old: NaiveVillager, in graph: Graph) throws {
        var naive = old
        naive.age = random.int()
        naive.numbers = random.many(upTo: 4) { $0.int() }
        naive.scores = random.entries(upTo: 3) { $0.int() }
        naive.hut = random.hut(linkingTo: ids)
        // A key alone stands for an object of the property's own class.
        naive.hut?.guest = !naive.isElder && random.chance(50) ? id : nil
        log.append("update \(id) from a dictionary: \(naive)")
        let hut: [String: Any?] = [
            "colour": naive.hut?.colour, "rooms": naive.hut?.rooms,
            "guest": naive.hut?.guest.map { ["id": $0] as [String: Any] } as Any?,
        ]
        let value: [String: Any] = [
            "id": id, "age": naive.age, "numbers": naive.numbers, "scores": naive.scores, "hut": hut,
        ]
        // Through the class it is of.
        if naive.isElder {
            try graph.create(Elder.self, value: value, update: .modified)
        } else {
            try graph.create(Villager.self, value: value, update: .modified)
        }
        village.villagers[id] = naive
        noteAll(id)
    }

    private func delete(_ id: Int, _ villager: Villager, in graph: Graph) {
        guard random.chance(60) else { return }
        log.append("delete \(id)")
        graph.delete(villager)
        village.delete(id)
        bury(id)
    }

    // MARK: Links

    private func pals(_ naive: inout NaiveVillager, _ villager: Villager, _ id: Int) {
        let count = naive.pals.count
        guard count > 0, random.chance(60) else {
            guard let other = random.one(of: ids), let live = live(other) else { return }
            let at = random.draw(count + 1)
            log.append("\(id).pals insert \(other) at \(at)")
            note("pals", id, ToldPositions(insertions: [at]))
            villager.pals.insert(live, at: at)
            naive.pals.insert(other, at: at)
            return
        }
        let (from, to) = (random.draw(count), random.draw(count))
        if random.chance(50) {
            log.append("\(id).pals move \(from) to \(to)")
            if from != to { note("pals", id, ToldPositions(deletions: [from], insertions: [to])) }
            villager.pals.move(from: from, to: to)
            naive.pals.insert(naive.pals.remove(at: from), at: to)
        } else {
            log.append("\(id).pals remove at \(from)")
            note("pals", id, ToldPositions(deletions: [from]))
            villager.pals.remove(at: from)
            naive.pals.remove(at: from)
        }
    }

    private func kinAndHelpers(_ naive: inout NaiveVillager, _ villager: Villager, _ id: Int) {
        guard let other = random.one(of: ids), let live = live(other) else { return }
        let word = random.word()
        switch random.draw(4) {
        case 0:
            log.append("\(id).kin remove \(other)")
            villager.kin.remove(live)
            naive.kin.remove(other)
        case 1:
            log.append("\(id).kin insert \(other)")
            villager.kin.insert(live)
            naive.kin.insert(other)
        case 2:
            log.append("\(id).helpers['\(word)'] = nil")
            villager.helpers[word] = nil
            naive.helpers.removeValue(forKey: word)
        default:
            let helper: Int? = random.chance(20) ? nil : other
            log.append("\(id).helpers['\(word)'] = \(helper.map(String.init) ?? "nobody")")
            villager.helpers.updateValue(helper == nil ? nil : live, forKey: word)
            naive.helpers.updateValue(helper, forKey: word)
        }
    }

    // MARK: Values

    private func numbers(_ naive: inout NaiveVillager, _ villager: Villager, _ id: Int) {
        let count = naive.numbers.count
        let value = random.int()
        switch count == 0 ? 0 : random.draw(5) {
        case 0, 1:
            let at = random.draw(count + 1)
            let values = random.many(upTo: 5) { $0.int() }
            log.append("\(id).numbers insert \(values) at \(at)")
            if !values.isEmpty { note("numbers", id, ToldPositions(insertions: Array(at..<at + values.count))) }
            villager.numbers.insert(contentsOf: values, at: at)
            naive.numbers.insert(contentsOf: values, at: at)
        case 2:
            let at = random.draw(count)
            log.append("\(id).numbers[\(at)] = \(value)")
            if naive.numbers[at] != value { note("numbers", id, ToldPositions(modifications: [at])) }
            villager.numbers[at] = value
            naive.numbers[at] = value
        case 3:
            let start = random.draw(count)
            let range = start..<min(count, start + 1 + random.draw(3))
            log.append("\(id).numbers remove \(range)")
            note("numbers", id, ToldPositions(deletions: Array(range)))
            villager.numbers.removeSubrange(range)
            naive.numbers.removeSubrange(range)
        default:
            log.append("\(id).numbers sort")
            let sorted = naive.numbers.sorted()
            let moved = sorted.indices.filter { sorted[$0] != naive.numbers[$0] }
            if !moved.isEmpty { note("numbers", id, ToldPositions(modifications: moved)) }
            villager.numbers.sort()
            naive.numbers = sorted
        }
    }

    private func tagsAndScores(_ naive: inout NaiveVillager, _ villager: Villager, _ id: Int) {
        let (word, value) = (random.word(), random.int())
        switch random.draw(4) {
        case 0:
            log.append("\(id).tags remove '\(word)'")
            villager.tags.remove(word)
            naive.tags.remove(word)
        case 1:
            log.append("\(id).tags insert '\(word)'")
            villager.tags.insert(word)
            naive.tags.insert(word)
        case 2:
            log.append("\(id).scores['\(word)'] = nil")
            villager.scores[word] = nil
            naive.scores[word] = nil
        default:
            log.append("\(id).scores['\(word)'] = \(value)")
            villager.scores[word] = value
            naive.scores[word] = value
        }
    }

    // MARK: Embedded objects

    private func homes(_ naive: inout NaiveVillager, _ villager: Villager, _ id: Int) {
        let hut = random.hut(linkingTo: ids)
        let count = naive.huts.count
        switch random.draw(6) {
        case 0:
            log.append("\(id).hut = nil")
            villager.hut = nil
            naive.hut = nil
        case 1:
            log.append("\(id).hut = \(hut)")
            villager.hut = hut.unmanaged(live)
            naive.hut = hut
        case 2:
            log.append("\(id).hut changes: \(hut.colour), \(hut.guest.map(String.init) ?? "nil")")
            villager.hut?.colour = hut.colour
            villager.hut?.guest = hut.guest.flatMap(live)
            villager.hut?.rooms.append("more")
            naive.hut?.colour = hut.colour
            naive.hut?.guest = hut.guest
            naive.hut?.rooms.append("more")
        case 3 where count > 0:
            let at = random.draw(count)
            log.append("\(id).huts remove at \(at)")
            villager.huts.remove(at: at)
            naive.huts.remove(at: at)
        case 4 where count > 0:
            let at = random.draw(count)
            log.append("\(id).huts[\(at)] = \(hut)")
            villager.huts[at] = hut.unmanaged(live)
            naive.huts[at] = hut
        default:
            log.append("\(id).huts append \(hut)")
            villager.huts.append(hut.unmanaged(live))
            naive.huts.append(hut)
        }
    }

    // MARK: AnyValues

    private func keepsake(_ naive: inout NaiveVillager, _ villager: Villager, _ id: Int) {
        let value = random.any(linkingTo: ids)
        switch naive.keepsake {
        case .list(var values) where random.chance(70):
            log.append("\(id).keepsake append \(value)")
            villager.keepsake.listValue?.append(value.live(live))
            values.append(value)
            if random.chance(30) {
                log.append("\(id).keepsake remove first")
                villager.keepsake.listValue?.removeFirst()
                values.removeFirst()
            }
            naive.keepsake = .list(values)
        case .dictionary(var entries) where random.chance(70):
            let key = random.word()
            let removes = random.chance(30)
            log.append("\(id).keepsake['\(key)'] = \(removes ? "nil" : "\(value)")")
            // An Optional, for nil would be `.none` otherwise.
            let new: AnyValue? = removes ? Optional.none : .some(value.live(live))
            villager.keepsake[key] = new
            entries[key] = removes ? nil : value
            naive.keepsake = .dictionary(entries)
        default:
            log.append("\(id).keepsake = \(value)")
            villager.keepsake = value.live(live)
            naive.keepsake = value
        }
    }

    private func memories(_ naive: inout NaiveVillager, _ villager: Villager, _ id: Int) {
        let value = random.any(linkingTo: ids)
        let count = naive.memories.count
        guard count > 0, random.chance(60) else {
            log.append("\(id).memories append \(value)")
            villager.memories.append(value.live(live))
            naive.memories.append(value)
            return
        }
        let at = random.draw(count)
        if case .list(var values) = naive.memories[at], random.chance(50) {
            log.append("\(id).memories[\(at)] append \(value)")
            villager.memories[at].listValue?.append(value.live(live))
            values.append(value)
            naive.memories[at] = .list(values)
        } else if random.chance(50) {
            log.append("\(id).memories[\(at)] = \(value)")
            villager.memories[at] = value.live(live)
            naive.memories[at] = value
        } else {
            log.append("\(id).memories remove at \(at)")
            villager.memories.remove(at: at)
            naive.memories.remove(at: at)
        }
    }
}
