// `import Banyan` alone must be enough: the identities, errors and value types of its API are declared in the core.
@_exported public import BanyanCore
