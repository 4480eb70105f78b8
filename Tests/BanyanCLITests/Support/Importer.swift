import BanyanCore
import BanyanPersistence
import Foundation
import Testing

/// Reads what `banyan export` wrote, knowing nothing but what is documented of it.
final class Importer {
    private let layout: StoreLayout
    private var lines: [(table: Int, id: String, values: [String: Any])] = []
    private var byID: [String: ObjectRef] = [:]
    private(set) var idOf: [ObjectRef: String] = [:]

    init(_ schema: Schema, _ export: [[String: Any]]) throws {
        layout = try StoreLayout(schema)
        let first = try #require(export.first)
        #expect(first["banyan"] as? String == "export")
        #expect(first["schema"] as? Int == 1)
        let names = try #require(first["types"] as? [[String: Any]]).compactMap { $0["name"] as? String }
        #expect(names == schema.types.map(\.name))
        let last = try #require(export.last)
        #expect(last["banyan"] as? String == "end")
        #expect(last["objects"] as? Int == export.count - 2)
        for line in export.dropFirst().dropLast() {
            let type = try #require(line["type"] as? String)
            let table = try #require(layout.table(named: type)).table
            lines.append(
                (table, try #require(line["id"] as? String), try #require(line["values"] as? [String: Any])))
        }
    }

    func makeGraph() throws -> Version {
        let workspace = Workspace(.empty(layout))
        let transaction = workspace.begin()
        for line in lines { try create(line, transaction) }
        for line in lines {
            let ref = try #require(byID[line.id])
            try fill(transaction.view.id(ref), line.values, transaction)
        }
        if let fault = transaction.fault { throw fault }
        return try #require(workspace.commit(sequence: 1, time: 0))
    }

    private func create(_ line: (table: Int, id: String, values: [String: Any]), _ transaction: Transaction) throws {
        let table = layout.tables[line.table]
        var id: ObjectID
        if let key = table.keyColumn {
            let property = table.type.properties[key]
            let json = try #require(line.values[property.name])
            let value = try single(json, property, transaction)
            id = try transaction.create(line.table, key: value)
        } else {
            id = transaction.create(line.table)
        }
        transaction.initializeIndexes(id)
        byID[line.id] = id.ref
        idOf[id.ref] = line.id
    }

    private func fill(_ id: ObjectID, _ values: [String: Any], _ transaction: Transaction) throws {
        let table = layout.tables[Int(id.table)]
        for (column, property) in table.type.properties.enumerated() where !property.isInverse && !property.isPrimaryKey
        {
            let json = try #require(values[property.name], "\(table.type.name).\(property.name)")
            switch property.shape {
            case .single: transaction.setValue(id, column, try single(json, property, transaction))
            case .list:
                let elements = try #require(json as? [Any]).map { try single($0, property, transaction) }
                transaction.listInsert(id, column, at: 0, elements)
            case .set:
                for element in try #require(json as? [Any]) {
                    #expect(transaction.setInsert(id, column, try single(element, property, transaction)))
                }
            case .map(let key):
                for (name, element) in try #require(json as? [String: Any]) {
                    let key = try #require(key == .string ? .string(name) : Literal.value(of: name, as: key))
                    transaction.mapSet(id, column, key: key, try single(element, property, transaction))
                }
            case .inverse: break
            }
        }
    }

    private func single(_ json: Any, _ property: PropertySchema, _ transaction: Transaction) throws -> Value {
        if json is NSNull { return .null }
        switch property.kind {
        case .bool: return .bool(try #require(json as? Bool))
        case .int8, .int16, .int32, .int: return .int(Int64(try #require(json as? Int)))
        case .float: return .float(Float(try number(json)))
        case .double: return .double(try number(json))
        case .string: return .string(try #require(json as? String))
        case .data:
            let text = try #require(json as? String)
            return .data(try #require(Data(base64Encoded: text)))
        case .date, .uuid, .objectId, .decimal128, .duration:
            let text = try #require(json as? String)
            return try #require(Literal.value(of: text, as: property.kind))
        case .object:
            let target = try #require(json as? [String: Any])
            return .object(try link(target, transaction))
        case .embedded:
            let table = try #require(property.target.flatMap { layout.table(named: $0) })
            let values = try #require(json as? [String: Any])
            let id = transaction.create(table.table)
            transaction.initializeIndexes(id)
            try fill(id, values, transaction)
            return .object(id.ref)
        case .any: throw BanyanError(.invalidValue, "the sample has no AnyValues")
        }
    }

    private func link(_ json: [String: Any], _ transaction: Transaction) throws -> ObjectRef {
        let type = try #require(json["type"] as? String)
        let table = try #require(layout.table(named: type))
        guard let key = json["key"], let column = table.keyColumn else {
            let id = try #require(json["id"] as? String)
            return try #require(byID[id])
        }
        let value = try single(key, table.type.properties[column], transaction)
        return try #require(transaction.view.find(table.table, key: value)).ref
    }

    private func number(_ json: Any) throws -> Double {
        if let text = json as? String {
            switch text {
            case "NaN": return .nan
            case "Infinity": return .infinity
            case "-Infinity": return -.infinity
            default: Issue.record("'\(text)' is no number")
            }
        }
        return try #require(json as? Double)
    }
}
