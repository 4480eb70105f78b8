import Banyan

@Model class Tenant: Object {
    @Persisted var name = ""
}

func sort(_ tenants: Results<Tenant>, _ text: String) {
    _ = tenants.sorted(byKeyPath: text)  // ✗ call can throw
    _ = tenants.sorted(by: [SortDescriptor(keyPath: text)])  // ✗ call can throw
    _ = tenants.distinct(by: [text])  // ✗ call can throw
}
